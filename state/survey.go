package state

import (
	"bytes"
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
)

// A Finding is one thing in a store that is not as it should be.
type Finding struct {
	Path        string // below the root, with slashes; "." for the root itself
	Code        fault.Code
	Problem     string // one sentence, as errors are written
	Consequence string // what follows for the commands, or for whom
}

// A Survey is what a walk over a whole store found, each entry judged by
// itself: its name, kind, owner, permissions, size and form. What the records
// say of each other is not the store's to know.
type Survey struct {
	Jobs         []canon.Digest // every job directory that can be entered
	Reservations []canon.Digest // the keys of the reservations
	Claims       []canon.Digest // the workspaces that have a directory for a claim
	Findings     []Finding
}

// The consequences of what is wrong with a single entry.
const (
	consequenceRefused  = "every command that needs it refuses"
	consequenceUnread   = "nothing reads it; somebody who writes here could have changed records too"
	consequenceNoNewJob = "no job can be prepared in this store until it is gone"
	consequenceExposed  = "users other than its owner have access to what the store keeps: prompts, answers and patches"
	consequenceForm     = "it is read as it is, but these are not the bytes that were published"
	consequenceLost     = "the value counts as lost and is never repaired silently; where a record retains its bytes, put the file aside and run: git algal reconcile JOB"
)

// Survey walks the whole store and changes nothing. It may run beside a
// writer: a record that is on its way is not there yet, and temporaries are
// passed over as everywhere.
//
// The error is fault.Missing for a store that is not there, that of [Open] for
// a root that may not be used, and fault.Cancelled or fault.Deadline for the
// end of ctx; everything below the root is a finding.
func (s *Store) Survey(ctx context.Context) (Survey, error) {
	root, err := s.openRoot()
	if err != nil {
		return Survey{}, err
	}
	_ = root.Close()
	v := &surveyor{ctx: ctx, store: s}
	v.walkRoot()
	if err := ctx.Err(); err != nil {
		return Survey{}, interrupted(err, "walking the store")
	}
	slices.SortStableFunc(v.found.Findings, func(a, b Finding) int { return cmp.Compare(a.Path, b.Path) })
	return v.found, nil
}

type surveyor struct {
	ctx   context.Context // looked at before each entry; the walk is one call
	store *Store
	found Survey
}

func (v *surveyor) report(below string, err error, consequence string) {
	e, ok := fault.Of(err)
	if !ok {
		e = fault.New(fault.HostFailed, "%w", err)
	}
	v.found.Findings = append(v.found.Findings, Finding{below, e.Condition.Code(), e.Message, consequence})
}

func (v *surveyor) stray(below, consequence string) {
	dir, name := path.Split(below)
	v.report(below, v.store.stray(path.Clean(dir), name), consequence)
}

// entries calls visit for each entry of a directory, in the order of the
// names, after having looked at the directory itself.
func (v *surveyor) entries(below string, visit func(name string, info Info)) {
	dir, err := v.store.openDir(below)
	if fault.Is(err, fault.Missing) {
		return
	}
	if err != nil {
		v.report(below, err, consequenceRefused)
		return
	}
	info, err := dir.Info()
	_ = dir.Close()
	if err == nil {
		v.checkExposure(below, info)
		err = v.store.list(below, func(name string, info Info) error {
			visit(name, info)
			return v.ctx.Err()
		})
	}
	if err != nil {
		v.report(below, err, consequenceRefused)
	}
}

// checkExposure reports permissions of others that reading does not refuse.
func (v *surveyor) checkExposure(below string, info Info) {
	const others = 0o077
	if info.Perm&others != 0 {
		v.report(below, fault.New(fault.StoreFile, "%q is open to others: its permissions are %#o", v.store.at(below), info.Perm), consequenceExposed)
	}
}

