package jobs_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/git-algal/git-algal/gitplumb"
	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/jobs"
	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/operation/command"
	"github.com/git-algal/git-algal/state"
)

// A life is one recorded store scenario.
type life struct {
	Scenario, Workspace, Store, Recipe, Head string
	Submits, Observes                        int
	WireRequests                             map[string]string
	AdapterProgram, XCBProgram, XCBStdin     string
	XCBArgv                                  []string
	WhileSubmitting                          json.RawMessage
	Steps                                    []step
	FinalStore                               struct {
		Directories []string
		Files       map[string]string
	}
	preamble string
}

type step struct {
	Step         string
	Input        json.RawMessage
	Returns      json.RawMessage
	Error        *struct{ Code string }
	AdapterCalls []struct {
		Action         operation.Action
		PayloadDigest  canon.Digest
		TimeoutMs      int64
		MaxOutputBytes int
		Reply          json.RawMessage
	}
	StoreAdded   map[string]string
	StoreChanged map[string]string
	StoreRemoved []string
}

func readLives(t *testing.T) []life {
	files, err := filepath.Glob("../testdata/vectors/stores/*.json")
	if err != nil {
		t.Fatal(err)
	}
	var lives []life
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var document struct {
			Preamble string
			Cases    []life
		}
		if err := json.Unmarshal(text, &document); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for _, l := range document.Cases {
			l.preamble = document.Preamble
			lives = append(lives, l)
		}
	}
	if len(lives) < 100 {
		t.Fatalf("only %d lives are recorded", len(lives))
	}
	return lives
}

// TestStoreLives replays every recorded life and compares what each step
// returns, which calls reach the adapter and what each step writes.
func TestStoreLives(t *testing.T) {
	for _, l := range readLives(t) {
		t.Run(l.Scenario, func(t *testing.T) {
			t.Parallel()
			if strings.Contains(l.AdapterProgram, "python3") {
				if _, err := exec.LookPath("python3"); err != nil {
					t.Skip("the recorded adapter is a python3 program; .ci/run installs python3")
				}
			}
			r := newReplay(t, l)
			for i, s := range l.Steps {
				r.run(i, s)
			}
			r.compareWorkerCall()
			if r.submits != l.Submits || r.observes != l.Observes {
				t.Errorf("%d submits and %d observes, recorded are %d and %d", r.submits, r.observes, l.Submits, l.Observes)
			}
		})
	}
}

// A replay carries a life out in a directory of its own. Paths, inodes and the
// digests over them differ from the recorded ones: names maps each recorded
// text to ours, growing as they become known.
type replay struct {
	t         *testing.T
	life      life
	root      string
	workspace string
	store     string
	service   *jobs.Service
	names     []string          // pairs: recorded, ours
	admitted  *jobs.Options     // of the first preparation that succeeded
	files     map[string]string // of the store, ours left out
	step      step
	submits   int
	observes  int
	// identities holds the device and inode of each workspace as it was when a
	// step first met it.
	identities map[string]jobs.WorkspaceIdentity
}

func newReplay(t *testing.T, l life) *replay {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r := &replay{t: t, life: l, root: root, workspace: filepath.Join(root, "workspace"), store: filepath.Join(root, "store")}
	recordedRoot := filepath.Dir(l.Workspace)
	r.names = []string{recordedRoot, root}
	r.name(canon.DigestText(l.Workspace).Hex(), canon.DigestText(r.workspace).Hex())
	for _, dir := range []string{r.workspace, r.store} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(r.workspace, 0o755); err != nil {
		t.Fatal(err)
	}
	r.identities = map[string]jobs.WorkspaceIdentity{}
	if l.XCBProgram != "" {
		if err := os.WriteFile(filepath.Join(root, "xcb"), []byte(r.ours(l.XCBProgram)), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	r.shell(r.workspace, l.Recipe)
	if r.service, err = r.open(r.store); err != nil {
		t.Fatal(err)
	}
	r.files = r.storeFiles()
	return r
}

// open returns a service on the store at root, as another process would.
func (r *replay) open(root string) (*jobs.Service, error) {
	r.t.Helper()
	git, err := gitplumb.FindGit(r.t.Context(), exec.LookPath, []string{"PATH=" + os.Getenv("PATH"), "HOME=" + r.root, "GIT_CONFIG_NOSYSTEM=1"})
	if err != nil {
		r.t.Fatal(err)
	}
	store, err := state.Open(state.OS(), root)
	if err != nil {
		return nil, err
	}
	registry, err := state.OpenRegistry(state.OS(), filepath.Join(r.root, "registry"))
	if err != nil {
		r.t.Fatal(err)
	}
	return &jobs.Service{FS: state.OS(), Store: store, Registry: registry, Checkouts: jobs.OnGit(git), Transport: r.transport,
		WorkerEnv: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + r.root}}, nil
}

func (r *replay) name(recorded, ours string) {
	if recorded != ours && recorded != "" {
		r.names = append(r.names, recorded, ours)
	}
}

// ours returns the recorded text with our names in it.
func (r *replay) ours(recorded string) string {
	return strings.NewReplacer(r.names...).Replace(recorded)
}

// shell runs a recorded script with the recorded preamble.
func (r *replay) shell(dir, script string) string {
	r.t.Helper()
	cmd := exec.CommandContext(r.t.Context(), "bash", "-c", "set -e\n"+r.life.preamble+"\n"+r.ours(script))
	cmd.Dir = dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + r.root}
	var out, diagnostics bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &diagnostics
	if err := cmd.Run(); err != nil {
		r.t.Fatalf("script %q: %v\n%s", script, err, diagnostics.String())
	}
	return out.String()
}

