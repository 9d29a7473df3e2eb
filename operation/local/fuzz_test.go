package local

import (
	"bytes"
	"testing"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/operation"
	"github.com/git-algal/git-algal/operation/local/custody"
	"github.com/git-algal/git-algal/state"
)

// The samples are one record of each kind.

var sampleBinding = operation.Binding{OperationID: "op", AuthorityID: "git-algal.1", RequestDigest: canon.DigestText("payload")}

func sampleAdmission() Admission {
	return Admission{
		Contract: AdmissionContract, Binding: sampleBinding, Machine: "m", At: "2026-01-02T03:04:05Z", By: BySubmit, Work: ProcessTree,
		Run: &Run{
			Definition: canon.DigestText("d"), Workspace: "/w", GitDirectory: "/w/.git", Prompt: canon.DigestText("p"),
			RuntimeMs: 1000, MaxOutputBytes: 1024, Custody: custody.Found{Mechanisms: []custody.Mechanism{custody.Group}},
		},
	}
}

func sampleStart() Start {
	return launching(custody.Identity{
		Machine: "m", Boot: "b", Mechanisms: []custody.Mechanism{custody.Namespace}, PIDNamespace: "pid:[1]", InitPID: 7, InitInode: "9",
	})
}

func sampleConclusion(tb testing.TB) Conclusion {
	outcome, err := terminal(sampleAdmission(), operation.Completed, "done", true)
	if err != nil {
		tb.Fatal(err)
	}
	status := 0
	kept := Kept{Bytes: 4, Digest: canon.DigestText("done")}
	return Conclusion{
		By: BySupervisor, At: "2026-01-02T03:04:05Z", Reason: "the agent exited with status 0",
		Exit: &Exit{Status: &status}, Stdout: &kept, Stderr: &kept, Outcome: outcome,
	}
}

// fuzzRecord holds a parser to what it accepts: formatted again it is the same
// value, in canonical form, and on any error the zero value.
func fuzzRecord[T format](f *testing.F, parse func([]byte) (T, error), samples ...T) {
	for _, sample := range samples {
		text, err := sample.Format()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
		f.Add(bytes.Replace(text, []byte(`"contract"`), []byte(`"Contract"`), 1))
		f.Add(text[:len(text)-1])
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		record, err := parse(text)
		if err != nil {
			return
		}
		formatted, err := record.Format()
		if err != nil {
			t.Fatalf("it parses and does not format: %v", err)
		}
		canonical, err := canon.Canonicalize(text)
		if err != nil || !bytes.Equal(canonical, formatted) {
			t.Fatalf("%q is formatted as %q", canonical, formatted)
		}
	})
}

func FuzzIdentity(f *testing.F) {
	fuzzRecord(f, ParseIdentity, Identity{"git-algal.1", "m", state.Incarnation{Root: 2, Operations: 3}})
}

func FuzzAdmission(f *testing.F) {
	fuzzRecord(f, ParseAdmission, sampleAdmission(), Admission{
		Contract: AdmissionContract, Binding: sampleBinding, Machine: "m", At: "2026-01-02T03:04:05Z", By: ByOperator, Work: ProcessTree,
	})
}

func FuzzStart(f *testing.F) { fuzzRecord(f, ParseStart, sampleStart(), notStarted()) }

func FuzzMark(f *testing.F) {
	fuzzRecord(f, func(text []byte) (Mark, error) { return ParseMark(StoppingContract, text) },
		Mark{StoppingContract, "2026-01-02T03:04:05Z", ""}, Mark{StoppingContract, "2026-01-02T03:04:05Z", "why"})
}

func FuzzConclusion(f *testing.F) {
	lost := sampleConclusion(f)
	lost.By, lost.Exit, lost.Stdout, lost.Stderr = ByEvidence, nil, nil, nil
	fuzzRecord(f, func(text []byte) (Conclusion, error) { return ParseConclusion(text, sampleBinding) }, sampleConclusion(f), lost)
}

// FuzzFit holds a cut text to its room, as canonical JSON counts.
func FuzzFit(f *testing.F) {
	f.Add("text", 10, true)
	f.Add("\"\\\n\x01\u2028é€😀", 70, false)
	f.Add("", 0, true)
	f.Fuzz(func(t *testing.T, text string, room int, whole bool) {
		text = string(bytes.ToValidUTF8([]byte(text), []byte("?")))
		room = max(0, min(room, 1<<16))
		got := fit(text, whole, room)
		encoded, err := canon.Encode(got)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(encoded) - len(`""`); n > room || n != escapedLen(got) {
			t.Fatalf("%q has %d bytes of %d, and %d were counted", got, n, room, escapedLen(got))
		}
		if whole && escapedLen(text) <= room && got != text {
			t.Fatalf("%q fits and became %q", text, got)
		}
	})
}
