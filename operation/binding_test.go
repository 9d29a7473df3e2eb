package operation_test

import (
	"strings"
	"testing"

	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/operation"
)

func TestParseIdentity(t *testing.T) {
	for _, s := range []string{"a", "0", "Z", "Op.2026_01:x-1", strings.Repeat("x", operation.MaxIdentityLen)} {
		if got, err := operation.ParseIdentity(s); err != nil || string(got) != s {
			t.Errorf("%q: got %q, %v", s, got, err)
		}
	}
	for _, s := range []string{"", ".a", "_a", ":a", "-a", "a b", "a/b", "é", "aé", "a\n", "\na", "a\x00", strings.Repeat("x", operation.MaxIdentityLen+1)} {
		if got, err := operation.ParseIdentity(s); !fault.Is(err, fault.Malformed) || got != "" {
			t.Errorf("%q: got %q, %v", s, got, err)
		}
	}
}

func TestBindingValidate(t *testing.T) {
	if err := testBinding().Validate(); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*operation.Binding){
		"operationId":   func(b *operation.Binding) { b.OperationID = "a b" },
		"authorityId":   func(b *operation.Binding) { b.AuthorityID = "" },
		"requestDigest": func(b *operation.Binding) { b.RequestDigest = "sha256:0" },
	} {
		binding := testBinding()
		change(&binding)
		if err := binding.Validate(); !fault.Is(err, fault.Malformed) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
