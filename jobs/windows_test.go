package jobs_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"

	"github.com/git-algal/git-algal/internal/faultfs"
)

// order returns what each command publishes, in the order in which the package
// comment says so; "submit" is the one effect outside of the store.
func order(t *testing.T) map[string][]string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "jobs.go", nil, parser.ParseComments|parser.PackageClauseOnly)
	if err != nil {
		t.Fatal(err)
	}
	steps := map[string][]string{}
	for line := range strings.Lines(comment(file)) {
		step, list, _ := strings.Cut(strings.TrimSpace(line), " ")
		if !strings.HasPrefix(line, "\t") || !strings.Contains(list, " · ") {
			continue
		}
		for what := range strings.SplitSeq(list, "·") {
			if what = strings.TrimSpace(what); what != "the command" {
				steps[step] = append(steps[step], what)
			}
		}
	}
	return map[string][]string{
		"prepare":   steps["prepare"],
		"run":       slices.Concat(steps["run"], []string{"submit"}, steps["retain"], steps["settle"], []string{"result"}),
		"reconcile": slices.Concat(steps["retain"], steps["settle"], []string{"resolution"}),
		"validate":  steps["validate"],
	}
}

func comment(file *ast.File) string { return file.Doc.Text() }

// A window is the time between two things that a command publishes, in which
// it may die.
type window struct{ command, after, before string }

const theBeginning, theEnd = "the beginning", "the end"

func (w window) String() string { return w.command + ": " + w.after + " and " + w.before }

// documentedWindows returns the windows that the package comment names.
func documentedWindows(t *testing.T) (windows []window) {
	for command, published := range order(t) {
		last := theBeginning
		for _, what := range append(published, theEnd) {
			windows = append(windows, window{command, last, what})
			last = what
		}
	}
	return windows
}

// checkWindows demands that crashes fell in each documented window, and in no
// other ones than those of commands that had less to publish.
func checkWindows(t *testing.T, crashes map[window]int) {
	t.Helper()
	for _, w := range documentedWindows(t) {
		if crashes[w] == 0 {
			t.Errorf("no crash fell between %v", w)
		}
	}
	for w := range crashes {
		published := order(t)[w.command]
		if w.command == reconcile.name { // it begins with the values that are missing
			published = slices.Concat([]string{"outcome value", "patch value"}, published)
		}
		if !follow(slices.Concat([]string{theBeginning}, published, []string{theEnd}), w.after, w.before) {
			t.Errorf("a crash fell between %v, which is not the order of the package comment", w)
		}
	}
}

// follow reports whether the second stands somewhere after the first.
func follow(list []string, first, second string) bool {
	i := slices.Index(list, first)
	return i >= 0 && slices.Contains(list[i+1:], second)
}

// A publication is what a command published, or told the authority, after so
// many durable operations.
type publication struct {
	operations int
	what       string
}

type publications []publication

// record shows the world as it is before each durable operation from now on,
// and returns a function that says what was published until then, in order.
func (w *world) record(watcher func(k int, as *world)) func() publications {
	var found publications
	durable := 0
	w.disk.Watch(func(k int, disk *faultfs.FS) { watcher(k, w.on(disk)) })
	w.disk.Inject(func(op faultfs.Op) faultfs.Fault {
		if op.Kind.Durable() {
			durable++
		}
		if op.Kind == faultfs.Link || op.Kind == faultfs.Rename {
			found = append(found, publication{durable, op.Path})
		}
		return faultfs.Fault{}
	})
	w.submitted = func() { found = append(found, publication{durable, "submit"}) }
	return func() publications {
		files := w.disk.Files("/")
		named := slices.Clone(found)
		for i, p := range named {
			named[i].what = publicationName(p.what, files)
		}
		// The two outputs of a validation are one step.
		return slices.CompactFunc(named, func(a, b publication) bool { return a.what == b.what })
	}
}

// publicationName returns what the package comment calls a publication.
func publicationName(path string, files map[string][]byte) string {
	text := string(files[strings.TrimPrefix(path, "/")])
	for _, name := range []struct{ path, text, name string }{
		{path: "/coding-operations/", name: "reservation"},
		{path: "/values/", text: "algal.raw-workspace.v1", name: "raw document"},
		{path: "/values/", text: "algal.coding-operation.v1", name: "outcome value"},
		{path: "/values/", text: "algal.coding-patch.v1", name: "patch value"},
		{path: "/values/", text: "git-algal.output.v1", name: "output values"},
		{path: "-start.json", name: "start"}, {path: "-end.json", name: "end"},
		{path: "/control.json", name: "control"}, {path: "/control-after.json", name: "control-after"},
		{path: "/intent.json", name: "intent"}, {path: "/claim.json", name: "claim"}, {path: "/started.json", name: "marker"},
		{path: "/observations/", name: "observation"}, {path: "/settlement.json", name: "settlement"},
		{path: "/result.json", name: "result"}, {path: "/resolution.json", name: "resolution"},
		{path: diskRegistry + "/", name: "registry"},
	} {
		if strings.Contains(path, name.path) && strings.Contains(text, `"contract":"`+name.text) {
			return name.name
		}
	}
	return path
}

// window returns the one in which a crash before the kth operation falls.
func (p publications) window(command string, k int) window {
	w := window{command, theBeginning, theEnd}
	for _, published := range p {
		if published.operations >= k {
			w.before = published.what
			break
		}
		w.after = published.what
	}
	return w
}
