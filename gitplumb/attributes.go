package gitplumb

import (
	"context"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/git-algal/git-algal/internal/attributes"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/internal/gitindex"
	"github.com/git-algal/git-algal/internal/worktree"
)

// maxAttributesBytes bounds one .gitattributes file, in bytes.
const maxAttributesBytes = 1 << 20

// attributesName is the file that gives attributes to a directory.
const attributesName = ".gitattributes"

// converting are the attributes that make git store other bytes than the
// checkout holds (gitattributes(5)).
var converting = [...]string{"text", "eol", "crlf", "ident", "filter", "working-tree-encoding"}

// attributeUse says what the attributes of a checkout can do to its content.
type attributeUse struct {
	converts bool   // some line gives an attribute that converts
	filters  bool   // some line gives a filter
	source   string // where the first such line was found
}

// note adds what one attributes file gives. It reads no patterns: a line that
// converts counts wherever it may apply, in macros too.
func (u *attributeUse) note(source string, content []byte) {
	_, converts := attributes.Converts(content)
	u.add(source, converts, attributes.Filters(content))
}

func (u *attributeUse) add(source string, converts, filters bool) {
	if converts && !u.converts {
		u.source = source
	}
	u.converts = u.converts || converts
	u.filters = u.filters || filters
}

// attributeUse finds every attributes file that counts for tracked paths and
// says what they do: the frozen ones, info/attributes, and .gitattributes in
// every directory that leads to a tracked path.
func (r *Repo) attributeUse(ctx context.Context) (attributeUse, error) {
	return once(&r.memo.attributes, func() (attributeUse, error) {
		var use attributeUse
		frozen, err := r.freeze(ctx)
		if err != nil {
			return use, err
		}
		user, err := frozen.attributes()
		if err != nil {
			return use, err
		}
		use.note(frozenAttributes, user)
		info, err := r.controlFile(r.identity.CommonDirectory, "info/attributes")
		if err != nil {
			return use, err
		}
		use.note("info/attributes", info)
		index, err := r.decodedIndex()
		if err != nil {
			return use, err
		}
		return use, r.noteCheckout(ctx, index.Entries, &use)
	})
}

// noteCheckout adds the .gitattributes files of the checkout.
func (r *Repo) noteCheckout(ctx context.Context, entries []gitindex.Entry, use *attributeUse) error {
	inIndex := map[string]*gitindex.Entry{}
	for i := range entries {
		if path := entries[i].Path; path == attributesName || strings.HasSuffix(path, "/"+attributesName) {
			inIndex[path] = &entries[i]
		}
	}
	directories := trackedDirectories(entries)
	requests := make([]worktree.Request, len(directories))
	for i, directory := range directories {
		requests[i].Path = attributesName
		if directory != "" {
			requests[i].Path = directory + "/" + attributesName
		}
	}
	root, err := r.root()
	if err != nil {
		return err
	}
	// A bound of no bytes leaves the kinds, which is what is needed first.
	report, err := root.Scan(ctx, requests, worktree.Limits{})
	if err != nil {
		return err
	}
	for i := range requests {
		path := requests[i].Path
		switch report.Results[i].Kind {
		case worktree.File:
			content, _, err := root.ReadFile(ctx, path, maxAttributesBytes)
			if err != nil {
				return err
			}
			use.note(path, content)
		case worktree.Special:
			return specialRefused(path)
		default:
			// Git takes what it cannot read here from the index, and there even
			// the target of a symlink.
			if entry := inIndex[path]; entry != nil {
				r.noteIndexed(ctx, path, entry, use)
			}
		}
	}
	return nil
}

// noteIndexed adds an attributes file as the index holds it. One that cannot
// be read counts as one that converts.
func (r *Repo) noteIndexed(ctx context.Context, path string, entry *gitindex.Entry, use *attributeUse) {
	content, err := r.objects.read(ctx, plumbing.Hash(entry.ID), plumbing.BlobObject, maxAttributesBytes)
	if err != nil {
		use.add(path, true, true)
		return
	}
	use.note(path, content)
}

// trackedDirectories returns every directory that leads to an entry, the root
// ("") first, each once, in the order of the entries.
func trackedDirectories(entries []gitindex.Entry) []string {
	directories := []string{""}
	previous := ""
	for i := range entries {
		path := entries[i].Path
		shared := 0
		for shared < len(previous) && shared < len(path) && previous[shared] == path[shared] {
			shared++
		}
		for at := strings.LastIndexByte(path[:shared], '/') + 1; ; {
			slash := strings.IndexByte(path[at:], '/')
			if slash < 0 {
				break
			}
			at += slash
			directories = append(directories, path[:at])
			at++
		}
		previous = path
	}
	return directories
}

// pathAttributes are what git check-attr says about one path, by name; a value is
// "set", "unset", "unspecified" or a word.
type pathAttributes map[string]string

// checkAttributes asks git for the converting attributes of the paths. No
// filter runs.
func (r *Repo) checkAttributes(ctx context.Context, paths []string) (map[string]pathAttributes, error) {
	args := append([]string{"check-attr", "-z", "--stdin"}, converting[:]...)
	out, err := r.ask(ctx, invocation{args: args, stdin: strings.NewReader(joinNUL(paths)), prompt: true})
	if err != nil {
		return nil, err
	}
	fields := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	if len(fields) != 3*len(converting)*len(paths) {
		return nil, fault.New(fault.GitFailed, "git check-attr gave %d answers for %d paths", len(fields)/3, len(paths))
	}
	found := make(map[string]pathAttributes, len(paths))
	for ; len(fields) >= 3; fields = fields[3:] {
		path, name, value := fields[0], fields[1], fields[2]
		if value == "unspecified" {
			continue
		}
		if found[path] == nil {
			found[path] = pathAttributes{}
		}
		found[path][name] = value
	}
	return found, nil
}

