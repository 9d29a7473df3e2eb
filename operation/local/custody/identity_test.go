package custody

import (
	"strings"
	"testing"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
)

// whole is an identity with everything.
func whole() Identity {
	return Identity{
		Machine: "m", Boot: "b", Mechanisms: []Mechanism{Namespace, Cgroup},
		PIDNamespace: "pid:[1]", CgroupNamespace: "cgroup:[2]", InitPID: 7, InitInode: "18446744073709551615",
		CgroupMount: "/sys/fs/cgroup", CgroupMountInode: "1", CgroupPath: "/sys/fs/cgroup/x", CgroupInode: "9", Confined: true,
	}
}

func TestIdentityValidate(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*Identity)
		good   bool
	}{
		{"whole", func(*Identity) {}, true},
		{"start instead of inode", func(i *Identity) { i.InitInode, i.InitStart = "", "5" }, true},
		{"last process id", func(i *Identity) { i.InitPID = MaxPID }, true},
		{"root mount", func(i *Identity) { i.CgroupMount = "/" }, true},
		{"longest text", func(i *Identity) { i.Machine = strings.Repeat("m", MaxIdentityText) }, true},
		{"group alone", func(i *Identity) {
			*i = Identity{Machine: "m", Boot: "b", Mechanisms: []Mechanism{Group}, InitPID: 7}
		}, true},
		{"text too long", func(i *Identity) { i.Machine = strings.Repeat("m", MaxIdentityText+1) }, false},
		{"process id too large", func(i *Identity) { i.InitPID = MaxPID + 1 }, false},
		{"no process id", func(i *Identity) { i.InitPID = 0 }, false},
		{"no mechanism", func(i *Identity) { i.Mechanisms = nil }, false},
		{"unknown mechanism", func(i *Identity) { i.Mechanisms = []Mechanism{"jail"} }, false},
		{"out of order", func(i *Identity) { i.Mechanisms = []Mechanism{Cgroup, Namespace} }, false},
		{"repeated", func(i *Identity) { i.Mechanisms = []Mechanism{Cgroup, Cgroup} }, false},
		{"no machine", func(i *Identity) { i.Machine = "" }, false},
		{"no boot", func(i *Identity) { i.Boot = "" }, false},
		{"no observer", func(i *Identity) { i.PIDNamespace = "" }, false},
		{"both names of init", func(i *Identity) { i.InitStart = "5" }, false},
		{"no name of init", func(i *Identity) { i.InitInode = "" }, false},
		{"number with a sign", func(i *Identity) { i.InitInode = "+1" }, false},
		{"number beyond 64 bits", func(i *Identity) { i.CgroupInode = "18446744073709551616" }, false},
		{"cgroup without inode", func(i *Identity) { i.CgroupInode = "" }, false},
		{"cgroup outside its mount", func(i *Identity) { i.CgroupPath = "/sys/fs/cgroups/x" }, false},
		{"place without a cgroup", func(i *Identity) { i.Mechanisms = []Mechanism{Namespace} }, false},
	} {
		i := whole()
		c.change(&i)
		err := i.Validate()
		if (err == nil) != c.good || err != nil && !fault.Is(err, fault.Malformed) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestIdentityIsAClosedRecord(t *testing.T) {
	text, err := canon.Encode(whole())
	if err != nil {
		t.Fatal(err)
	}
	back, err := canon.Decode[Identity](text)
	if err != nil {
		t.Fatal(err)
	}
	again, err := canon.Encode(back)
	if err != nil || string(again) != string(text) {
		t.Errorf("%s, %v; was %s", again, err, text)
	}
	if _, err := canon.Decode[Identity]([]byte(`{"extra":1,` + string(text[1:]))); err == nil {
		t.Error("an unknown member was taken")
	}
}

func TestProvable(t *testing.T) {
	for _, c := range []struct {
		mechanisms []Mechanism
		confined   bool
		want       bool
	}{
		{[]Mechanism{Namespace}, false, true},
		{[]Mechanism{Namespace, Cgroup}, false, true},
		{[]Mechanism{Cgroup}, true, true},
		{[]Mechanism{Cgroup}, false, false},
		{[]Mechanism{Cgroup, Subreaper}, false, false},
		{[]Mechanism{Subreaper}, false, false},
		{[]Mechanism{Group}, false, false},
	} {
		if got := (Identity{Mechanisms: c.mechanisms, Confined: c.confined}).Provable(); got != c.want {
			t.Errorf("%v, confined %t: %t", c.mechanisms, c.confined, got)
		}
	}
}
