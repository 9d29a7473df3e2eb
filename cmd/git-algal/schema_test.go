//go:build linux || darwin

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// schemaDirectory holds one JSON Schema for each document that the program
// prints, named by it.
const schemaDirectory = "../../man/schema"

// A documentSchema is one of the files, compiled and as it is written.
type documentSchema struct {
	compiled *jsonschema.Schema
	written  map[string]any
	seen     map[string]bool // pointers of the members that real documents had
}

// readSchemas compiles every file, which holds it to the meta-schema.
func readSchemas(tb testing.TB) map[string]*documentSchema {
	tb.Helper()
	names, err := filepath.Glob(filepath.Join(schemaDirectory, "*.json"))
	if err != nil || len(names) == 0 {
		tb.Fatalf("%q, %v", names, err)
	}
	schemas := map[string]*documentSchema{}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	for _, file := range names {
		text, err := os.ReadFile(file)
		if err != nil {
			tb.Fatal(err)
		}
		written, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			tb.Fatalf("%s: %v", file, err)
		}
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		s := &documentSchema{written: written.(map[string]any), seen: map[string]bool{}}
		id := "urn:git-algal:schema:" + name + ":1"
		if s.written["$id"] != id || s.written["$schema"] != "https://json-schema.org/draft/2020-12/schema" {
			tb.Fatalf("%s is %v of %v", file, s.written["$id"], s.written["$schema"])
		}
		if err := compiler.AddResource(id, written); err != nil {
			tb.Fatalf("%s: %v", file, err)
		}
		if s.compiled, err = compiler.Compile(id); err != nil {
			tb.Fatalf("%s: %v", file, err)
		}
		schemas[name] = s
	}
	return schemas
}

// walk calls visit for each member that the schema describes, with its pointer
// and schema. Where instance is not nil, only members that it has are visited.
func (s *documentSchema) walk(instance any, visit func(pointer string, member map[string]any)) {
	all := instance == nil
	described := map[string]bool{}
	var each func(at string, schema, instance any)
	each = func(at string, schema, instance any) {
		m, ok := schema.(map[string]any)
		if !ok {
			return
		}
		if target, ok := m["$ref"].(string); ok && (!all || !described[target]) {
			described[target] = true
			each(target, s.definition(target), instance)
		}
		members, _ := m["properties"].(map[string]any)
		object, _ := instance.(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(members)) {
			value, has := object[name]
			if member, ok := members[name].(map[string]any); ok && (all || has) {
				visit(at+"/"+name, member)
				each(at+"/"+name, member, value)
			}
		}
		items, _ := instance.([]any)
		if all {
			each(at+"/items", m["items"], nil)
		}
		for _, item := range items {
			each(at+"/items", m["items"], item)
		}
		for _, word := range []string{"anyOf", "oneOf"} {
			branches, _ := m[word].([]any)
			for i, branch := range branches {
				each(fmt.Sprintf("%s/%s/%d", at, word, i), branch, instance)
			}
		}
	}
	each("#", s.written, instance)
}

// definition returns what "#/$defs/NAME" refers to, nil for no reference.
func (s *documentSchema) definition(target string) map[string]any {
	all, _ := s.written["$defs"].(map[string]any)
	definition, _ := all[strings.TrimPrefix(target, "#/$defs/")].(map[string]any)
	return definition
}

// TestSchemas holds the files to what a reader needs: every member is
// described, and every object is closed and says what is always there.
func TestSchemas(t *testing.T) {
	schemas := readSchemas(t)
	for name, s := range schemas {
		if s.written["title"] == nil || s.written["description"] == nil {
			t.Errorf("%s has no title or no description", name)
		}
		s.walk(nil, func(pointer string, member map[string]any) {
			target, _ := member["$ref"].(string)
			if member["description"] == nil && s.definition(target)["description"] == nil {
				t.Errorf("%s: %s is not described", name, pointer)
			}
		})
	}

	// One file for each schema that the source names, and none beside them.
	// Two documents are records of the contract and named by it.
	want := []string{"observe", "patch"}
	sources, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile(`"git-algal\.([a-z-]+)/1"`)
	for _, source := range sources {
		if strings.HasSuffix(source, "_test.go") {
			continue
		}
		text, err := os.ReadFile(source)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range named.FindAllStringSubmatch(string(text), -1) {
			want = append(want, match[1])
		}
	}
	slices.Sort(want)
	if got := slices.Sorted(maps.Keys(schemas)); !slices.Equal(got, want) {
		t.Errorf("schemas of %q, documents %q", got, want)
	}
}

// TestDocumentsHaveTheirSchemas holds real documents of every kind to their
// schemas, and the schemas to them: each member that one describes is there in
// some document, and nothing else passes in place of what is there.
func TestDocumentsHaveTheirSchemas(t *testing.T) {
	t.Parallel()
	schemas := readSchemas(t)
	for _, text := range realDocuments(t) {
		document, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		name := schemaNameOf(document)
		s, ok := schemas[name]
		if !ok {
			t.Errorf("no schema is there for %s", text)
			continue
		}
		if err := s.compiled.Validate(document); err != nil {
			t.Errorf("%v\n%s", err, text)
			continue
		}
		s.walk(document, func(pointer string, _ map[string]any) { s.seen[pointer] = true })
		damage(document, func(change string) {
			if s.compiled.Validate(document) == nil {
				t.Errorf("the schema of %s takes a document with %s", name, change)
			}
		})
	}
	for name, s := range schemas {
		s.walk(nil, func(pointer string, _ map[string]any) {
			if !s.seen[pointer] && !slices.Contains(unseenMembers, name+pointer) {
				t.Errorf("%s: no document has %s", name, pointer)
			}
		})
	}
}

// unseenMembers are those that no test can bring about here.
var unseenMembers = []string{
	"version#/commit",             // a test binary carries none
	"verify#/drift/items/escaped", // a capture refuses such names
	"diff#/drift/items/escaped",
	"validate#/drift/items/escaped",
}

// schemaNameOf returns the name of the schema of a document.
func schemaNameOf(document any) string {
	members, _ := document.(map[string]any)
	if schema, ok := members["schema"].(string); ok {
		return strings.TrimSuffix(strings.TrimPrefix(schema, "git-algal."), "/1")
	}
	if members["contract"] != nil {
		return "patch"
	}
	return "observe"
}

// damage changes a document in one place after the other, each time calls
// check, and takes the change back: an unknown member in each object, and a
// value of another type in place of each scalar and array.
func damage(document any, check func(change string)) {
	var each func(at string, value any, set func(any))
	each = func(at string, value any, set func(any)) {
		switch value := value.(type) {
		case map[string]any:
			value["unknown member"] = true
			check("an unknown member in " + at)
			delete(value, "unknown member")
			for _, name := range slices.Sorted(maps.Keys(value)) {
				each(at+"/"+name, value[name], func(other any) { value[name] = other })
			}
		case []any:
			set("no array")
			check("a text in place of " + at)
			set(value)
			if len(value) > 0 { // the schema is the same for all
				each(at+"/0", value[0], func(other any) { value[0] = other })
			}
		default:
			set([]any{json.Number("1")})
			check("an array in place of " + at)
			set(value)
		}
	}
	each("#", document, func(any) {})
}