func joinNUL(paths []string) string {
	if len(paths) == 0 {
		return ""
	}
	return strings.Join(paths, "\x00") + "\x00"
}

// lineEnds says what autocrlf is set to.
type lineEnds int

const (
	lineEndsKept      lineEnds = iota // core.autocrlf is unset or false
	lineEndsConverted                 // "true" or "input"
)

func (c config) lineEnds() (lineEnds, error) {
	s, found := c.last("core.autocrlf")
	if !found {
		return lineEndsKept, nil
	}
	if strings.EqualFold(s.value, "input") {
		return lineEndsConverted, nil
	}
	value, err := c.boolean("core.autocrlf", false)
	if value {
		return lineEndsConverted, err
	}
	return lineEndsKept, err
}

// converts reports whether git stores other bytes than the checkout holds for
// a path with these attributes, or may do so.
func (a pathAttributes) converts(c config, ends lineEnds) bool {
	if name, ok := a.word("filter"); ok && c.filters(name) {
		return true
	}
	if _, ok := a.word("working-tree-encoding"); ok || a["ident"] == "set" {
		return true
	}
	if a["text"] == "unset" || a["text"] == "" && a["crlf"] == "unset" {
		return false
	}
	if _, ok := a.word("text"); ok || a["text"] == "set" || a["crlf"] != "" {
		return true
	}
	_, eol := a.word("eol")
	return eol || ends == lineEndsConverted
}

// filters reports whether git runs the driver on the way in, or fails because
// it cannot: one that is required must have a way in.
func (c config) filters(name string) bool {
	section := "filter." + name + "."
	required, err := c.boolean(section+"required", false)
	return c.text(section+"clean") != "" || c.text(section+"process") != "" || required || err != nil
}

// word returns the value of an attribute that has one.
func (a pathAttributes) word(name string) (string, bool) {
	switch value := a[name]; value {
	case "", "set", "unset":
		return "", false
	default:
		return value, true
	}
}

// conversions says which tracked paths git converts, and which filter drivers
// attributes give them.
type conversions struct {
	paths   map[string]bool
	filters []string
}

// conversions asks git about the attributes where any of them can convert.
func (r *Repo) conversions(ctx context.Context) (conversions, error) {
	return once(&r.memo.conversions, func() (conversions, error) {
		none := conversions{}
		index, err := r.decodedIndex()
		if err != nil {
			return none, err
		}
		use, err := r.attributeUse(ctx)
		if err != nil {
			return none, err
		}
		ends, err := r.config.lineEnds()
		if err != nil {
			return none, err
		}
		if !use.converts && ends == lineEndsKept {
			return none, nil
		}
		paths := make([]string, 0, len(index.Entries))
		for i := range index.Entries {
			if len(paths) == 0 || paths[len(paths)-1] != index.Entries[i].Path {
				paths = append(paths, index.Entries[i].Path)
			}
		}
		given, err := r.checkAttributes(ctx, paths)
		if err != nil {
			return none, err
		}
		found := conversions{paths: map[string]bool{}}
		for _, path := range paths {
			a := given[path]
			if a.converts(r.config, ends) {
				found.paths[path] = true
			}
			if name, ok := a.word("filter"); ok && !slices.Contains(found.filters, name) {
				found.filters = append(found.filters, name)
			}
		}
		slices.Sort(found.filters)
		return found, r.config.checkLFS(found.filters)
	})
}

// lfsVersion is the setting that git-lfs writes into a repository's own
// configuration, and no other, when it first runs there.
const lfsVersion = "lfs.repositoryformatversion"

// checkLFS refuses a checkout in which running git-lfs for the first time
// would write.
func (c config) checkLFS(filters []string) error {
	for _, name := range filters {
		command := c.text("filter."+name+".process") + c.text("filter."+name+".clean")
		if !strings.Contains(command, "git-lfs") {
			continue
		}
		if !slices.ContainsFunc(c.settings, func(s setting) bool { return s.key == lfsVersion && s.scope == "local" }) {
			return fault.New(fault.UnsupportedRepo, "git-lfs is not set up in this repository, and would do it when a file is compared").
				WithNext("git config lfs.repositoryFormatVersion 0")
		}
	}
	return nil
}

// filtersInUse returns the drivers that attributes give to tracked paths. For
// an index that cannot be read it returns every driver that is defined: git
// may be asked about such a checkout, and would run them.
func (r *Repo) filtersInUse(ctx context.Context) ([]string, error) {
	index, err := r.decodedIndex()
	if err != nil || len(index.Mandatory()) > 0 {
		return r.config.filterDrivers(), nil
	}
	use, err := r.attributeUse(ctx)
	if err != nil || !use.filters {
		return nil, err
	}
	found, err := r.conversions(ctx)
	return found.filters, err
}

// filterDrivers returns the names of all drivers that are defined, sorted.
func (c config) filterDrivers() []string {
	var names []string
	for _, s := range c.settings {
		if name, ok := filterOf(s.key); ok && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Converted reports whether git stores other bytes for the tracked path than
// the checkout holds, or may do so: by line ends, ident, encoding or a filter.
// It is meaningful once [Repo.Status] has succeeded.
func (r *Repo) Converted(path string) bool {
	return r.memo.conversions.value.paths[path]
}
