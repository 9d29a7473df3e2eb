//go:build linux || darwin

package main

// A document is what a verb found. Its exported members are the JSON document;
// writeText is the same for people.
type document interface {
	writeText(*page)
}

// A pagedDocument is one that a person reads page by page.
type pagedDocument interface {
	document
	paged()
}

// A shownDocument is one that another program can show to a person on a
// terminal; shown reports whether it did.
type shownDocument interface {
	document
	shown() bool
}

// A plainDocument is printed as it is, where it is JSON already.
type plainDocument interface {
	document
	plainJSON() []byte
}

// An answer is the outcome of a verb that was not refused.
type answer struct {
	document document // nil where the verb itself spoke on stdout
	exit     int
	ways     []way // beside a refusal: what to do about a checkout with changes
}

// A printer prints what a verb found, and why one was refused.
type printer interface {
	print(document) error
	fail(failure) error
}
