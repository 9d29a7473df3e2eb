package state

import (
	"fmt"
	"path"
	"strings"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
)

// Counts of contract section 2. The store reports counts and refuses what has
// no number; whether one more job may be prepared is the caller's to decide.
const (
	MaxJobs         = 256 // job directories per store
	MaxReservations = 256 // operation reservations per store
	MaxObservations = 16  // per job: each changes what is known, a mere lookup stores none
	MaxValidations  = 64  // per job
)

// Bounds of records in bytes of their canonical form (contract section 2).
const (
	MaxIntentBytes      = 131_072 // a prompt of 65,536 bytes, escaped, and its frame
	MaxResultBytes      = 4_096   // result.json and resolution.json: references and a reason
	MaxClaimBytes       = 8_192   // a path of 4,096 characters
	MaxMarkerBytes      = 1_024   // a job id
	MaxReservationBytes = 4_096   // a binding and a job id
	MaxControlBytes     = 262_144 // control.json and control-after.json: settings and frozen files
	MaxValidationBytes  = 65_536  // a validation's start or end: an argument list or references

	// MaxValueBytes bounds the largest kind of value, a raw document: 16,384
	// entries of half a kibibyte.
	MaxValueBytes = 8_388_608

	// MaxCarriedBytes bounds what a record may carry beside its own members:
	// the most that an intent can admit for an outcome or a patch.
	MaxCarriedBytes = 1_048_576

	observationFrameBytes = 1_024 // an observation's own members
	settlementFrameBytes  = 8_192 // a settlement's own members, its result included
)

// Names of directories and files below the root.
const (
	jobsDir         = "coding-jobs"
	reservationsDir = "coding-operations"
	workspacesDir   = "coding-workspaces"
	valuesDir       = "values"
	leasesDir       = "leases"

	observationsDir = "observations"
	validationsDir  = "validations"

	intentFile       = "intent.json"
	markerFile       = "started.json"
	resultFile       = "result.json"
	settlementFile   = "settlement.json"
	resolutionFile   = "resolution.json"
	controlFile      = "control.json"
	controlAfterFile = "control-after.json"
	claimFile        = "claim.json"

	jsonSuffix  = ".json"
	startSuffix = "-start.json"
	endSuffix   = "-end.json"

	temporaryPrefix = ".tmp-"

	// recordedLock is a file of the recorded host that may have stayed behind
	// between records. It is ours neither to judge nor to take away.
	recordedLock = ".lock"
)

// A Name is the place of one record: its path below the root, its bound, and
// whether it may be replaced. Names come from the functions of this file; the
// zero Name, and a Name made of a malformed digest or a number beyond its
// bound, is refused by every operation with the reason.
type Name struct {
	path  string // slash-separated, below the root
	bound int    // bytes

	replaceable bool
	frozenBy    string // path of the record from whose existence on a replaceable one is immutable
	err         error
}

// String returns the path below the root, with slashes.
func (n Name) String() string { return n.path }

// Bound returns the most bytes that the record may have.
func (n Name) Bound() int { return n.bound }

func (n Name) dir() string  { return path.Dir(n.path) }
func (n Name) base() string { return path.Base(n.path) }

func (n Name) check() error {
	if n.err == nil && n.path == "" {
		return fault.New(fault.Malformed, "a record of the store has no name")
	}
	return n.err
}

// Intent names what was admitted; its directory is the job.
func Intent(job canon.Digest) Name { return jobRecord(job, intentFile, MaxIntentBytes) }

// Marker names the launch marker, which is never cleared.
func Marker(job canon.Digest) Name { return jobRecord(job, markerFile, MaxMarkerBytes) }

// Result names the initial result of the host that launched the job.
func Result(job canon.Digest) Name { return jobRecord(job, resultFile, MaxResultBytes) }

// Resolution names the result that a reconciliation found.
func Resolution(job canon.Digest) Name { return jobRecord(job, resolutionFile, MaxResultBytes) }

// Settlement names the settlement of a job that admitted maxPatchBytes.
func Settlement(job canon.Digest, maxPatchBytes int) Name {
	return carrying(jobRecord(job, settlementFile, settlementFrameBytes), maxPatchBytes)
}

