package jobs_test

import (
	"encoding/json"

	"github.com/git-algal/git-algal/internal/fault"
)

// A difference is a step whose recorded answer contract.md overrules.
type difference struct {
	reason      string
	code        fault.Code // the error that is due instead
	succeeds    bool       // the step succeeds instead of failing
	contains    string     // what the returned snapshot must contain
	filesDiffer bool       // other records are written, as follows from the above
}

const (
	section8     = "errors without a code have the code of section 8"
	bytesRefused = "byte order marks and duplicate members are refused"
	judge        = "info/attributes decides git's answers and may not change"
	sizeFirst    = "the size of the intent is checked before anything is published"
)

// differences names, by scenario and step, every recorded answer that the
// contract overrules, and why.
var differences = map[string]map[int]difference{
	"b-command-bom": {
		1: {reason: bytesRefused, contains: "external-result-unavailable:EFFECT_FAILED", filesDiffer: true},
	},
	"b-command-dupkey": {
		1: {reason: bytesRefused, contains: "external-result-unavailable:EFFECT_FAILED", filesDiffer: true},
	},
	"b-lost-reply-then-lookup-fails": {
		2: {reason: section8, code: fault.EffectFailed},
	},
	"e-git-config-hooks": {
		1: {reason: judge, contains: "settled-patch-rejected:CAPABILITY_DENIED", filesDiffer: true},
		2: {reason: judge, code: fault.CapabilityDenied},
		3: {reason: judge, contains: "settled-patch-rejected:CAPABILITY_DENIED"},
	},
	"e-non-utf8-diff": {
		1: {reason: "other encodings travel as binary hunks", contains: `"status":"completed"`, filesDiffer: true},
		2: {reason: "other encodings travel as binary hunks", succeeds: true},
		3: {reason: "other encodings travel as binary hunks", contains: `"status":"completed"`},
	},
	"e-non-utf8-name": {
		1: {reason: section8, contains: "settled-patch-rejected:CAPABILITY_DENIED", filesDiffer: true},
		3: {reason: section8, contains: "settled-patch-rejected:CAPABILITY_DENIED"},
	},
	"e-symlink-added": {
		1: {reason: section8, contains: "settled-patch-rejected:CAPABILITY_DENIED", filesDiffer: true},
		3: {reason: section8, contains: "settled-patch-rejected:CAPABILITY_DENIED"},
	},
	"f-intent-without-reservation": {
		5: {reason: section8, code: fault.DigestMismatch},
	},
	"f-prompt-escapes": {
		0: {reason: sizeFirst, code: fault.BudgetExhausted, filesDiffer: true},
		1: {reason: sizeFirst, succeeds: true, contains: `"status":"prepared"`, filesDiffer: true},
	},
	"f-unknown-job": {
		1: {reason: section8, code: fault.StoreMiss},
		4: {reason: section8, code: fault.StoreMiss},
		5: {reason: section8, code: fault.StoreMiss},
	},
	"j-claim-tampered": {
		3: {reason: section8, code: fault.StoreMiss},
		4: {reason: section8, code: fault.StoreMiss},
	},
	"k-bare": {
		1: {reason: "a path that ends in a blank works", succeeds: true, contains: `"status":"prepared"`, filesDiffer: true},
	},
	"k-prepare-errors": {
		3:  {reason: section8, code: fault.IOFailed},
		7:  {reason: "a trailing slash does not hide a symlink", code: fault.IOFailed, filesDiffer: true},
		21: {reason: section8, code: fault.IOFailed},
	},
}

// patchTextDiffers names the scenarios whose trackedPatch is not git's text:
// the same blobs and modes, with another text and so another reference.
var patchTextDiffers = map[string]string{
	"e-git-config-noprefix":           "the worker's diff configuration never reaches the patch",
	"e-git-config-quotepath-relative": "the worker's quoting configuration never reaches the patch",
	"p-binary-modified":               "another deflate writes the binary hunk",
}

// withoutPatchText leaves the patch text out of a record where it differs.
func withoutPatchText(scenario, text string) string {
	if _, differs := patchTextDiffers[scenario]; !differs {
		return text
	}
	var document map[string]any
	if err := json.Unmarshal([]byte(text), &document); err != nil {
		return text
	}
	delete(document, "trackedPatch")
	if patch, ok := document["patch"].(map[string]any); ok {
		delete(patch, "trackedPatch")
	}
	rest, err := json.Marshal(document)
	if err != nil {
		return text
	}
	return string(rest)
}
