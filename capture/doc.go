// Package capture turns what a worker left in a checkout into one artifact:
// exact, complete, bounded and reviewable (contract sections 4 and 5).
//
// The map:
//
//	stable.go      Stable: the capture, made twice and compared; place.go tells
//	               a workspace that is gone from a disk that is not mounted
//	artifact.go    the record coding-patch.v1: ParseArtifact, Format, Digest
//	change.go      FileChange and Patch: one file's change as git diff prints it
//	hunk.go        its hunks, out of internal/linediff's comparison
//	whitespace.go  which text hunks git apply would damage
//	lineends.go    how some of them are made safe
//	quote.go       names as git quotes them
//	bound.go       what can be refused before it is compared
//	parse.go       reading a patch back; apply.go applies it in memory, the
//	               proof without which nothing is published
//	lines.go       Lines: a patch, line by line, for people
//	export.go      Export: one patch for "git apply --binary"
//	stat.go        Stat: added and removed lines, binary sizes
//	excerpt.go     Excerpts: the beginning of what differs between two artifacts
//
// Everything but Stable is pure: bytes in, text out.
//
// # Text or binary
//
// A change is written in text hunks, equal to git diff's for ordinary edits,
// where those arrive unharmed; otherwise as a GIT binary patch, which always
// does: content with a NUL in its first 8,000 bytes, as for git; more than
// MaxTextLines lines; lines that are not UTF-8, since the artifact is JSON; and
// lines that "git apply" would refuse or alter for somebody with
// apply.whitespace=error or fix. Only the default core.whitespace is
// considered: under indent-with-non-tab or tab-in-indent hardly any program
// text would stay text.
//
// What cannot be served at once: with core.autocrlf and without an index, git
// apply normalises a file whose blob holds CRLF before it looks at a binary
// patch, and refuses it. Such a patch needs "git apply --index".
package capture