// Observation names the nth retained outcome, from 1 to [MaxObservations], of
// a job that admitted maxOutputBytes. A higher n is fault.OverBound.
func Observation(job canon.Digest, n, maxOutputBytes int) Name {
	file := path.Join(observationsDir, number(n)+jsonSuffix)
	return numbered(carrying(jobRecord(job, file, observationFrameBytes), maxOutputBytes), n, MaxObservations)
}

// Control names what decided git's answers at admission. It is replaceable
// until the launch marker exists.
func Control(job canon.Digest) Name {
	return frozenFrom(jobRecord(job, controlFile, MaxControlBytes), job, markerFile)
}

// ControlAfter names what decided git's answers at the capture. It is
// replaceable until the settlement exists.
func ControlAfter(job canon.Digest) Name {
	return frozenFrom(jobRecord(job, controlAfterFile, MaxControlBytes), job, settlementFile)
}

// ValidationStart names the start of the nth validation, from 1 to
// [MaxValidations]. A higher n is fault.OverBound.
func ValidationStart(job canon.Digest, n int) Name {
	file := path.Join(validationsDir, number(n)+startSuffix)
	return numbered(jobRecord(job, file, MaxValidationBytes), n, MaxValidations)
}

// ValidationEnd names the end of the nth validation.
func ValidationEnd(job canon.Digest, n int) Name {
	file := path.Join(validationsDir, number(n)+endSuffix)
	return numbered(jobRecord(job, file, MaxValidationBytes), n, MaxValidations)
}

// Reservation names the reservation of an operation by its key, the digest
// over its authority and operation ids.
func Reservation(key canon.Digest) Name {
	return digested(key, path.Join(reservationsDir, key.Hex()+jsonSuffix), MaxReservationBytes)
}

// Claim names the claim on a workspace by the digest over its canonical path.
// It is the only record that stays replaceable for good.
func Claim(workspace canon.Digest) Name {
	name := digested(workspace, path.Join(workspacesDir, workspace.Hex(), claimFile), MaxClaimBytes)
	name.replaceable = true
	return name
}

func value(digest canon.Digest) Name {
	return digested(digest, path.Join(valuesDir, digest.Hex()+jsonSuffix), MaxValueBytes)
}

func jobDir(job canon.Digest) string { return path.Join(jobsDir, job.Hex()) }

func jobRecord(job canon.Digest, file string, bound int) Name {
	return digested(job, path.Join(jobDir(job), file), bound)
}

// digested is the only way to a path: what is no digest could climb out of
// the store.
func digested(digest canon.Digest, p string, bound int) Name {
	if !digest.Valid() {
		return Name{err: fault.New(fault.Malformed, "%q is not a sha256 digest", string(digest))}
	}
	return Name{path: p, bound: bound}
}

func frozenFrom(name Name, job canon.Digest, file string) Name {
	name.replaceable = true
	name.frozenBy = path.Join(jobDir(job), file)
	return name
}

// carrying adds what a record carries to the bound of its own members.
func carrying(name Name, carried int) Name {
	if name.err == nil && (carried < 1 || carried > MaxCarriedBytes) {
		return Name{err: fault.New(fault.OverBound, "%q cannot carry %d bytes, only 1 to %d", name.path, carried, MaxCarriedBytes)}
	}
	name.bound += carried
	return name
}

func numbered(name Name, n, most int) Name {
	if name.err == nil && (n < 1 || n > most) {
		return Name{err: fault.New(fault.OverBound, "%q has a number beyond 1 to %d", name.path, most)}
	}
	return name
}

// numberDigits is the width of a number in a file name.
const numberDigits = 4

func number(n int) string { return fmt.Sprintf("%0*d", numberDigits, n) }

// parseNumber reads what number wrote, of the file name after its suffix.
func parseNumber(s string) (n int, ok bool) {
	if len(s) != numberDigits {
		return 0, false
	}
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = 10*n + int(c-'0')
	}
	return n, n > 0
}

// parseHex reads the digest of which hexDigits is the name of an entry.
func parseHex(hexDigits string) (canon.Digest, bool) {
	digest, err := canon.ParseDigest("sha256:" + hexDigits)
	return digest, err == nil
}

// isTemporary reports whether name is that of a file on its way: the prefix
// and 48 lower-case hexadecimal digits.
func isTemporary(name string) bool {
	digits, found := strings.CutPrefix(name, temporaryPrefix)
	return found && len(digits) == 2*nonceSize && strings.Trim(digits, "0123456789abcdef") == ""
}
