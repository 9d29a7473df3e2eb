package state

import (
	"path"
	"strings"

	"github.com/git-algal/git-algal/internal/canon"
)

// Bounds of a ledger's records in bytes of their canonical form.
const (
	MaxLedgerBytes   = 4_096   // ledger.json: identities and numbers
	MaxAdmittedBytes = 65_536  // admitted.json: two paths of 4,096 bytes, escaped at worst, and a binding
	MaxStartBytes    = 131_072 // start.json: what identifies a process tree, its paths included
	MaxMarkBytes     = 16_384  // stopping.json and unresolved.json: a time and a sentence

	// MaxTerminalBytes bounds terminal.json: the outcome as a value, of at
	// most MaxCarriedBytes, and how it came about.
	MaxTerminalBytes = MaxCarriedBytes + MaxMarkBytes
)

// Names of directories and files of a ledger below its root.
const (
	operationsDir = "operations"

	ledgerFile     = "ledger.json"
	admittedFile   = "admitted.json"
	startFile      = "start.json"
	stoppingFile   = "stopping.json"
	unresolvedFile = "unresolved.json"
	terminalFile   = "terminal.json"
)

// LedgerIdentity names the record that says whose a ledger is.
func LedgerIdentity() Name { return Name{path: ledgerFile, bound: MaxLedgerBytes} }

// Admitted names the admission of an operation by its key, the digest over
// its authority and operation ids; its directory is the operation.
func Admitted(key canon.Digest) Name { return operationRecord(key, admittedFile, MaxAdmittedBytes) }

// Start names the one record that says either that an operation is being
// launched or that it never was. Of all its writers one wins.
func Start(key canon.Digest) Name { return operationRecord(key, startFile, MaxStartBytes) }

// Stopping names the order to stop an operation.
func Stopping(key canon.Digest) Name { return operationRecord(key, stoppingFile, MaxMarkBytes) }

// Unresolved names the record that nothing could be proven of an operation.
func Unresolved(key canon.Digest) Name { return operationRecord(key, unresolvedFile, MaxMarkBytes) }

// Concluded names the terminal record of an operation.
func Concluded(key canon.Digest) Name { return operationRecord(key, terminalFile, MaxTerminalBytes) }

func operationRecord(key canon.Digest, file string, bound int) Name {
	return digested(key, path.Join(operationDir(key), file), bound)
}

func operationDir(key canon.Digest) string { return path.Join(operationsDir, key.Hex()) }

// LedgerPath reports whether a path below the root, with slashes, has a place
// in a ledger's layout, temporaries included.
func LedgerPath(below string) bool {
	parts := strings.Split(below, "/")
	last := parts[len(parts)-1]
	temporary := isTemporary(last)
	switch {
	case len(parts) == 1:
		return temporary || last == ledgerFile
	case len(parts) == 2 && parts[0] == valuesDir:
		return temporary || isDigestName(last, jsonSuffix)
	case len(parts) == 2 && parts[0] == leasesDir:
		return isDigestName(last, lockSuffix)
	case len(parts) == 3 && parts[0] == operationsDir && isDigestName(parts[1], ""):
		switch last {
		case admittedFile, startFile, stoppingFile, unresolvedFile, terminalFile:
			return true
		}
		return temporary || Stream(last).valid()
	}
	return false
}

func isDigestName(name, suffix string) bool {
	hexDigits, ok := strings.CutSuffix(name, suffix)
	_, valid := parseHex(hexDigits)
	return ok && valid
}