func (r *replay) run(i int, s step) {
	r.t.Helper()
	r.step = s
	d := differences[r.life.Scenario][i]
	var input struct {
		JobID, Store, In, Script, Command, Note string
		Submit                                  *struct {
			WorkerEdit, AdapterThrows string
			AdapterNeverReplies       bool
		}
	}
	if err := json.Unmarshal(s.Input, &input); err != nil {
		r.t.Fatal(err)
	}
	job := canon.Digest(r.ours(input.JobID))
	ctx := r.t.Context()
	var snap jobs.Snapshot
	var text []byte
	var err error
	switch name, _, _ := strings.Cut(s.Step, " ("); name {
	case "shell":
		dir := r.workspace
		if input.In == "store" {
			dir = r.store
			// The recorded host's lease had made the claim's directory.
			claims := filepath.Join(r.store, "coding-workspaces", canon.DigestText(r.workspace).Hex())
			if err := os.MkdirAll(claims, 0o700); err != nil {
				r.t.Fatal(err)
			}
		}
		r.shell(dir, input.Script)
		r.files = r.storeFiles()
		return
	case "git":
		if got := r.shell(r.workspace, input.Command); got != unquote(r.t, s.Returns) {
			r.t.Errorf("step %d: git says %q, recorded is %s", i, got, s.Returns)
		}
		return
	case "prepare", "prepareOperation":
		parse := jobs.ParseOptions
		if name == "prepare" {
			parse = jobs.ParseOptionsV1
		}
		service, options := r.service, jobs.Options{}
		if input.Store != "" {
			options = *r.admitted
			service, err = r.open(r.ours(input.Store))
		} else {
			options, err = parse([]byte(r.ours(string(generatedText(r.t, s.Input)))))
		}
		if err == nil {
			snap, err = service.Prepare(ctx, options)
		}
		if err == nil && r.admitted == nil {
			r.admitted = &options
		}
		r.learn(s.Returns, snap)
	case "inspect":
		snap, err = r.service.Inspect(job)
	case "run":
		snap, err = r.service.Run(ctx, job)
		r.learn(s.Returns, snap)
	case "reconcile":
		if input.Note != "" {
			cancelled, cancel := context.WithCancel(ctx)
			cancel()
			ctx = cancelled
		}
		snap, err = r.service.Reconcile(ctx, job)
		r.learn(s.Returns, snap)
	case "verifyWorkspace":
		var v jobs.Verification
		v, err = r.service.Verify(ctx, job)
		if v.Verified != (err == nil) {
			r.t.Errorf("step %d: verified %v beside error %v", i, v.Verified, err)
		}
		text = []byte("null")
	case "tool":
		text, err = r.service.Observe(job)
	default:
		r.t.Fatalf("step %q is unknown", s.Step)
	}
	if err == nil && text == nil {
		text = snapshotText(r.t, snap)
	}
	r.compareReturn(i, s, d, text, err)
	r.compareFiles(i, s, d)
}

