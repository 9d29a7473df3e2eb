package ignore_test

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
)

// A tree is a set of untracked files below one directory.
type tree struct {
	dirs  []string // the top one first
	files []string
}

// A generator makes trees of odd names, and patterns that are likely to
// match some of them.
type generator struct {
	rand     *rand.Rand
	disputed bool // make disputed patterns
}

func (g *generator) chance(percent int) bool { return g.rand.IntN(100) < percent }

func pick[T any](g *generator, from []T) T { return from[g.rand.IntN(len(from))] }

// atoms of names. A Mac has no names that are not UTF-8, and may not tell "a"
// from "A".
func (g *generator) atoms() []string {
	atoms := []string{"a", "b", "c", "ab", "abc", "foo", "x.log", ".o", "1", "-", ".", "_",
		"[", "]", "[a]", "!", "^", "#", " ", "  ", "\t", "\\", "*", "**", "?", ":", "[:alpha:]"}
	if runtime.GOOS == "linux" {
		atoms = append(atoms, "A", "B", "Foo", "Z", "é", "日", "\xff", "\xc3", "\x80", "\n", "\r", "\x01", "\x7f", "\v", "\xef\xbb\xbf")
	}
	return atoms
}

func (g *generator) name() string {
	var b strings.Builder
	for n := 1 + g.rand.IntN(3); n > 0; n-- {
		b.WriteString(pick(g, g.atoms()))
	}
	if s := b.String(); s != "." && s != ".." {
		return s
	}
	return "a"
}

func (g *generator) tree(top string) tree {
	t := tree{dirs: []string{top}}
	// Few names, so that they recur at several places.
	var names []string
	for range 8 {
		names = append(names, g.name())
	}
	taken := map[string]bool{}
	free := func() (string, bool) {
		path := join(pick(g, t.dirs), pick(g, names))
		key := strings.ToLower(path)
		if runtime.GOOS == "linux" {
			key = path
		}
		if taken[key] {
			return "", false
		}
		taken[key] = true
		return path, true
	}
	for range 7 {
		if path, ok := free(); ok && strings.Count(path, "/") < 5 {
			t.dirs = append(t.dirs, path)
		}
	}
	for range 22 {
		if path, ok := free(); ok {
			t.files = append(t.files, path)
		}
	}
	return t
}

// checkout puts pattern files into the trees and beside them.
func (g *generator) checkout(trees []tree) checkout {
	c := checkout{gitignore: map[string]string{}, ignoreCase: g.chance(30)}
	for _, t := range trees {
		c.files = append(c.files, t.files...)
		c.gitignore[t.dirs[0]] = g.patternFile(t, t.dirs[0])
		for _, dir := range t.dirs[1:] {
			if g.chance(20) && slices.ContainsFunc(t.files, func(f string) bool { return strings.HasPrefix(f, dir+"/") }) {
				c.gitignore[dir] = g.patternFile(t, dir)
			}
		}
	}
	c.exclude, c.excludes = g.outerFile(trees), g.outerFile(trees)
	if g.chance(30) {
		c.excludes += opposite(c.exclude)
	}
	return c
}

// outerFile makes patterns for the whole checkout, that must not hide most of it.
func (g *generator) outerFile(trees []tree) string {
	var b strings.Builder
	for range g.rand.IntN(12) {
		t := pick(g, trees)
		p := g.pattern(t, pick(g, t.dirs))
		if strings.Trim(p, "*?!/ \t\r\\") == "" {
			continue
		}
		if strings.Contains(p, "/") && g.chance(80) {
			p = pick(g, []string{t.dirs[0] + "/", "*/", "**/", "s??/", "/s[0-9]*/"}) + strings.TrimLeft(p, "!/")
		}
		b.WriteString(p + "\n")
	}
	return b.String()
}

// opposite returns the patterns with their negation turned round.
func opposite(file string) string {
	var b strings.Builder
	for line := range strings.Lines(file) {
		if rest, negated := strings.CutPrefix(line, "!"); negated {
			b.WriteString(rest)
		} else {
			b.WriteString("!" + line)
		}
	}
	return b.String()
}

func (g *generator) patternFile(t tree, dir string) string {
	var b strings.Builder
	if g.chance(5) {
		b.WriteString("\xef\xbb\xbf")
	}
	end := "\n"
	if g.chance(10) {
		end = "\r\n"
	}
	n := 1 + g.rand.IntN(6)
	for i := range n {
		b.WriteString(g.pattern(t, dir))
		if i < n-1 || g.chance(80) {
			b.WriteString(end)
		}
	}
	return b.String()
}

// pattern makes a line for a pattern file in the directory: mostly the path
// of an entry there, with parts replaced by what could match them.
func (g *generator) pattern(t tree, dir string) string {
	p := g.line(t, dir)
	if !g.disputed {
		// Stars after a literal within a component; more than the disputed kind.
		for strings.Contains(p, "**") {
			p = strings.ReplaceAll(p, "**", "*")
		}
	}
	return p
}

