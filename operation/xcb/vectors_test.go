package xcb_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/operation/xcb"
)

// A recordedLife is a v1 job of the vectors: its worker, a shell program, what
// that was given, and what became of the job.
type recordedLife struct {
	Scenario   string
	Workspace  string
	Preamble   string `json:"-"`
	Recipe     string
	XCBProgram string
	XCBArgv    []string
	XCBStdin   string
	Steps      []recordedStep
}

type recordedStep struct {
	Step    string
	Returns struct {
		Status, Reason string
		Intent         struct {
			Prompt  string
			Adapter xcb.Worker
			Limits  struct{ MaxOutputBytes int }
		}
		Result *struct {
			Session   operation.Identity
			ExitCode  int
			OutputRef canon.Digest
		}
	}
	StoreAdded map[string]string
}

func recordedLives(t testing.TB) []recordedLife {
	var lives []recordedLife
	for _, file := range must(filepath.Glob(filepath.Join("..", "..", "testdata", "vectors", "stores", "h-*.json"))) {
		var recorded struct {
			Preamble string
			Cases    []recordedLife
		}
		if err := json.Unmarshal(must(os.ReadFile(file)), &recorded); err != nil {
			t.Fatal(err)
		}
		for _, life := range recorded.Cases {
			life.Preamble = recorded.Preamble
			lives = append(lives, life)
		}
	}
	if len(lives) < 10 {
		t.Fatalf("only %d recorded lives", len(lives))
	}
	return lives
}

// printed returns what the recorded program prints.
func (l recordedLife) printed(t testing.TB) string {
	_, text, found := strings.Cut(l.XCBProgram, "<<'X'\n")
	text, _, ended := strings.Cut(text, "X\nexit ")
	if !found || !ended {
		t.Fatalf("%s: the program prints nothing", l.Scenario)
	}
	return text
}

// run returns the step that launched the worker.
func (l recordedLife) run(t testing.TB) recordedStep {
	i := slices.IndexFunc(l.Steps, func(s recordedStep) bool { return s.Step == "run" })
	if i < 0 {
		t.Fatalf("%s: no run", l.Scenario)
	}
	return l.Steps[i]
}

// workersFault returns the code that the call itself must end with: a job
// whose capture was refused afterwards has the reason of the capture.
func (s recordedStep) workersFault() fault.Code {
	_, code, _ := strings.Cut(s.Returns.Reason, ":")
	if fault.Code(code) == fault.DigestMismatch {
		return ""
	}
	return fault.Code(code)
}

// require fails unless envelope, status and err are what the recorded host
// made of the worker's answer, and the envelope is the value that it retained.
func (s recordedStep) require(t *testing.T, e xcb.Envelope, status int, err error) {
	t.Helper()
	if want := s.workersFault(); fault.CodeOf(err) != want || (err == nil) != (want == "") {
		t.Fatalf("got %v, recorded %q", err, want)
	}
	if err != nil {
		return
	}
	ref, text := must(e.Ref()), must(e.Format())
	if stored := s.StoreAdded["values/"+ref.Hex()+".json"]; string(text) != stored {
		t.Errorf("the value is %s, recorded %q", text, stored)
	}
	result := s.Returns.Result
	if result == nil { // a refused capture: the envelope alone was kept
		if !e.Completed(status) {
			t.Errorf("not completed: %+v", e)
		}
		return
	}
	if ref != result.OutputRef || e.Session != result.Session || status != result.ExitCode {
		t.Errorf("got %s, %q, %d, recorded %+v", ref, e.Session, status, *result)
	}
	if e.Settled() != (s.Returns.Status != "uncertain") || e.Completed(status) != (s.Returns.Status == "completed") {
		t.Errorf("settled %v, completed %v, recorded %q", e.Settled(), e.Completed(status), s.Returns.Status)
	}
}

func TestRecordedEnvelopes(t *testing.T) {
	for _, life := range recordedLives(t) {
		t.Run(life.Scenario, func(t *testing.T) {
			run := life.run(t)
			_, exit, _ := strings.Cut(life.XCBProgram, "X\nexit ")
			e, err := xcb.ParseEnvelope([]byte(life.printed(t)), run.Returns.Intent.Limits.MaxOutputBytes)
			run.require(t, e, must(strconv.Atoi(strings.TrimSpace(exit))), err)
		})
	}
}

// The recorded programs run as they are, in the recorded repository: they are
// given what the recorded host gave them, work where it let them work, and are
// understood as it understood them.
func TestRecordedLives(t *testing.T) {
	for _, life := range recordedLives(t) {
		t.Run(life.Scenario, func(t *testing.T) {
			dir := must(filepath.EvalSymlinks(t.TempDir()))
			here := strings.NewReplacer(filepath.Dir(life.Workspace), dir).Replace
			run := life.run(t)
			workspace := filepath.Join(dir, "workspace")
			env := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "GIT_DIR=/elsewhere"}
			makeRepository(t, workspace, life.Preamble+"\n"+life.Recipe)
			worker := run.Returns.Intent.Adapter
			worker.Executable = here(worker.Executable)
			if err := os.WriteFile(worker.Executable, []byte(here(life.XCBProgram)), 0o700); err != nil {
				t.Fatal(err)
			}

			e, status, err := worker.Call(t.Context(), xcb.Call{
				Workspace: workspace, Prompt: run.Returns.Intent.Prompt, Env: env, MaxOutputBytes: run.Returns.Intent.Limits.MaxOutputBytes,
			})
			run.require(t, e, status, err)

			argv := strconv.Itoa(len(life.XCBArgv)) + "\n" + here(strings.Join(life.XCBArgv, "\n")) + "\n"
			if got := must(os.ReadFile(filepath.Join(dir, "argv.txt"))); string(got) != argv {
				t.Errorf("argv is %q, recorded %q", got, argv)
			}
			if got := must(os.ReadFile(filepath.Join(dir, "stdin.txt"))); string(got) != life.XCBStdin {
				t.Errorf("stdin is %q, recorded %q", got, life.XCBStdin)
			}
			answer := "before\n"
			if strings.Contains(life.XCBProgram, "> answer.txt") {
				answer = "after\n"
			}
			if got := must(os.ReadFile(filepath.Join(workspace, "answer.txt"))); string(got) != answer {
				t.Errorf("the workspace holds %q, recorded %q", got, answer)
			}
		})
	}
}

// makeRepository runs a recorded recipe in the new directory workspace.
func makeRepository(t *testing.T, workspace, recipe string) {
	t.Helper()
	if err := os.Mkdir(workspace, 0o700); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "sh", "-e", "-c", recipe)
	cmd.Dir = workspace
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Dir(workspace)}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}