// learn maps the recorded digests that a step returned to ours.
func (r *replay) learn(recorded json.RawMessage, snap jobs.Snapshot) {
	var want struct {
		JobID  string
		Intent struct {
			WorkspaceIdentity jobs.WorkspaceIdentity
			Operation         struct{ RequestDigest canon.Digest }
		}
		Result struct{ OutputRef, PatchRef canon.Digest }
	}
	if recorded == nil || json.Unmarshal(recorded, &want) != nil || snap.JobID == "" {
		return
	}
	r.name(canon.Digest(want.JobID).Hex(), snap.JobID.Hex())
	r.name(want.Intent.Operation.RequestDigest.Hex(), snap.Intent.Operation.RequestDigest.Hex())
	if snap.Result == nil {
		return
	}
	if r.life.AdapterProgram != "" { // its outcome is recorded as its reference alone
		r.name(want.Result.OutputRef.Hex(), snap.Result.OutputRef.Hex())
	}
	if _, differs := patchTextDiffers[r.life.Scenario]; differs {
		r.name(want.Result.PatchRef.Hex(), snap.Result.PatchRef.Hex())
	}
}

func (r *replay) compareReturn(i int, s step, d difference, text []byte, err error) {
	r.t.Helper()
	wantCode := ""
	if s.Error != nil {
		wantCode = s.Error.Code
	}
	if d.code != "" {
		wantCode = string(d.code)
	}
	if wantCode != "" && !d.succeeds {
		if string(fault.CodeOf(err)) != wantCode {
			r.t.Errorf("step %d, %s: code is %q (%v), want %q", i, s.Step, fault.CodeOf(err), err, wantCode)
		}
		return
	}
	if err != nil {
		r.t.Errorf("step %d, %s: %v [%s]", i, s.Step, err, fault.CodeOf(err))
		return
	}
	if d.reason != "" || d.succeeds {
		if !strings.Contains(string(text), d.contains) {
			r.t.Errorf("step %d, %s: returned %s, want %q in it", i, s.Step, text, d.contains)
		}
		return
	}
	if !bytes.Contains(s.Returns, []byte(`"intent"`)) {
		text = withoutIntent(r.t, text)
	}
	if want := r.canonicalOurs(string(s.Returns)); string(text) != want {
		r.t.Errorf("step %d, %s: returned\n%s, want\n%s", i, s.Step, text, want)
	}
}

// canonicalOurs returns the recorded JSON with our names, device and inode in
// it, in canonical form.
func (r *replay) canonicalOurs(recorded string) string {
	r.t.Helper()
	if recorded == "" {
		return ""
	}
	var document any
	if err := json.Unmarshal([]byte(r.ours(recorded)), &document); err != nil {
		return r.ours(recorded)
	}
	r.setIdentity(document)
	text, err := json.Marshal(document)
	if err != nil {
		r.t.Fatal(err)
	}
	canonical, err := canon.Canonicalize(text)
	if err != nil {
		r.t.Fatal(err)
	}
	return string(canonical)
}

// compareFiles holds what the step added and changed against the record.
func (r *replay) compareFiles(i int, s step, d difference) {
	r.t.Helper()
	now := r.storeFiles()
	before := r.files
	r.files = now
	if d.filesDiffer {
		return
	}
	want := map[string]string{}
	for _, recorded := range []map[string]string{s.StoreAdded, s.StoreChanged} {
		for path, text := range recorded {
			want[r.ours(path)] = r.canonicalOurs(text)
		}
	}
	for path, text := range now {
		if earlier, ok := before[path]; ok && earlier == text {
			continue
		}
		expected, ok := want[path]
		delete(want, path)
		if !ok {
			r.t.Errorf("step %d, %s: wrote %s, which is not recorded", i, s.Step, path)
			continue
		}
		if withoutPatchText(r.life.Scenario, text) != withoutPatchText(r.life.Scenario, expected) {
			r.t.Errorf("step %d, %s: %s holds\n%s, recorded is\n%s", i, s.Step, path, text, expected)
		}
	}
	for path := range want {
		r.t.Errorf("step %d, %s: did not write %s", i, s.Step, path)
	}
}

// storeFiles returns the files of the store that another host would write too.
func (r *replay) storeFiles() map[string]string {
	r.t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(r.store, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(r.store, path)
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if rel == "leases" {
				return filepath.SkipDir
			}
			return nil
		}
		if slices.Contains([]string{"control.json", "control-after.json"}, filepath.Base(rel)) {
			return nil
		}
		if entry.Type() != 0 { // a symlink that the scenario planted
			return nil
		}
		text, err := os.ReadFile(path)
		if bytes.Contains(text, []byte(`"contract":"algal.raw-workspace.v1"`)) && strings.HasPrefix(rel, "values/") {
			return nil
		}
		files[rel] = string(text)
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		r.t.Fatal(err)
	}
	return files
}

