//go:build linux || darwin

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/gittest"
	"github.com/git-algal/git-algal/jobs"
)

// ends runs the program, which must end with the status, and returns its
// stdout.
func (p person) ends(tb testing.TB, status int, args ...string) string {
	tb.Helper()
	exit, stdout := exitStatus(tb, p.command("git-algal", args...))
	if exit != status {
		tb.Fatalf("git-algal %q ends with %d, not %d: %s", args, exit, status, stdout)
	}
	return stdout
}

// fourJobs leaves one job of each status, called by it, in the store.
func (p person) fourJobs(tb testing.TB, store string) {
	tb.Helper()
	order := func(verb, name string) []string {
		return []string{verb, "--store", store, "--adapter", "agent", "-m", "a wish", "--operation-id", name}
	}
	p.ends(tb, exitDone, order("prepare", "prepared")...)
	for _, job := range []struct {
		name, work string
		status     int
	}{
		{"completed", "submit completes\nwrite a.txt changed\n", exitDone},
		{"failed", "submit failed\n", exitUnsuccess},
		{"uncertain", "submit lost\n", exitUncertain},
	} {
		p.write(tb, p.work, job.work)
		p.ends(tb, job.status, order("run", job.name)...)
		if out, err := p.command("git", "checkout", "-q", "--", ".").CombinedOutput(); err != nil {
			tb.Fatalf("%v: %s", err, out)
		}
	}
}

// serve starts the program as the server of a job, without a git or anything
// else to call, and returns the SDK's client of it.
func (p person) serve(tb testing.TB, store, job string) *mcp.ClientSession {
	tb.Helper()
	cmd := p.command("git-algal", "mcp", "--job", job, "--store", store)
	cmd.Dir, cmd.Env = "/", append(cmd.Env, "PATH=/nonexistent")
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "v1"}, nil)
	session, err := client.Connect(tb.Context(), &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := session.Close(); err != nil {
			tb.Errorf("the server of %s: %v", job, err)
		}
	})
	return session
}

// observed calls the only tool and returns its text.
func observed(tb testing.TB, session *mcp.ClientSession) (text string, isError bool) {
	tb.Helper()
	result, err := session.CallTool(tb.Context(), &mcp.CallToolParams{Name: jobs.ObserveTool})
	if err != nil || len(result.Content) != 1 {
		tb.Fatalf("%+v, %v", result, err)
	}
	return result.Content[0].(*mcp.TextContent).Text, result.IsError
}

func TestMCP(t *testing.T) {
	p := newPerson(t, "")
	p.commit(t)
	store := filepath.Join(filepath.Dir(p.home), "store")
	p.fourJobs(t, store)
	before, starts := gittest.Take(t, store), p.starts(t)

	sessions := map[jobs.Status]*mcp.ClientSession{}
	for _, status := range []jobs.Status{jobs.Prepared, jobs.Uncertain, jobs.Completed, jobs.Failed} {
		session := p.serve(t, store, "op:"+string(status))
		sessions[status] = session
		list, err := session.ListTools(t.Context(), nil)
		if err != nil || len(list.Tools) != 1 || list.Tools[0].Name != jobs.ObserveTool || !list.Tools[0].Annotations.ReadOnlyHint {
			t.Fatalf("%s: %+v, %v", status, list, err)
		}
		text, isError := observed(t, session)
		if want := strings.TrimSuffix(p.ends(t, exitDone, "observe", "--store", store, "op:"+string(status)), "\n"); isError || text != want {
			t.Errorf("%s: the tool says %s, not %s", status, text, want)
		}
		if len(text) > jobs.MaxObserveBytes || strings.Contains(text, "a wish") {
			t.Errorf("%s: %s", status, text)
		}
		answer, err := canon.Decode[struct {
			Done        string `json:"done"`
			Observation struct {
				Contract     string       `json:"contract"`
				JobID        canon.Digest `json:"jobId"`
				Status       jobs.Status  `json:"status"`
				ExpectedHead string       `json:"expectedHead"`
				Result       *jobs.Result `json:"result,omitzero"`
				Reason       string       `json:"reason,omitzero"`
			} `json:"observation"`
		}]([]byte(text))
		if err != nil || answer.Observation.Status != status || (answer.Done == "done") != status.Settled() {
			t.Errorf("%s: %s, %v", status, text, err)
		}
		configuration, err := jobs.ObserveConfiguration(store, answer.Observation.JobID)
		if err != nil || list.Tools[0].Meta[configurationMeta] != string(configuration) {
			t.Errorf("%s: configuration %v, not %s (%v)", status, list.Tools[0].Meta, configuration, err)
		}
	}
	if lines := before.Diff(gittest.Take(t, store)); len(lines) > 0 || p.starts(t) != starts {
		t.Errorf("observing changes the store: %q", lines)
	}
	if _, err := os.Stat(filepath.Join(p.ledger, "lookups")); !os.IsNotExist(err) {
		t.Errorf("observing calls the adapter: %v", err)
	}

	// The tool says what the records say now, not what they said at its start.
	p.ends(t, exitDone, "reconcile", "--store", store, "uncertain")
	if text, isError := observed(t, sessions[jobs.Uncertain]); isError || !strings.Contains(text, `"done":"done"`) {
		t.Errorf("after the reconciliation: %s", text)
	}
	intent := filepath.Join(store, "coding-jobs", jobOf(t, sessions[jobs.Failed]).Hex(), "intent.json")
	if err := os.Chmod(intent, 0o666); err != nil {
		t.Fatal(err)
	}
	if text, isError := observed(t, sessions[jobs.Failed]); !isError || !strings.HasSuffix(text, " [IO_FAILED]") {
		t.Errorf("of a broken record: %s", text)
	}
}

// jobOf returns the job that a server observes.
func jobOf(tb testing.TB, session *mcp.ClientSession) canon.Digest {
	tb.Helper()
	text, _ := observed(tb, session)
	_, rest, _ := strings.Cut(text, `"jobId":"`)
	id, _, _ := strings.Cut(rest, `"`)
	job, err := canon.ParseDigest(id)
	if err != nil {
		tb.Fatalf("%s: %v", text, err)
	}
	return job
}