func (v *surveyor) walkRoot() {
	walks := map[string]func(){
		jobsDir: v.walkJobs, reservationsDir: v.walkReservations, workspacesDir: v.walkWorkspaces,
		valuesDir: v.walkValues, leasesDir: v.walkLeases,
	}
	v.entries(".", func(name string, _ Info) {
		if walk, ok := walks[name]; ok {
			walk()
		} else {
			v.stray(name, consequenceUnread)
		}
	})
}

func (v *surveyor) walkJobs() {
	v.entries(jobsDir, func(name string, _ Info) {
		below := path.Join(jobsDir, name)
		job, ok := parseHex(name)
		switch {
		case name == recordedLock:
		case !ok:
			v.stray(below, consequenceNoNewJob)
		default:
			v.found.Jobs = append(v.found.Jobs, job)
			v.walkJob(job)
		}
	})
	v.count(jobsDir, len(v.found.Jobs), MaxJobs)
}

func (v *surveyor) count(below string, n, most int) {
	if n > most {
		v.report(below, fault.New(fault.OverBound, "%q holds %d entries, more than %d", v.store.at(below), n, most),
			"no job can be prepared in this store; its other commands go on")
	}
}

func (v *surveyor) walkJob(job canon.Digest) {
	records := map[string]Name{}
	for _, name := range []Name{
		Intent(job), Marker(job), Result(job), Resolution(job), Control(job), ControlAfter(job), Settlement(job, MaxCarriedBytes),
	} {
		records[name.base()] = name
	}
	v.entries(jobDir(job), func(name string, info Info) {
		below := path.Join(jobDir(job), name)
		record, ok := records[name]
		switch {
		case ok:
			v.checkRecord(record, info)
		case name == observationsDir:
			v.walkObservations(job)
		case name == validationsDir:
			v.walkValidations(job)
		case isRecordedLease(name):
		default:
			v.stray(below, consequenceUnread)
		}
	})
}

func (v *surveyor) walkObservations(job canon.Digest) {
	below := path.Join(jobDir(job), observationsDir)
	v.entries(below, func(name string, info Info) {
		digits, ok := strings.CutSuffix(name, jsonSuffix)
		_, valid := parseNumber(digits)
		if !ok || !valid {
			v.stray(path.Join(below, name), "the job can be neither inspected nor reconciled until it is gone")
			return
		}
		v.checkRecord(Name{path: path.Join(below, name), bound: Observation(job, 1, MaxCarriedBytes).bound}, info)
	})
	v.checkSequence(below, "the job can be neither inspected nor reconciled", func() error {
		_, err := v.store.Observations(job)
		return err
	})
}

func (v *surveyor) walkValidations(job canon.Digest) {
	below := path.Join(jobDir(job), validationsDir)
	v.entries(below, func(name string, info Info) {
		digits, ok := strings.CutSuffix(name, startSuffix)
		if !ok {
			digits, ok = strings.CutSuffix(name, endSuffix)
		}
		_, valid := parseNumber(digits)
		if !ok || !valid {
			v.stray(path.Join(below, name), "the job's validations cannot be read until it is gone")
			return
		}
		v.checkRecord(Name{path: path.Join(below, name), bound: MaxValidationBytes}, info)
	})
	v.checkSequence(below, "the job's validations cannot be read", func() error {
		_, err := v.store.Validations(job)
		return err
	})
}

// checkSequence reports a gap in numbered records, or too many of them. A
// listing beside a writer may show a later entry and not an earlier one, so a
// gap is only what two listings show.
func (v *surveyor) checkSequence(below, consequence string, list func() error) {
	var err error
	for range 2 {
		err = list()
		if !fault.Is(err, fault.StoreInconsistent) && !fault.Is(err, fault.OverBound) {
			return
		}
	}
	v.report(below, err, consequence)
}

func (v *surveyor) walkReservations() {
	v.entries(reservationsDir, func(name string, info Info) {
		hexDigits, ok := strings.CutSuffix(name, jsonSuffix)
		key, valid := parseHex(hexDigits)
		switch {
		case name == recordedLock:
		case !ok || !valid:
			v.stray(path.Join(reservationsDir, name), consequenceNoNewJob)
		default:
			v.found.Reservations = append(v.found.Reservations, key)
			v.checkRecord(Reservation(key), info)
		}
	})
	v.count(reservationsDir, len(v.found.Reservations), MaxReservations)
}

