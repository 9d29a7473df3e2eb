package architecture_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/git-algal/git-algal/"

// layers lists the packages from the top down; a package imports only from
// layers below its own, and from its own where it is a parent of the other.
var layers = [][]string{
	{"cmd/git-algal"},
	{"hooks"},
	{"jobs"},
	{"capture", "operation", "state"},
	{"gitplumb"},
	{"internal", "man"},
}

// testEngines are imported by tests alone, so they may look up and around.
var testEngines = []string{"internal/faultfs", "internal/gittest"}

func layer(pkg string) int {
	for i, names := range layers {
		for _, name := range names {
			if pkg == name || strings.HasPrefix(pkg, name+"/") {
				return i
			}
		}
	}
	return -1
}

// goList returns lines of "package import import …" for the module's packages.
func goList(t *testing.T, args ...string) map[string][]string {
	cmd := exec.CommandContext(t.Context(), "go", append([]string{"list"}, args...)...)
	cmd.Dir = "../.."
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	packages := map[string][]string{}
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		packages[fields[0]] = fields[1:]
	}
	return packages
}

func TestImportsRunDownwards(t *testing.T) {
	packages := goList(t, "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./...")
	if len(packages) < 8 {
		t.Fatalf("only %d packages found", len(packages))
	}
	for pkg, imports := range packages {
		from := strings.TrimPrefix(pkg, module)
		if layer(from) < 0 {
			t.Errorf("package %s stands in no layer", from)
		}
		for _, imported := range imports {
			to, ours := strings.CutPrefix(imported, module)
			if !ours {
				continue
			}
			sibling := layer(to) == layer(from) && (strings.HasPrefix(from, to+"/") || strings.HasPrefix(to, from+"/") ||
				strings.HasPrefix(from, "internal/") || strings.HasPrefix(from, "operation/") && strings.HasPrefix(to, "operation"))
			ledger := from == "operation/local" && to == "state" // an authority keeps one; state knows no operation
			if layer(to) <= layer(from) && !sibling && !ledger && !slices.Contains(testEngines, from) {
				t.Errorf("%s imports %s, which does not lie below it", from, to)
			}
			if layer(from) == 3 && to == "gitplumb" && from != "capture" {
				t.Errorf("%s imports gitplumb; only capture and what lies above may", from)
			}
		}
	}
}

// TestEnginesStayInTests holds that no program carries a test engine.
func TestEnginesStayInTests(t *testing.T) {
	for pkg, deps := range goList(t, "-f", `{{.ImportPath}} {{join .Deps " "}}`, "./cmd/...") {
		for _, engine := range testEngines {
			if slices.Contains(deps, module+engine) {
				t.Errorf("%s is built with %s", pkg, engine)
			}
		}
	}
}

// TestNothingSlowsTheStart holds that the program links no network transport:
// what such packages initialise is paid by every start, guard hooks included.
func TestNothingSlowsTheStart(t *testing.T) {
	for pkg, deps := range goList(t, "-f", `{{.ImportPath}} {{join .Deps " "}}`, "./cmd/...") {
		for _, slow := range []string{"net/http", "crypto/tls", "github.com/modelcontextprotocol/go-sdk/mcp"} {
			if slices.Contains(deps, slow) {
				t.Errorf("%s is built with %s", pkg, slow)
			}
		}
	}
}

func TestOnlyGitplumbSeesGoGit(t *testing.T) {
	for pkg, imports := range goList(t, "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./...") {
		for _, imported := range imports {
			if !strings.HasPrefix(imported, "github.com/go-git/") {
				continue
			}
			if pkg != module+"gitplumb" {
				t.Errorf("%s imports %s", pkg, imported)
			}
			if imported == "github.com/go-git/go-git/v5" {
				t.Errorf("%s imports go-git's porcelain, which pulls in network transports", pkg)
			}
		}
	}
}

// TestOnlyCmdTouchesTheProcess looks for what the house keeps in cmd: exits,
// the environment, initialisation order.
func TestOnlyCmdTouchesTheProcess(t *testing.T) {
	forbidden := []string{"os.Exit", "os.Getenv", "os.LookupEnv", "os.Environ", "os.Setenv", "os.Args", "log.Fatal"}
	err := filepath.WalkDir("../..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == ".git" || entry.Name() == "testdata") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.Contains(path, "cmd/git-algal/") {
			return nil
		}
		if slices.ContainsFunc(testEngines, func(engine string) bool { return strings.Contains(path, engine+"/") }) {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(node ast.Node) bool {
			switch node := node.(type) {
			case *ast.SelectorExpr:
				if x, ok := node.X.(*ast.Ident); ok && slices.Contains(forbidden, x.Name+"."+node.Sel.Name) {
					t.Errorf("%s uses %s.%s", path, x.Name, node.Sel.Name)
				}
			case *ast.FuncDecl:
				if node.Name.Name == "init" && node.Recv == nil {
					t.Errorf("%s has an init function", path)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
