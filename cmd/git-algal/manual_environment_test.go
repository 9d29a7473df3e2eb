//go:build linux || darwin

package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// readers are the functions through which the program reads its environment;
// the name of a variable is an argument of each.
var readers = []string{"variable", "lookup", "baseDirectory", "withoutGit"}

// readingPackages are those that are handed the environment.
var readingPackages = []string{".", filepath.Join("..", "..", "gitplumb")}

func TestManualHasEveryVariable(t *testing.T) {
	var documented []string
	for _, page := range manualPages(t) {
		documented = append(documented, itemArgs("Ev", page.sections["ENVIRONMENT"])...)
	}
	compareSets(t, "environment", programVariables(t), documented)
}

func TestManualHasEverySetting(t *testing.T) {
	documented := itemArgs("Ic", openManualPage(t, programPage).sections["CONFIGURATION"])
	settings := stringArguments(t, []string{"."}, []string{"personal"})
	settings = slices.DeleteFunc(settings, func(s string) bool { return strings.HasPrefix(s, "-") }) // flags of git's
	compareSets(t, "settings", settings, documented)
}

// programVariables returns the environment variables that the program reads.
func programVariables(tb testing.TB) []string {
	tb.Helper()
	names := stringArguments(tb, readingPackages, readers)
	// baseDirectory also takes what lies below HOME.
	names = slices.DeleteFunc(names, func(name string) bool { return name != strings.ToUpper(name) })
	return append(names, "PATH") // which exec.LookPath reads
}

// stringArguments returns the strings that the packages give the functions as
// arguments: literals, constants, and the elements of the literal over which a
// loop runs, in place or by its variable. It fails at an argument whose value it cannot see.
func stringArguments(tb testing.TB, packages, functions []string) []string {
	tb.Helper()
	var found []string
	for _, dir := range packages {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil || len(files) == 0 {
			tb.Fatalf("no sources in %q: %v", dir, err)
		}
		var parsed []*ast.File
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
			if err != nil {
				tb.Fatal(err)
			}
			parsed = append(parsed, file)
		}
		constants := stringConstants(parsed)
		for _, file := range parsed {
			for _, declaration := range file.Decls {
				function, ok := declaration.(*ast.FuncDecl)
				if !ok || slices.Contains(functions, function.Name.Name) {
					continue // the readers themselves pass on what they are given
				}
				found = append(found, argumentsWithin(tb, function, functions, constants)...)
			}
		}
	}
	return sortedSet(found)
}

func stringConstants(files []*ast.File) map[string]string {
	constants := map[string]string{}
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if ok && len(spec.Names) == len(spec.Values) {
				for i, value := range spec.Values {
					if text, ok := stringLiteral(value); ok {
						constants[spec.Names[i].Name] = text
					}
				}
			}
			return true
		})
	}
	return constants
}

func argumentsWithin(tb testing.TB, function *ast.FuncDecl, functions []string, constants map[string]string) []string {
	var found []string
	lists := map[string]*ast.CompositeLit{} // variable to the list that it is declared as
	loops := map[string][]string{}          // variable of a loop to what it runs through
	ast.Inspect(function, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			name, named := n.Lhs[0].(*ast.Ident)
			if literal, ok := n.Rhs[0].(*ast.CompositeLit); ok && named {
				lists[name.Name] = literal
			}
		case *ast.RangeStmt:
			literal, ok := n.X.(*ast.CompositeLit)
			if name, named := n.X.(*ast.Ident); named {
				literal, ok = lists[name.Name], lists[name.Name] != nil
			}
			if !ok {
				return true
			}
			for _, element := range literal.Elts {
				variable := n.Value
				if pair, ok := element.(*ast.KeyValueExpr); ok {
					element, variable = pair.Key, n.Key
				}
				name, named := variable.(*ast.Ident)
				if text, ok := stringLiteral(element); ok && named {
					loops[name.Name] = append(loops[name.Name], text)
				}
			}
		case *ast.CallExpr:
			selector, ok := n.Fun.(*ast.SelectorExpr)
			if !ok || !slices.Contains(functions, selector.Sel.Name) {
				return true
			}
			for _, argument := range n.Args {
				text, literal := stringLiteral(argument)
				name, named := argument.(*ast.Ident)
				switch {
				case literal:
					found = append(found, text)
				case named && name.Name == "ctx":
				case named && constants[name.Name] != "":
					found = append(found, constants[name.Name])
				case named && loops[name.Name] != nil:
					found = append(found, loops[name.Name]...)
				default:
					tb.Errorf("%s calls %s with an argument that this test cannot see", function.Name.Name, selector.Sel.Name)
				}
			}
		}
		return true
	})
	return found
}

func stringLiteral(n ast.Expr) (string, bool) {
	literal, ok := n.(*ast.BasicLit)
	if !ok || literal.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(literal.Value)
	return text, err == nil
}
