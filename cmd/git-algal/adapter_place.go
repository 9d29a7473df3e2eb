//go:build linux || darwin

package main

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/state"
)

// adapterPlaces are where an adapter of the person's own is kept.
type adapterPlaces struct {
	name   string
	folder string
	file   string // in folder
	ledger string // for git-algal itself; another adapter has its own
}

func (e environment) adapterPlaces(name string) (adapterPlaces, error) {
	folder, err := e.adapterDirectory()
	if err != nil {
		return adapterPlaces{}, err
	}
	ledgers, err := e.ledgerDirectory()
	if err != nil {
		return adapterPlaces{}, err
	}
	return adapterPlaces{name, folder, filepath.Join(folder, name+".json"), filepath.Join(ledgers, name)}, nil
}

// outside refuses places in the checkout around the working directory, where
// an agent could change what is executed or what is remembered.
func (pl adapterPlaces) outside(e environment) error {
	root, common := e.surroundingCheckout()
	if root == "" {
		return nil
	}
	for _, path := range []string{pl.folder, pl.ledger} {
		for _, dir := range []string{root, common} {
			if within(dir, path) || within(dir, existingPart(path)) {
				return fault.New(fault.AdapterPlacement, "%q lies inside the checkout %q, where an agent that works there can change it", path, root).
					WithNext("set XDG_CONFIG_HOME and XDG_STATE_HOME to directories outside of it")
			}
		}
	}
	return nil
}

// existingPart returns the nearest directory of a path that is there, without
// symbolic links.
func existingPart(path string) string {
	for {
		if resolved, err := filepath.EvalSymlinks(path); err == nil {
			return resolved
		}
		path = filepath.Dir(path)
	}
}

// read returns the adapter that is kept, or fault.Missing.
func (pl adapterPlaces) read() (operation.Adapter, error) {
	text, err := readConfiguration("adapter", pl.file)
	if fault.Is(err, fault.Missing) {
		return operation.Adapter{}, fault.New(fault.Missing, "no adapter is called %q: there is no %q", pl.name, pl.file).
			WithNext("git algal adapter list")
	}
	if err != nil {
		return operation.Adapter{}, err
	}
	return operation.ParseAdapter(text)
}

// keep publishes the adapter's configuration, durably, or finds it there. An
// adapter of that name which is another one is fault.RecordConflict.
//
//	create, write, fsync(temporary), link(file), fsync(folder), unlink(temporary)
func (pl adapterPlaces) keep(fsys state.FS, a operation.Adapter) error {
	text, err := a.Format()
	if err != nil {
		return err
	}
	failed := func(err error) error {
		return fault.New(fault.HostFailed, "the adapter cannot be kept in %q: %w", pl.folder, err)
	}
	const private = 0o700
	if err := os.MkdirAll(pl.folder, private); err != nil {
		return failed(err)
	}
	folder, err := fsys.OpenAncestor(pl.folder)
	if err != nil {
		return failed(err)
	}
	defer folder.Close()
	nonce := fsys.Nonce()
	temporary := ".tmp-" + hex.EncodeToString(nonce[:])
	if err := writeSynced(folder, temporary, text); err != nil {
		return failed(errors.Join(err, ignoreMissing(folder.Remove(temporary))))
	}
	linked := folder.Link(temporary, filepath.Base(pl.file))
	if err := errors.Join(folder.Sync(), folder.Remove(temporary)); err != nil {
		return failed(err)
	}
	if errors.Is(linked, fs.ErrExist) {
		return pl.sameAs(text)
	}
	if linked != nil {
		return failed(linked)
	}
	return nil
}

// sameAs refuses another adapter under the name.
func (pl adapterPlaces) sameAs(text []byte) error {
	kept, err := readConfiguration("adapter", pl.file)
	if err != nil {
		return err
	}
	if !bytes.Equal(kept, text) {
		return fault.New(fault.RecordConflict, "adapter %q is there, and is another one", pl.name).
			WithNext("git algal adapter show %s; remove it, or choose another name", pl.name)
	}
	return nil
}

func writeSynced(dir state.Dir, name string, text []byte) error {
	file, err := dir.Create(name)
	if err != nil {
		return err
	}
	_, written := file.Write(text)
	return errors.Join(written, file.Sync(), file.Close())
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// forget takes the adapter's configuration away, durably. The ledger stays.
func (pl adapterPlaces) forget(fsys state.FS) error {
	folder, err := fsys.OpenAncestor(pl.folder)
	if err == nil {
		defer folder.Close()
		if err = folder.Remove(filepath.Base(pl.file)); err == nil {
			err = folder.Sync()
		}
	}
	if err != nil {
		return fault.New(fault.HostFailed, "adapter %q cannot be removed: %w", pl.name, err)
	}
	return nil
}

// keptAdapter returns an adapter of the person's own configuration, and where
// it is kept. Errors are fault.Usage, and those of reading.
func (e environment) keptAdapter(name string) (operation.Adapter, adapterPlaces, error) {
	if err := checkAdapterName(name); err != nil {
		return operation.Adapter{}, adapterPlaces{}, err
	}
	places, err := e.adapterPlaces(name)
	if err != nil {
		return operation.Adapter{}, adapterPlaces{}, err
	}
	a, err := places.read()
	return a, places, err
}