func (g *generator) line(t tree, dir string) string {
	if g.chance(3) {
		return pick(g, []string{"", " ", "#", "!", "/", "//", "!/", "\\", "\r", "\t", "**", "*", "/**", "**/", "!*", "!**/", "/*", "!/*", "#a", "\x00", "*/", "!*/"})
	}
	if g.chance(7) {
		return g.noise()
	}
	if rest, ok := strings.CutPrefix(pick(g, t.files), dir+"/"); ok && g.chance(10) {
		// Cut at any two bytes, with stars between.
		i := g.rand.IntN(len(rest) + 1)
		j := i + g.rand.IntN(len(rest)+1-i)
		return escape(rest[:i]) + pick(g, []string{"**", "**", "**/", "/**", "/**/", "*", "***", `**\/`}) + escape(rest[j:])
	}
	var components []string
	entry := pick(g, append(slices.Clone(t.files), t.dirs[1:]...))
	if rest, ok := strings.CutPrefix(entry, dir+"/"); ok {
		components = strings.Split(rest, "/")
	} else {
		components = []string{g.name()}
	}
	if g.chance(40) {
		components = components[g.rand.IntN(len(components)):]
	}
	if g.chance(30) {
		components = components[:1+g.rand.IntN(len(components))]
	}
	for i := range components {
		components[i] = g.component(components[i])
	}
	if g.chance(15) {
		i := g.rand.IntN(len(components) + 1)
		components = slices.Insert(components, i, pick(g, []string{"**", "**", "*", "***", ""}))
	}
	p := strings.Join(components, "/")
	if g.chance(4) {
		p = strings.Replace(p, "/", "\\/", 1)
	}
	if g.chance(15) {
		p = "/" + p
	}
	if g.chance(20) {
		p += "/"
	}
	if g.chance(30) {
		p = "!" + p
	}
	if g.chance(10) {
		p += pick(g, []string{" ", "  ", "\\ ", "\t", "\r", "\\", "\x00", " \t", "\\  ", "/", "\x00a"})
	}
	return p
}

// component returns a glob for the name.
func (g *generator) component(name string) string {
	switch g.rand.IntN(12) {
	case 0:
		return "*"
	case 1:
		return "**"
	case 2, 3:
		return escape(name)
	case 4:
		return name
	case 5: // a part between stars
		i := g.rand.IntN(len(name))
		part := []byte(name[i : i+1+g.rand.IntN(len(name)-i)])
		if g.chance(30) {
			part[0] = swapCase(part[0])
		}
		return "*" + string(part) + "*"
	}
	var b strings.Builder
	for i := 0; i < len(name); i++ {
		c := name[i]
		switch g.rand.IntN(14) {
		case 0:
			b.WriteString("?")
		case 1, 2:
			b.WriteString(g.bracket(c))
		case 3:
			b.WriteString("*")
			i += g.rand.IntN(3) - 1
		case 4:
			b.WriteString("**")
			i += g.rand.IntN(3) - 1
		case 5:
			b.WriteString("\\" + string([]byte{c}))
		case 6:
			b.WriteByte(swapCase(c))
		default:
			if g.chance(60) {
				b.WriteString(escape(string([]byte{c})))
			} else {
				b.WriteByte(c)
			}
		}
		if b.Len() > 40 {
			break
		}
	}
	return b.String()
}

// bracket returns an expression that likely matches c.
func (g *generator) bracket(c byte) string {
	members := []string{string([]byte{c}), "\\" + string([]byte{c}), "a-c", "A-C", "[:alpha:]", "[:upper:]", "[:lower:]",
		"[:punct:]", "[:space:]", "[:digit:]", "[:graph:]", "[:cntrl:]", "[:none:]", "-", "]", "!", "^", "[", "[:", ":]", "\\", "\\]", "/", "+-9", "Z-a", "z-a",
		"\x80-\xff", "é", string([]byte{c, '-', c}), "!-~", "[.a.]", "[=a=]", "--", "\\--\\a", "[:ALPHA:]", "[::]", "[:x"}
	var b strings.Builder
	b.WriteString("[")
	if g.chance(25) {
		b.WriteString(pick(g, []string{"!", "^"}))
	}
	for n := 1 + g.rand.IntN(3); n > 0; n-- {
		if g.chance(50) {
			b.WriteByte(c)
		} else {
			b.WriteString(pick(g, members))
		}
	}
	if g.chance(95) {
		b.WriteString("]")
	}
	return b.String()
}

// noise returns a short line of special bytes.
func (g *generator) noise() string {
	var b strings.Builder
	for n := 1 + g.rand.IntN(6); n > 0; n-- {
		b.WriteString(pick(g, []string{"a", "b", "*", "**", "/", "?", "[", "]", "!", "^", "\\", "-", ":", " ", "\t", "#", "\r", "foo", "[:", ":]"}))
	}
	return b.String()
}

func swapCase(c byte) byte {
	if 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' {
		return c ^ 0x20
	}
	return c
}

// escape returns a glob that matches the name and nothing else.
func escape(name string) string {
	var b strings.Builder
	for i := range len(name) {
		if strings.IndexByte("*?[]\\!#- ", name[i]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(name[i])
	}
	return b.String()
}
