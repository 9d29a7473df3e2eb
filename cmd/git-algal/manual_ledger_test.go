//go:build linux || darwin

package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/operation/local"
	"github.com/git-algal/git-algal/operation/local/custody"
	"github.com/git-algal/git-algal/operation/local/definition"
	"github.com/git-algal/git-algal/state"
)

// addLedger takes the records of a ledger, with all that they can have:
// machines differ in what they give.
func (k keptRecords) addLedger(t *testing.T) {
	t.Helper()
	const at = local.Moment("2026-01-02T03:04:05Z")
	binding := operation.Binding{OperationID: "op", AuthorityID: "ledger", RequestDigest: canon.DigestText("x")}
	tree := custody.Identity{
		Machine: "m", Boot: "b", Mechanisms: []custody.Mechanism{custody.Namespace, custody.Cgroup},
		PIDNamespace: "pid:[1]", CgroupNamespace: "cgroup:[1]", InitPID: 2, InitInode: "3",
		CgroupMount: "/sys/fs/cgroup", CgroupMountInode: "1", CgroupPath: "/sys/fs/cgroup/a", CgroupInode: "4",
	}
	older := tree
	older.InitInode, older.InitStart = "", "5"
	outcome, err := operation.NewTerminal(binding, 3, canon.DigestText("x"), operation.Completed, "done")
	if err != nil {
		t.Fatal(err)
	}
	status, kept := 0, &local.Kept{Digest: canon.DigestText("x")}
	for _, record := range []interface{ Format() ([]byte, error) }{
		local.Identity{Authority: "ledger", Machine: "m", Made: state.Incarnation{Root: 1, Operations: 2}},
		definition.Definition{
			Contract: definition.Contract, Executable: "/a", Environment: map[string]string{"A": "a"}, RuntimeMs: 1_000,
			Prompt: definition.Stdin, Writable: []string{"lfs"}, Recipe: "claude",
		},
		local.Admission{
			Contract: local.AdmissionContract, Binding: binding, Machine: "m", At: at, By: local.BySubmit, Work: local.ProcessTree,
			Run: &local.Run{
				Definition: canon.DigestText("x"), Workspace: "/w", GitDirectory: "/w/.git", Prompt: canon.DigestText("x"),
				RuntimeMs: 1, MaxOutputBytes: operation.MinOutputBytes,
				Custody: custody.Found{
					Mechanisms: []custody.Mechanism{custody.Namespace}, Missing: []custody.Lack{{Of: "cgroup", Why: "none", Remedy: "none"}},
				},
			},
		},
		local.Start{Contract: local.StartContract, Tree: &tree}, local.Start{Contract: local.StartContract, Tree: &older},
		local.Mark{Contract: local.StoppingContract, At: at}, local.Mark{Contract: local.UnresolvedContract, At: at},
		local.Conclusion{
			By: local.BySupervisor, At: at, Reason: "it ended", Exit: &local.Exit{Status: &status}, Stdout: kept, Stderr: kept, Outcome: outcome,
		},
		local.Conclusion{
			By: local.BySupervisor, At: at, Reason: "it ended", Exit: &local.Exit{Signal: "SIGKILL"}, Stdout: kept, Stderr: kept, Outcome: outcome,
		},
	} {
		text, err := record.Format()
		if err != nil {
			t.Fatalf("%T: %v", record, err)
		}
		k.add(t, fmt.Sprintf("%T", record), text)
	}
}

// TestManualHasTheLedger holds the names of git-algal-adapter(7) to those of
// package state.
func TestManualHasTheLedger(t *testing.T) {
	key := canon.DigestText("an operation")
	program := []string{"values/HEX.json", "leases/HEX.lock"}
	for _, name := range []state.Name{
		state.LedgerIdentity(), state.Admitted(key), state.Start(key), state.Stopping(key), state.Unresolved(key), state.Concluded(key),
	} {
		program = append(program, strings.ReplaceAll(name.String(), key.Hex(), "HEX"))
	}
	for _, stream := range []state.Stream{state.Prompt, state.Stdout, state.Stderr, state.Supervisor} {
		program = append(program, "operations/HEX/"+string(stream))
	}
	documented := itemArgs("Pa", openManualPage(t, "git-algal-adapter.7").sections["THE LEDGER"])
	documented = slices.DeleteFunc(documented, func(name string) bool { return name == "," })
	compareSets(t, "ledger", program, documented)
}
