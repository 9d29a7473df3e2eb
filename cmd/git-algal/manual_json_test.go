//go:build linux || darwin

package main

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/git-algal/git-algal/jobs"
	"github.com/git-algal/git-algal/man"
)

// documents are the JSON documents of the verbs, with the page that describes
// them.
var documents = []struct {
	verb     string
	schema   string // empty where a contract names the document
	document reflect.Type
	page     string       // empty for the verb's own
	another  reflect.Type // which one of its actions prints; nil for none
}{
	{"check", checkSchema, reflect.TypeFor[checkDocument](), "", nil},
	{"prepare", jobSchema, reflect.TypeFor[jobDocument](), "git-algal-inspect.1", nil},
	{"run", jobSchema, reflect.TypeFor[jobDocument](), "git-algal-inspect.1", nil},
	{"reconcile", jobSchema, reflect.TypeFor[jobDocument](), "git-algal-inspect.1", nil},
	{"wait", jobSchema, reflect.TypeFor[jobDocument](), "git-algal-inspect.1", nil},
	{"stop", jobSchema, reflect.TypeFor[jobDocument](), "git-algal-inspect.1", nil},
	{"inspect", jobSchema, reflect.TypeFor[jobDocument](), "", nil},
	{"output", outputSchema, reflect.TypeFor[outputDocument](), "", nil},
	{"log", logSchema, reflect.TypeFor[logDocument](), "", nil},
	{"list", listSchema, reflect.TypeFor[listDocument](), "", nil},
	{"verify", verifySchema, reflect.TypeFor[verifyDocument](), "", nil},
	{"validate", validateSchema, reflect.TypeFor[validateDocument](), "", nil},
	{"diff", diffSchema, reflect.TypeFor[diffDocument](), "", nil},
	{"patch", "", nil, "git-algal-store.5", nil},
	{"observe", "", nil, "", nil}, // see TestManualHasEveryRecord
	{"mcp", "", nil, "git-algal-observe.1", nil},
	{"adapter", adapterSchema, reflect.TypeFor[adapterDocument](), "", reflect.TypeFor[qualifyDocument]()},
	{"fsck", fsckSchema, reflect.TypeFor[fsckDocument](), "", nil},
	{"hooks", hooksSchema, reflect.TypeFor[hooksDocument](), "", nil},
	{"completion", completionSchema, reflect.TypeFor[completionDocument](), "", nil},
	{"where", whereSchema, reflect.TypeFor[whereDocument](), "", nil},
	{"demo", demoSchema, reflect.TypeFor[demoDocument](), "", nil},
	{"version", versionSchema, reflect.TypeFor[versionDocument](), "", nil},
	{"help", helpSchema, reflect.TypeFor[helpDocument](), "", nil},
}

func TestManualHasEveryJSONMember(t *testing.T) {
	var covered, want []string
	for _, v := range verbs() {
		want = append(want, v.name)
	}
	for _, d := range documents {
		covered = append(covered, d.verb)
		name := "git-algal-" + d.verb + ".1"
		if _, ok := man.Page(name); !ok {
			continue // TestManualHasEveryCommand says so
		}
		page := openManualPage(t, name)
		if d.page != "" {
			topic, _, _ := strings.Cut(d.page, ".")
			if !slices.Contains(argsOf("Xr", page.lines()), topic) {
				t.Errorf("%s does not name the page that describes its document, %s", name, d.page)
			}
			continue
		}
		if d.document != nil {
			program := members(d.document, "")
			if d.another != nil {
				program = append(program, members(d.another, "")...)
			}
			compareMembers(t, page, d.schema, program)
		}
	}
	compareSets(t, "verbs whose documents are described", want, covered)
	compareMembers(t, openManualPage(t, programPage), errorSchema, members(reflect.TypeFor[failure](), ""), "escaped")
}

// compareMembers holds the JSON OUTPUT of a page to a document; elsewhere are
// the members that it mentions of others.
func compareMembers(t *testing.T, page manualPage, schema string, program []string, elsewhere ...string) {
	t.Helper()
	lines := page.sections["JSON OUTPUT"]
	compareSets(t, page.name+": members", innermost(program), innermost(itemArgs("Va", lines)))
	if !slices.Contains(argsOf("Ql", lines), schema) && schema != "" {
		t.Errorf("%s does not name the schema %q", page.name, schema)
	}
	for _, name := range argsOf("Va", lines) {
		if !slices.Contains(program, name) && !slices.Contains(elsewhere, name) {
			t.Errorf("%s mentions the member %q, which does not exist", page.name, name)
		}
	}
}

// Types of members that other pages describe, or that have none of their own.
var leaves = []reflect.Type{reflect.TypeFor[jobs.Result](), reflect.TypeFor[jsontext.Value]()}

// members returns the names of a document's members, inner ones behind a dot,
// those of a list's elements behind "[].".
func members(t reflect.Type, prefix string) []string {
	switch t.Kind() {
	case reflect.Pointer:
		return members(t.Elem(), prefix)
	case reflect.Slice:
		return append(members(t.Elem(), prefix+"[]"), prefix)
	case reflect.Struct:
		if slices.Contains(leaves, t) {
			return []string{prefix}
		}
	default:
		return []string{prefix}
	}
	names := []string{}
	if prefix != "" {
		names, prefix = append(names, prefix), prefix+"."
	}
	for i := range t.NumField() {
		field := t.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case field.IsExported() && name != "":
			names = append(names, members(field.Type, prefix+name)...)
		case field.Anonymous:
			names = append(names, members(field.Type, strings.TrimSuffix(prefix, "."))...)
		}
	}
	return names
}

// innermost leaves out the names of members that consist of named others.
func innermost(names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		return strings.HasSuffix(name, "[]") || slices.ContainsFunc(names, func(other string) bool {
			return strings.HasPrefix(other, name+".") || strings.HasPrefix(other, name+"[].")
		})
	})
}

func TestMembers(t *testing.T) {
	got := fmt.Sprint(innermost(members(reflect.TypeFor[listDocument](), "")))
	if want := "[schema store jobs[].jobId jobs[].prepared jobs[].operationId jobs[].workspace jobs[].status jobs[].reason " +
		"jobs[].error.code jobs[].error.kind jobs[].error.message jobs[].error.next]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
