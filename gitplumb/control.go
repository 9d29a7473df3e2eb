package gitplumb

import (
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
)

const (
	// MaxControlFileBytes bounds each control file that is read, in bytes:
	// info/exclude and its neighbours, each far larger than any in use.
	MaxControlFileBytes = 1_048_576

	// MaxSettingsBytes bounds the canonical settings of a control record, in
	// bytes. With MaxFrozenBytes in base64 and MaxRefsBytes it stays below the
	// record's 262,144.
	MaxSettingsBytes = 49_152

	// MaxRefsBytes bounds the canonical references of a control record, in
	// bytes; over it their digest is kept instead.
	MaxRefsBytes = 32_768

	// missingFile stands for the digest of a control file that is not there.
	missingFile = "missing"
)

// Control is what stands between a checkout and git's answers about it, and
// what lies beside it (contract sections 4 and 5).
type Control struct {
	Deciding Deciding
	Evidence Evidence

	// FiltersInUse names the filter drivers that attributes give to tracked
	// paths now. It belongs to no record; see [CompareDeciding].
	FiltersInUse []string
}

// Deciding is the member "deciding" of a control record: what is honoured
// whenever the checkout is read. A difference refuses the checkout.
type Deciding struct {
	Settings    [][3]string       `json:"settings"` // scope, key, value, in git's order
	Files       map[string]string `json:"files"`    // name to digest or "missing"
	Frozen      Frozen            `json:"frozen"`   // name to content in base64
	ReplaceRefs canon.Digest      `json:"replaceRefs"`
}

// Evidence is the member "evidence" of a control record: what a worker may
// change without changing any answer. A difference is a warning.
type Evidence struct {
	Refs  jsontext.Value `json:"refs"` // {name: id}, or the digest of that object when it would not fit
	Hooks canon.Digest   `json:"hooks"`
	Git   GitEvidence    `json:"git"`
}

// GitEvidence says which git was asked.
type GitEvidence struct {
	Path    string `json:"path"`
	Version string `json:"version"`
}

// Control reads the control of the checkout as it is now. With Options.Frozen
// the frozen files are the admission's, whatever the originals hold.
//
// It fails with fault.UnsupportedRepo for a control file that is no regular
// file, and with fault.OverBound beyond MaxControlFileBytes, MaxFrozenBytes
// and MaxSettingsBytes. No filter runs.
func (r *Repo) Control(ctx context.Context) (Control, error) {
	deciding, err := r.deciding(ctx)
	if err != nil {
		return Control{}, err
	}
	evidence, err := r.evidence(ctx)
	if err != nil {
		return Control{}, err
	}
	inUse, err := r.filtersInUse(ctx)
	if err != nil {
		return Control{}, err
	}
	return Control{Deciding: deciding, Evidence: evidence, FiltersInUse: inUse}, nil
}

func (r *Repo) deciding(ctx context.Context) (Deciding, error) {
	settings := r.config.recorded()
	text, err := canon.Encode(settings)
	if err != nil {
		return Deciding{}, err
	}
	if len(text) > MaxSettingsBytes {
		return Deciding{}, fault.New(fault.OverBound, "the deciding settings take %d bytes, more than %d", len(text), MaxSettingsBytes)
	}
	frozen, err := r.freeze(ctx)
	if err != nil {
		return Deciding{}, err
	}
	files, err := r.controlFiles()
	if err != nil {
		return Deciding{}, err
	}
	replaced, err := r.replaceRefs(ctx)
	if err != nil {
		return Deciding{}, err
	}
	digest, _, err := canon.DigestOf(named(replaced))
	if err != nil {
		return Deciding{}, err
	}
	return Deciding{Settings: settings, Files: files, Frozen: frozen, ReplaceRefs: digest}, nil
}

