package operation_test

import (
	"strings"
	"testing"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
	"github.com/git-algal/git-algal/operation"
)

func TestReservationVectors(t *testing.T) {
	var file intentFile
	readVectors(t, "intents.json", &file)
	seen := 0
	for _, c := range file.Cases {
		if c.Admission == "" {
			continue
		}
		seen++
		t.Run(c.Name, func(t *testing.T) {
			r, err := operation.ParseReservation([]byte(c.Admission))
			if err != nil {
				t.Fatal(err)
			}
			if r.JobID != c.JobID || r.Binding.RequestDigest != c.RequestDigest {
				t.Errorf("got %+v", r)
			}
			if key, err := r.Key(); err != nil || key != c.OperationKeyDigest {
				t.Errorf("key is %s, %v, want that of %s", key, err, c.OperationKeyCanonical)
			}
			if text, err := r.Format(); err != nil || string(text) != c.Admission {
				t.Errorf("formatted as %s, %v", text, err)
			}
			if _, err := operation.NewSubmit(r.Binding, []byte(c.RequestPayload)); err != nil {
				t.Errorf("the payload does not fit its reservation: %v", err)
			}
		})
	}
	if seen == 0 {
		t.Fatal("no cases")
	}
}

func sampleReservation() operation.Reservation {
	return operation.Reservation{JobID: job, Binding: testBinding()}
}

func TestReservationRefuses(t *testing.T) {
	good := string(must(sampleReservation().Format()))
	for name, text := range map[string]string{
		"contract":       strings.Replace(good, "admission.v1", "admission.v2", 1),
		"job":            strings.Replace(good, string(job), "sha256:0", 1),
		"operation":      strings.Replace(good, "repair-001", "a b", 1),
		"request digest": strings.Replace(good, string(testBinding().RequestDigest), "", 1),
		"unknown member": strings.Replace(good, "{", `{"a":1,`, 1),
		"null":           "null",
	} {
		if got, err := operation.ParseReservation([]byte(text)); !fault.Is(err, fault.Malformed) || got != (operation.Reservation{}) {
			t.Errorf("%s: got %+v, %v", name, got, err)
		}
	}
	if text, err := (operation.Reservation{}).Format(); !fault.Is(err, fault.Malformed) || text != nil {
		t.Errorf("the zero reservation: %s, %v", text, err)
	}
}

func TestReservationKeyIgnoresJobAndRequest(t *testing.T) {
	first, other := sampleReservation(), sampleReservation()
	other.JobID, other.Binding.RequestDigest = otherRef, otherRef
	if must(first.Key()) != must(other.Key()) {
		t.Error("another job or request has another key")
	}
	other.Binding.OperationID = "repair-002"
	if must(first.Key()) == must(other.Key()) {
		t.Error("another operation has the same key")
	}
	want, _, _ := canon.DigestCanonical([]byte(`{"operationId":"repair-001","authorityId":"ledger-001"}`))
	if got, err := operation.ReservationKey("ledger-001", "repair-001"); err != nil || got != want {
		t.Errorf("got %s, %v", got, err)
	}
	for _, pair := range [][2]operation.Identity{{"", "b"}, {"a", ""}} {
		if got, err := operation.ReservationKey(pair[0], pair[1]); !fault.Is(err, fault.Malformed) || got != "" {
			t.Errorf("%q: got %s, %v", pair, got, err)
		}
	}
}

func FuzzParseReservation(f *testing.F) {
	f.Add(must(sampleReservation().Format()))
	f.Fuzz(func(t *testing.T, text []byte) {
		reservation, err := operation.ParseReservation(text)
		if err != nil {
			return
		}
		formatted, err := reservation.Format()
		if err != nil {
			t.Fatal(err)
		}
		requireCanonicalOf(t, text, formatted)
	})
}
