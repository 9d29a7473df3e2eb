package state

import (
	"context"
	"path/filepath"
	"strconv"
	"time"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
)

const (
	registryContract = "git-algal.registry.v1"

	// maxRegistryBytes holds two paths of 4,096 characters, escaped at worst.
	maxRegistryBytes = 65_536
)

// A Registry is the user's one directory that says which store last claimed
// which workspace, and that holds the workspace leases, so that they exclude
// across stores. Losing it loses a comfort: stores no longer see each
// other's claims. Contract section 3.
type Registry struct {
	*tree
	holder Holder
}

// entry is HEX.json of the registry, HEX the digest over the workspace path.
type entry struct {
	Contract  string `json:"contract"`
	Store     string `json:"store"`
	Workspace string `json:"workspace"`
}

// OpenRegistry returns the registry at dir, an absolute path, under the
// conditions and with the errors of [Open].
func OpenRegistry(fsys FS, dir string, list ...Option) (*Registry, error) {
	t, err := open(fsys, dir)
	if err != nil {
		return nil, err
	}
	return &Registry{tree: t, holder: collect(list).holder}, nil
}

// Dir returns the clean absolute path of the registry.
func (r *Registry) Dir() string { return r.root }

func registryEntry(workspace string) Name {
	return Name{
		path:        canon.DigestText(workspace).Hex() + jsonSuffix,
		bound:       maxRegistryBytes,
		replaceable: true,
	}
}

// Lookup returns the root of the store that last claimed the workspace, given
// by its canonical path, and whether there is one. It holds no lease.
//
// An entry that may not be read is fault.StoreFile, one of wrong form
// fault.Malformed, one about another workspace fault.StoreInconsistent.
func (r *Registry) Lookup(workspace string) (storeRoot string, ok bool, err error) {
	name := registryEntry(workspace)
	text, err := r.read(name)
	if fault.Is(err, fault.Missing) {
		return "", false, nil
	}
	if err != nil {
		return "", false, err
	}
	found, err := canon.Decode[entry](text)
	if err != nil {
		return "", false, fault.New(fault.Malformed, "the registry entry %q: %w", r.at(name.path), err)
	}
	if found.Contract != registryContract || !filepath.IsAbs(found.Store) {
		return "", false, fault.New(fault.Malformed, "the registry entry %q names no store", r.at(name.path))
	}
	if found.Workspace != workspace {
		return "", false, fault.New(fault.StoreInconsistent, "the registry entry %q is about %q", r.at(name.path), found.Workspace)
	}
	return found.Store, true, nil
}

// Set makes storeRoot, an absolute path, the store of the workspace. The
// caller holds the workspace lease and has not yet published its claim: an
// entry may name a store without a claim, but no claim may stand in a store
// that the registry does not name. The errors are those of [Store.Replace].
func (r *Registry) Set(workspace, storeRoot string) error {
	if !filepath.IsAbs(workspace) || !filepath.IsAbs(storeRoot) {
		return fault.New(fault.Usage, "the registry takes absolute paths, not %q and %q", workspace, storeRoot)
	}
	name := registryEntry(workspace)
	text, err := canon.Encode(entry{registryContract, filepath.Clean(storeRoot), workspace})
	if err != nil {
		return fault.New(fault.UnsafePath, "the paths %q and %q are not valid UTF-8", workspace, storeRoot)
	}
	if len(text) > name.bound {
		return fault.New(fault.OverBound, "the registry entry of %q would have %d bytes and may have %d", workspace, len(text), name.bound)
	}
	return r.replace(name, text)
}

// WorkspaceLease takes the lease of the workspace, given by its canonical
// path, across all stores of this user; see [Store.JobLease].
func (r *Registry) WorkspaceLease(ctx context.Context, workspace string, wait time.Duration) (*Lease, error) {
	below := canon.DigestText(workspace).Hex()
	return r.lease(ctx, below, "the workspace "+strconv.Quote(workspace), r.holder, wait)
}