// controlFiles returns the digests of the files that contract section 5 lists.
func (r *Repo) controlFiles() (map[string]string, error) {
	digests := map[string]string{}
	for name, directory := range map[string]string{
		"info/exclude":            r.identity.CommonDirectory,
		"info/attributes":         r.identity.CommonDirectory,
		"info/grafts":             r.identity.CommonDirectory,
		"info/sparse-checkout":    r.identity.GitDirectory,
		"objects/info/alternates": r.identity.CommonDirectory,
		"commondir":               r.identity.GitDirectory,
	} {
		content, err := r.controlFile(directory, name)
		if err != nil {
			return nil, err
		}
		digests[name] = missingFile
		if content != nil {
			digests[name] = string(canon.DigestText(content))
		}
	}
	dotGit, err := r.dotGit()
	digests[".git"] = dotGit
	return digests, err
}

// controlFile returns the content of a file in a git directory, nil when it
// is missing. What is compared is what is used: each is read once in a pass.
func (r *Repo) controlFile(directory, name string) ([]byte, error) {
	path := filepath.Join(directory, filepath.FromSlash(name))
	if r.memo.files == nil {
		r.memo.files = map[string]*result[[]byte]{}
	}
	if r.memo.files[path] == nil {
		r.memo.files[path] = &result[[]byte]{}
	}
	return once(r.memo.files[path], func() ([]byte, error) { return readControlFile(path, name) })
}

func readControlFile(path, name string) ([]byte, error) {
	content, err := readRegular(path, MaxControlFileBytes)
	switch {
	case err == nil:
		return append([]byte{}, content...), nil
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return nil, nil
	case errors.Is(err, errTooLong):
		return nil, fault.New(fault.OverBound, "%q is over %d bytes", name, MaxControlFileBytes)
	}
	// Git would go on without it, or wait for it for ever.
	return nil, fault.New(fault.UnsupportedRepo, "%q in the git directory cannot be read: %w", name, err)
}

// dotGit returns the digest of the .git file of the checkout, of the target
// where it is a symlink, and "missing" where it is a directory.
func (r *Repo) dotGit() (string, error) {
	path := filepath.Join(r.identity.Workspace, ".git")
	info, err := os.Lstat(path)
	if err != nil {
		return "", fault.New(fault.GitFailed, ".git cannot be read: %w", err)
	}
	switch {
	case info.IsDir():
		return missingFile, nil
	case info.Mode()&fs.ModeSymlink != 0:
		target, err := os.Readlink(path)
		if err != nil {
			return "", fault.New(fault.GitFailed, ".git cannot be read: %w", err)
		}
		return string(canon.DigestText("symlink " + target)), nil
	}
	content, err := r.controlFile(r.identity.Workspace, ".git")
	return string(canon.DigestText(content)), err
}

// replaceRefs returns the replacements by the name of the replaced object;
// none where the configuration turns them off.
func (r *Repo) replaceRefs(ctx context.Context) (map[string]plumbing.Hash, error) {
	return once(&r.memo.replaced, func() (map[string]plumbing.Hash, error) {
		honoured, err := r.config.boolean("core.usereplacerefs", true)
		if err != nil || !honoured {
			return nil, err
		}
		refs, err := r.refs.list(ctx, replacePrefix)
		if err != nil {
			return nil, err
		}
		replaced := make(map[string]plumbing.Hash, len(refs))
		for name, id := range refs {
			replaced[strings.TrimPrefix(name, replacePrefix)] = id
		}
		return replaced, nil
	})
}

const replacePrefix = "refs/replace/"

// named returns ids in hexadecimal, with names that JSON can hold.
func named(ids map[string]plumbing.Hash) map[string]string {
	names := make(map[string]string, len(ids))
	for name, id := range ids {
		names[strings.ToValidUTF8(name, "\ufffd")] = id.String()
	}
	return names
}

