//go:build linux || darwin

package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/git-algal/git-algal/internal/fault"
)

// A whereLedger is one ledger. The counts are null where it cannot be read.
type whereLedger struct {
	Name      string `json:"name"`
	Unsettled *int   `json:"unsettled"` // operations without an outcome
	AtWork    *int   `json:"atWork"`    // of these, those with a live supervisor
}

// addLedgers lists the ledgers of the embedded adapter. One that cannot be read
// is listed, too, and why is said.
func (d *whereDocument) addLedgers(in *invocation) error {
	folder, err := in.ledgerDirectory()
	if err != nil {
		return err
	}
	d.LedgerFolder, d.Ledgers = placeAt(folder), []whereLedger{}
	entries, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fault.New(fault.HostFailed, "the ledgers in %q cannot be listed: %w", folder, err)
	}
	for _, entry := range entries { // sorted
		l := whereLedger{}
		l.Name, _ = jsonPath(entry.Name())
		if unsettled, err := in.unsettledIn(filepath.Join(folder, entry.Name())); err != nil {
			in.warn("%v", err)
		} else {
			all, atWork := len(unsettled), 0
			for _, a := range unsettled {
				if a.Held {
					atWork++
				}
			}
			l.Unsettled, l.AtWork = &all, &atWork
		}
		d.Ledgers = append(d.Ledgers, l)
	}
	return nil
}

func (l whereLedger) text() string {
	switch {
	case l.Unsettled == nil:
		return ", cannot be read"
	case *l.Unsettled == 0:
		return ""
	}
	return fmt.Sprintf(", %d without an outcome, %d of them at work", *l.Unsettled, *l.AtWork)
}
