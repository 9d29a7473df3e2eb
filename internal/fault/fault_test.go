package fault_test

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/git-algal/git-algal/internal/fault"
)

func TestTableIsWhole(t *testing.T) {
	seen := map[string]bool{}
	for c := fault.Usage; c <= fault.Uncoded; c++ {
		if c.String() == "" || c.Kind() == "" || (c.Code() == "" && c != fault.Uncoded) {
			t.Errorf("condition %d has an incomplete row: %q %q %q", c, c, c.Code(), c.Kind())
		}
		if seen[c.String()] {
			t.Errorf("name %q stands twice", c)
		}
		seen[c.String()] = true
	}
}

func TestErrorCarriesItsConditionThroughWrapping(t *testing.T) {
	cause := fmt.Errorf("reading: %w", io.ErrUnexpectedEOF)
	err := fmt.Errorf("job: %w", fault.New(fault.StoreFile, "record %q cannot be read: %w", "intent.json", cause).WithNext("run %q", "git algal fsck"))
	e, ok := fault.Of(err)
	if !ok || e.Condition != fault.StoreFile || e.Next != `run "git algal fsck"` {
		t.Fatalf("got %#v", e)
	}
	if fault.CodeOf(err) != fault.IOFailed || !fault.Is(err, fault.StoreFile) || fault.Is(err, fault.Missing) {
		t.Errorf("code %q", fault.CodeOf(err))
	}
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error("the cause is lost")
	}
	if want := `job: record "intent.json" cannot be read: reading: unexpected EOF`; err.Error() != want {
		t.Errorf("message %q, want %q", err, want)
	}
	if fault.CodeOf(io.EOF) != "" {
		t.Error("a foreign error has a code")
	}
}

func TestHostFaultsRefuseNoWorkspace(t *testing.T) {
	for _, c := range []fault.Condition{fault.Deadline, fault.Cancelled, fault.HostFailed} {
		if c.RefusesWorkspace() {
			t.Errorf("%v rejects a patch", c)
		}
	}
	for _, c := range []fault.Condition{fault.SourceMoved, fault.OverBound, fault.WorkspaceMissing, fault.UnsupportedChange, fault.ControlChanged} {
		if !c.RefusesWorkspace() {
			t.Errorf("%v does not reject a patch", c)
		}
	}
}
