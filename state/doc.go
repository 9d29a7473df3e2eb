// Package state keeps the records of jobs on disk. It knows their names, their
// bounds and how each becomes durable, and nothing of what they mean.
//
// This comment is the specification of the store (contract section 3).
//
// # Layout
//
// A store is one directory. HEX is a digest without its "sha256:", NNNN a
// number from 0001.
//
//	coding-jobs/HEX/intent.json                  what was admitted; HEX is the job
//	coding-jobs/HEX/started.json                 the launch marker, never cleared
//	coding-jobs/HEX/result.json                  the initial result of the host
//	coding-jobs/HEX/observations/NNNN.json       retained outcomes, to 0016
//	coding-jobs/HEX/settlement.json              the terminal result and the patch
//	coding-jobs/HEX/resolution.json              the result of a reconciliation
//	coding-jobs/HEX/control.json                 what decided git's answers at admission
//	coding-jobs/HEX/control-after.json           the same at the capture
//	coding-jobs/HEX/validations/NNNN-start.json  a validation's start, to 0064
//	coding-jobs/HEX/validations/NNNN-end.json    its end
//	coding-operations/HEX.json                   a reservation, by its key
//	coding-workspaces/HEX/claim.json             a claim, by the workspace's path
//	values/HEX.json                              a value, by its own digest
//	leases/job-HEX.lock, leases/admission.lock   locks, and *.note for people
//
// Directories are made with 0700 and files with 0600, whatever the umask.
// Every record is one JSON value in canonical form, without a newline, within
// the bound of its [Name]. control.json, control-after.json, validations and
// leases are git-algal's own; a store that another host wrote lacks them.
//
// # Publication
//
// An immutable record is published by [Store.Create]:
//
//  1. Over its bound, it is refused.
//  2. Missing directories are made, and each new one is synced into the one
//     above it, from the store's own root, and what had to be made above that,
//     downwards.
//  3. If the record is there, canonical bytes decide: equal is done, after one
//     more sync of the directory; anything else is a conflict.
//  4. The bytes are written to a new file ".tmp-" and 48 random hex digits in
//     the same directory, which is synced and closed.
//  5. link(2) gives it the record's name without replacing. This is the moment
//     of publication: of any number of writers one succeeds, and the others go
//     to step 3.
//  6. The directory is synced. This is the promise: the record survives.
//  7. The temporary name is removed.
//
// [Store.Replace] publishes the three records that may change: claim.json,
// control.json until started.json exists, control-after.json until
// settlement.json exists. Instead of step 5 it renames the temporary over the
// record, and there is no step 7.
//
// [Store.Put] publishes a value under its digest. [Store.Get] hashes what it
// reads; a value of another digest is an error and stays as it is.
//
// # After a crash
//
// A record is there whole or not at all, and repeating the operation completes
// it. That a record or a directory is there proves that its content was
// synced, and not that its name was: its writer may have been killed before
// step 6. So step 2 syncs the directories on the way once per opened store,
// and step 3 the directory, before anything is called done. Who publishes a
// record because of another one that it has read calls [Store.MakeDurable]
// with that first: else a loss of power could leave the later one alone.
// Temporaries that are left over are never read and never counted.
//
// After a failed sync nobody knows what the system still holds, and a later
// sync may succeed without having saved it. Every further durable operation,
// leases included, on that [Store] or [Registry] is then refused; reading goes
// on, and opening it again looks at what is there.
//
// # Reading
//
// Every component from the root down is opened by descriptor, relative to the
// one above it, without following symbolic links and without waiting for a
// FIFO. Symbolic links, entries of the wrong kind, of another user than this
// one and root, or that everybody may write to are refused, and so is a record
// over its bound. Other permission bits decide nothing. Above the root,
// symbolic links are followed. A record that is valid and not canonical is
// read as it is.
//
// Listings refuse names that have no place. The recorded host kept lease and
// owner files in the directories of jobs and workspaces, which are never
// listed, and may have left a ".lock" in a listed one, which is passed over.
//
// # Leases
//
// A [Lease] is an flock(2) lock on a file that is never deleted, held on a
// descriptor that no child inherits; the end of the process frees it. Its
// note, {command, host, pid, since}, is for people and may be missing or
// outdated. Leases are taken in the order job, workspace, admission.
//
// The [Registry] is a directory of the user, not of a store:
//
//	HEX.lock, HEX.note  the lease of the workspace; HEX is the digest over its path
//	HEX.json            {contract: "git-algal.registry.v1", store, workspace}
//
// HEX.json is replaced under the lease before a claim is published.
//
// # Ledgers
//
// A [Ledger] is a directory of its own, kept by an authority beside any
// store, and published, read and refused by the same rules.
//
//	ledger.json                     whose ledger this is
//	operations/HEX/admitted.json    an admission; HEX is the operation's key
//	operations/HEX/start.json       launching, or never launched: one of the two
//	operations/HEX/stopping.json    the order to stop
//	operations/HEX/unresolved.json  nothing could be proven
//	operations/HEX/terminal.json    the outcome, for good
//	operations/HEX/prompt, stdout, stderr, supervisor
//	                                streams: no records, and torn by a crash
//	values/HEX.json                 values
//	leases/HEX.lock                 the lease of an operation
//
// That lease is handed from one process to its child ([Baton]), and so is the
// one lock whose descriptor is inherited, by that child alone.
//
// # What the file system must give
//
// link(2) and rename(2) are atomic; fsync(2) of a file makes its content
// durable, of a directory the names in it, on macOS fcntl(2) with
// F_FULLFSYNC; flock(2) excludes all processes that can write. Network and
// shared file systems, which promise none of this, are refused by name.
//
// All of it goes through [FS], the seam at which tests crash and fail
// (internal/faultfs). Errors carry a condition of package internal/fault.
package state