func (v *surveyor) walkWorkspaces() {
	v.entries(workspacesDir, func(name string, _ Info) {
		below := path.Join(workspacesDir, name)
		workspace, ok := parseHex(name)
		if !ok {
			if name != recordedLock {
				v.stray(below, consequenceUnread)
			}
			return
		}
		v.found.Claims = append(v.found.Claims, workspace)
		v.entries(below, func(name string, info Info) {
			switch {
			case name == claimFile:
				v.checkRecord(Claim(workspace), info)
			case !isRecordedLease(name):
				v.stray(path.Join(below, name), consequenceUnread)
			}
		})
	})
}

// isRecordedLease reports whether name, in the directory of a job or a
// workspace, is one under which the recorded host kept a lease or its owner
// (see [Store], reading).
func isRecordedLease(name string) bool {
	for _, word := range []string{"lock", "lease", "owner"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}

func (v *surveyor) walkValues() {
	v.entries(valuesDir, func(name string, info Info) {
		below := path.Join(valuesDir, name)
		hexDigits, ok := strings.CutSuffix(name, jsonSuffix)
		digest, valid := parseHex(hexDigits)
		switch {
		case name == recordedLock:
		case !ok || !valid:
			v.stray(below, consequenceUnread)
		default:
			v.checkValue(digest, info)
		}
	})
}

func (v *surveyor) walkLeases() {
	v.entries(leasesDir, func(name string, info Info) {
		below := path.Join(leasesDir, name)
		stem, ok := strings.CutSuffix(name, lockSuffix)
		if !ok {
			stem, ok = strings.CutSuffix(name, noteSuffix)
		}
		hexDigits, isJob := strings.CutPrefix(stem, jobLeasePrefix)
		_, valid := parseHex(hexDigits)
		if !ok || stem != admissionLease && (!isJob || !valid) {
			v.stray(below, consequenceUnread)
			return
		}
		v.checkFile(below, info)
	})
}

// checkFile judges a file by its entry alone, and reports whether its content
// may be read.
func (v *surveyor) checkFile(below string, info Info) bool {
	if err := v.store.checkEntry(info, KindFile, below); err != nil {
		v.report(below, err, consequenceRefused)
		return false
	}
	v.checkExposure(below, info)
	return true
}

func (v *surveyor) checkRecord(name Name, info Info) {
	if !v.checkFile(name.path, info) {
		return
	}
	data, err := v.store.read(name)
	if fault.Is(err, fault.Missing) {
		return
	}
	if err != nil {
		v.report(name.path, err, consequenceRefused)
		return
	}
	v.checkForm(name, data)
}

// checkForm holds bytes against their canonical form.
func (v *surveyor) checkForm(name Name, data []byte) {
	canonical, err := canon.Canonicalize(data)
	switch {
	case err != nil:
		v.report(name.path, fault.New(fault.Malformed, "%q is no JSON value: %w", v.store.at(name.path), err), consequenceRefused)
	case !bytes.Equal(data, canonical):
		v.report(name.path, fault.New(fault.Malformed, "%q is not in canonical form", v.store.at(name.path)), consequenceForm)
	}
}

func (v *surveyor) checkValue(digest canon.Digest, info Info) {
	name := value(digest)
	if !v.checkFile(name.path, info) {
		return
	}
	data, err := v.store.read(name)
	if err == nil && canon.DigestText(data) == digest {
		return // whoever wrote it, these are the bytes that the name promises
	}
	if err == nil {
		_, err = v.store.rehash(digest, data)
	}
	switch {
	case fault.Is(err, fault.Missing):
	case err != nil:
		v.report(name.path, err, consequenceLost)
	default:
		v.checkForm(name, data)
	}
}