// compareWorkerCall holds what a v1 worker was called with against the record:
// its program wrote its argument count, its arguments and its standard input.
func (r *replay) compareWorkerCall() {
	r.t.Helper()
	if r.life.XCBProgram == "" {
		return
	}
	argv := []string{fmt.Sprint(len(r.life.XCBArgv))}
	for _, argument := range r.life.XCBArgv {
		argv = append(argv, r.ours(argument))
	}
	for name, want := range map[string]string{"argv.txt": strings.Join(argv, "\n") + "\n", "stdin.txt": r.life.XCBStdin} {
		got, err := os.ReadFile(filepath.Join(r.root, name))
		if err != nil || string(got) != want {
			r.t.Errorf("%s holds %q (%v), recorded is %q", name, got, err, want)
		}
	}
}

// transport answers the calls of a step as recorded, from a program where the
// scenario has one.
func (r *replay) transport(adapter operation.Adapter) operation.Transport {
	if r.life.AdapterProgram != "" {
		program := r.ours(r.life.AdapterProgram)
		if err := os.WriteFile(filepath.Join(r.root, "adapter"), []byte(program), 0o755); err != nil {
			r.t.Error(err)
		}
	}
	process := command.New(adapter, command.Options{Env: []string{"PATH=" + os.Getenv("PATH")}, Dir: r.root})
	return &recordedAdapter{replay: r, process: process}
}

type recordedAdapter struct {
	replay  *replay
	process operation.Transport
}

func (a *recordedAdapter) Submit(ctx context.Context, call operation.Call) ([]byte, error) {
	if len(a.replay.step.AdapterCalls) > 0 {
		a.replay.submits++
	}
	return a.answer(ctx, operation.Submit, call)
}

func (a *recordedAdapter) Observe(ctx context.Context, call operation.Call) ([]byte, error) {
	if len(a.replay.step.AdapterCalls) > 0 {
		a.replay.observes++
	}
	return a.answer(ctx, operation.Observe, call)
}

func (a *recordedAdapter) answer(ctx context.Context, action operation.Action, call operation.Call) ([]byte, error) {
	r := a.replay
	a.compareRequest(action, call)
	var input struct {
		Submit struct {
			WorkerEdit, AdapterThrows string
			AdapterNeverReplies       bool
		}
		AdapterThrows string
	}
	if err := json.Unmarshal(r.step.Input, &input); err != nil {
		return nil, err
	}
	if len(r.step.AdapterCalls) == 0 { // a real command
		send := a.process.Observe
		if action == operation.Submit {
			send = a.process.Submit
		}
		return send(ctx, call)
	}
	recorded := r.step.AdapterCalls[0]
	if recorded.Action != action {
		r.t.Errorf("%s was called, recorded is %s", action, recorded.Action)
	}
	if action == operation.Submit {
		if got := call.Deadline; got > time.Duration(recorded.TimeoutMs)*time.Millisecond || call.MaxOutputBytes != recorded.MaxOutputBytes {
			r.t.Errorf("deadline %v, bound %d, recorded are %d ms, %d", got, call.MaxOutputBytes, recorded.TimeoutMs, recorded.MaxOutputBytes)
		}
		if got := canon.DigestText([]byte(call.Payload)); string(got) != r.ours(string(recorded.PayloadDigest)) {
			r.t.Errorf("payload digest is %s, recorded is %s", got, recorded.PayloadDigest)
		}
		for i := range call.Payload { // a transport owns its copy
			call.Payload[i] = 'x'
		}
		r.shell(r.workspace, "true\n"+input.Submit.WorkerEdit)
		if r.life.WhileSubmitting != nil {
			a.interfere(call.Binding)
		}
	}
	switch {
	case input.Submit.AdapterNeverReplies:
		<-ctx.Done()
		return nil, ctx.Err()
	case input.Submit.AdapterThrows != "" || input.AdapterThrows != "":
		return nil, errors.New("not a coded error")
	}
	reply := r.ours(string(recorded.Reply))
	was, _, err := canon.DigestCanonical(recorded.Reply)
	if err != nil {
		return nil, err
	}
	is, _, err := canon.DigestCanonical([]byte(reply))
	if err != nil {
		return nil, err
	}
	r.name(was.Hex(), is.Hex())
	return []byte(reply), nil
}