func (r *Repo) evidence(ctx context.Context) (Evidence, error) {
	refs, err := r.refEvidence(ctx)
	if err != nil {
		return Evidence{}, err
	}
	hooks, err := r.hookEvidence(ctx)
	if err != nil {
		return Evidence{}, err
	}
	return Evidence{Refs: refs, Hooks: hooks, Git: GitEvidence{Path: r.git.path, Version: r.git.version}}, nil
}

// refEvidence lists every reference, the stash among them, and the HEAD of
// every worktree.
func (r *Repo) refEvidence(ctx context.Context) (jsontext.Value, error) {
	ids, err := r.refs.list(ctx, "refs/")
	if err != nil {
		return nil, err
	}
	names := named(ids)
	common := r.identity.CommonDirectory
	heads := map[string]string{"HEAD": r.identity.GitDirectory}
	if common != r.identity.GitDirectory {
		heads["main-worktree/HEAD"] = common
	}
	worktrees, err := os.ReadDir(filepath.Join(common, worktreesDir))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		names[worktreesDir] = unreadableMode // evidence refuses nothing
	}
	for _, worktree := range worktrees {
		directory := filepath.Join(common, worktreesDir, worktree.Name())
		if directory != r.identity.GitDirectory {
			heads["worktrees/"+strings.ToValidUTF8(worktree.Name(), "\ufffd")+"/HEAD"] = directory
		}
	}
	for name, directory := range heads {
		if id, _, err := (refStore{gitDir: directory, commonDir: common}).resolve("HEAD"); err == nil {
			names[name] = id.String()
		}
	}
	text, err := canon.Encode(names)
	if err != nil {
		return nil, err
	}
	if len(text) <= MaxRefsBytes {
		return text, nil
	}
	return canon.Encode(canon.DigestText(text))
}

// A hook is what evidence keeps of one file in the hooks directory.
type hook struct {
	Name   string       `json:"name"`
	Mode   string       `json:"mode"`
	Digest canon.Digest `json:"digest"`
}

// hookEvidence returns the digest over the hooks that git would run.
func (r *Repo) hookEvidence(ctx context.Context) (canon.Digest, error) {
	directory := filepath.Join(r.identity.CommonDirectory, "hooks")
	if path := r.config.text("core.hookspath"); path != "" {
		directory = path
		if home := r.git.variable("HOME"); home != "" && strings.HasPrefix(path, "~/") {
			directory = filepath.Join(home, path[2:])
		}
		if !filepath.IsAbs(directory) {
			directory = filepath.Join(r.identity.Workspace, directory)
		}
	}
	hooks := []hook{}
	entries, err := os.ReadDir(directory)
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) {
		hooks = append(hooks, hook{Mode: unreadableMode}) // evidence refuses nothing
	}
	for _, entry := range entries {
		if strings.HasSuffix(entry.Name(), ".sample") {
			continue
		}
		if ctx.Err() != nil {
			return "", stopped(ctx)
		}
		hooks = append(hooks, readHook(directory, entry.Name()))
	}
	slices.SortFunc(hooks, func(a, b hook) int { return strings.Compare(a.Name, b.Name) })
	digest, _, err := canon.DigestOf(struct {
		Path  string `json:"path"`
		Hooks []hook `json:"hooks"`
	}{r.config.text("core.hookspath"), hooks})
	return digest, err
}

// unreadableMode stands for the mode of what permissions hide.
const unreadableMode = "unreadable"

// readHook reads one hook. What is no readable file has the empty digest; its
// mode says what it is.
func readHook(directory, name string) hook {
	h := hook{Name: strings.ToValidUTF8(name, "\ufffd")}
	file, err := os.OpenFile(filepath.Join(directory, name), os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOCTTY, 0)
	if err != nil {
		h.Mode = unreadableMode
		return h
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		h.Mode = unreadableMode
		return h
	}
	h.Mode = info.Mode().String()
	if !info.Mode().IsRegular() {
		return h
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err == nil {
		h.Digest = canon.FromSum([sha256.Size]byte(sum.Sum(nil)))
	}
	return h
}
