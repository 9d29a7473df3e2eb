// Package ignore decides which untracked names of a checkout git would not
// show: gitignore(5) in full. Names and patterns are bytes, never runes.
//
// The files of the package, from a pattern file to a verdict:
//
//	parse.go    lines to patterns: blanks, comments, negation, anchors
//	rule.go     one compiled pattern: a literal prefix, then path segments
//	segment.go  the glob of one path segment, in linear time
//	bracket.go  bracket expressions as sets of bytes
//	ruleset.go  the patterns of one file: the last match wins
//	ignore.go   the files of a checkout: the nearest match wins
//
// The judge is what git 2.39.5 was observed to do; gitignore(5) leaves much of
// it open. Where the two contradict each other, git is followed and the
// pattern is reported by [Matcher.Disputed], because another version of git
// may well follow the manual.
//
// The matcher is our own. The library for the job,
// github.com/git-lfs/wildmatch/v2, was held against git first and differed on
// 23 of 100 random pattern sets, hiding files that git shows on 9: it decodes
// names as UTF-8, takes a backslash for a slash, fills the POSIX classes from
// Unicode, panics on an open bracket or an unknown class, lets no "**" back
// up, and needs exponential time for stars in a row. None of that can be
// worked around from outside.
package ignore

// A Matcher holds the pattern files that apply in one directory of a checkout
// and below: the two that lie outside the working tree, and the .gitignore
// files from the top down to that directory. It is immutable, so that the
// goroutines of a walk may share it.
type Matcher struct {
	outer *Matcher // what applies when rules says nothing; nil at the end
	rules ruleSet
	base  int // length of the path, with its slash, that rules are relative to
	fold  bool

	disputed string // the first such pattern of all files; "" for none
}

// New returns the matcher of a checkout without the .gitignore at its top,
// for which [Matcher.Enter] is to be called with the path "". The contents of
// info/exclude win over those of core.excludesFile; nil stands for a file
// that does not exist. Any bytes are a valid pattern file: a line that is no
// sound pattern matches nothing. ignoreCase is git's core.ignoreCase, which
// folds the letters of ASCII and no others.
func New(excludesFile, infoExclude []byte, ignoreCase bool) *Matcher {
	m := &Matcher{fold: ignoreCase}
	return m.add(0, excludesFile).add(0, infoExclude)
}

// Enter returns the matcher for the directory with the given path, relative
// to the top of the checkout and "" for the top itself, whose .gitignore holds
// data; nil stands for a directory without one. It must be called on the
// matcher of the directory above. The matcher keeps no reference to data.
func (m *Matcher) Enter(dir string, data []byte) *Matcher {
	base := 0
	if dir != "" {
		base = len(dir) + 1
	}
	return m.add(base, data)
}

func (m *Matcher) add(base int, data []byte) *Matcher {
	if len(data) == 0 {
		return m
	}
	inner := &Matcher{outer: m, rules: compile(data, m.fold), base: base, fold: m.fold, disputed: m.disputed}
	if inner.disputed == "" {
		inner.disputed = inner.rules.disputed
	}
	return inner
}

// Ignored reports whether the entry with the given path, relative to the top
// of the checkout and without a slash at its end, is ignored. The entry must lie
// in the matcher's directory or below. isDir is true for a directory only; a
// symbolic link to one is none.
//
// The verdict is that of the patterns that match the entry itself. An entry
// below an ignored directory is ignored whatever the patterns say
// (gitignore(5), PATTERN FORMAT), so a walk asks for a directory before its
// contents, does not enter it when it is ignored, and does not read the
// .gitignore inside.
func (m *Matcher) Ignored(path string, isDir bool) bool {
	for ; m.outer != nil; m = m.outer {
		switch m.rules.match(path[m.base:], isDir) {
		case ignored:
			return true
		case included:
			return false
		}
	}
	return false
}

// Disputed returns the first pattern of the matcher's files on which git and
// its manual disagree, so that the answer depends on the version of git. The
// matcher itself answers as git 2.39.5. A caller that has a git to ask had
// better ask it.
//
// There is one such kind: "**" right after literal bytes in a pattern with a
// slash, such as "foo**/bar". By the manual these are regular asterisks; git
// was seen to let them cross slashes.
func (m *Matcher) Disputed() (pattern string, ok bool) {
	return m.disputed, m.disputed != ""
}