// compareRequest holds the wire request against the recorded one.
func (a *recordedAdapter) compareRequest(action operation.Action, call operation.Call) {
	r := a.replay
	recorded, ok := r.life.WireRequests[string(action)]
	if !ok {
		return
	}
	request, err := call.Request(action)
	if err != nil {
		r.t.Error(err)
		return
	}
	text, err := request.Format()
	if err != nil {
		r.t.Error(err)
		return
	}
	if want := r.canonicalOurs(recorded); call.Binding.OperationID == "repair-001" && string(text) != want {
		r.t.Errorf("the request is\n%s, recorded is\n%s", text, want)
	}
}

// interfere plays the second process of the lease scenario.
func (a *recordedAdapter) interfere(binding operation.Binding) {
	r := a.replay
	other, err := r.open(r.store)
	if err != nil {
		r.t.Error(err)
		return
	}
	job, ok, err := other.JobOf(binding.AuthorityID, binding.OperationID)
	if err != nil || !ok {
		r.t.Errorf("the job is not found: %v", err)
		return
	}
	ctx := r.t.Context()
	if _, err := other.Run(ctx, job); !fault.Is(err, fault.LeaseHeld) {
		r.t.Errorf("run beside the holder gives %v", err)
	}
	if _, err := other.Reconcile(ctx, job); !fault.Is(err, fault.LeaseHeld) {
		r.t.Errorf("reconcile beside the holder gives %v", err)
	}
	options := *r.admitted
	options.OperationID = "another"
	if _, err := other.Prepare(ctx, options); !fault.Is(err, fault.LeaseHeld) {
		r.t.Errorf("prepare beside the holder gives %v", err)
	}
	if snap, err := other.Inspect(job); err != nil || snap.Status != jobs.Uncertain {
		r.t.Errorf("inspect beside the holder gives %s, %v", snap.Status, err)
	}
}

func unquote(t *testing.T, text json.RawMessage) string {
	var s string
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// generatedText replaces descriptions of long strings in a recorded input.
func generatedText(t *testing.T, text json.RawMessage) json.RawMessage {
	var document map[string]any
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	for name, value := range document {
		document[name] = generate(t, value)
	}
	generated, err := json.Marshal(document)
	if err != nil {
		t.Fatal(err)
	}
	return generated
}

// setIdentity writes our device and inode wherever a document has them.
func (r *replay) setIdentity(document any) {
	switch value := document.(type) {
	case []any:
		for _, element := range value {
			r.setIdentity(element)
		}
	case map[string]any:
		if _, ok := value["workspaceIdentity"]; ok {
			value["workspaceIdentity"] = r.identity(value["workspace"].(string))
		}
		for _, member := range value {
			r.setIdentity(member)
		}
	}
}

func (r *replay) identity(workspace string) jobs.WorkspaceIdentity {
	known, ok := r.identities[workspace]
	if !ok {
		var stat syscall.Stat_t
		if err := syscall.Lstat(workspace, &stat); err != nil {
			r.t.Fatal(err)
		}
		known = jobs.WorkspaceIdentity{Device: fmt.Sprint(stat.Dev), Inode: fmt.Sprint(stat.Ino)}
		r.identities[workspace] = known
	}
	return known
}

// withoutIntent leaves the intent out of a snapshot that was recorded so.
func withoutIntent(t *testing.T, text []byte) []byte {
	var document map[string]any
	if json.Unmarshal(text, &document) != nil {
		return text
	}
	delete(document, "intent")
	rest, err := json.Marshal(document)
	if err != nil {
		t.Fatal(err)
	}
	return rest
}

// snapshotText is the snapshot in the form of the recorded host.
func snapshotText(t *testing.T, snap jobs.Snapshot) []byte {
	intent, err := snap.Intent.Format()
	if err != nil {
		t.Fatal(err)
	}
	document := map[string]any{"jobId": snap.JobID, "intent": json.RawMessage(intent), "status": snap.Status}
	if snap.Result != nil {
		result, err := canon.Encode(snap.Result)
		if err != nil {
			t.Fatal(err)
		}
		document["result"] = json.RawMessage(result)
	}
	if snap.Reason != "" {
		document["reason"] = snap.Reason
	}
	text, err := json.Marshal(document)
	if err != nil {
		t.Fatal(err)
	}
	canonical, err := canon.Canonicalize(text)
	if err != nil {
		t.Fatal(err)
	}
	return canonical
}
