package hooks

import (
	"bytes"
	"io"
	"strings"

	"github.com/git-algal/git-algal/internal/fault"
)

// maxInputBytes bounds what git may say to one hook, in bytes: half a million
// references of the usual length.
const maxInputBytes = 64 << 20

// symbolicPrefix stands before the name to which a symbolic reference leads;
// git 2.39 never says so, later versions do.
const symbolicPrefix = "ref:"

// An Update is what one line of reference-transaction announces.
type Update struct {
	Ref string // full name
	Old string // object id, zeros where the caller of git does not care, or "ref:" and a name
	New string // object id, zeros for a deletion, or "ref:" and a name
}

// ParseUpdates reads the standard input of reference-transaction: lines of
// old value, new value and name (githooks(5)). Errors are fault.Malformed,
// fault.OverBound for more than 64 MiB, and fault.HostFailed where it cannot
// be read.
func ParseUpdates(r io.Reader) ([]Update, error) {
	var updates []Update
	err := eachLine(r, func(line string) bool {
		fields := strings.Split(line, " ")
		const oldValue, newValue, name, count = 0, 1, 2, 3
		if len(fields) != count || !isValue(fields[oldValue]) || !isValue(fields[newValue]) || !isRefName(fields[name]) {
			return false
		}
		updates = append(updates, Update{Ref: fields[name], Old: fields[oldValue], New: fields[newValue]})
		return true
	})
	if err != nil {
		return nil, err
	}
	return updates, nil
}

// A Push is what one line of pre-push announces.
type Push struct {
	LocalRef  string // as the person named it, blanks included
	LocalID   string // zeros for a deletion
	RemoteRef string
	RemoteID  string // zeros where it does not exist there yet
}

// ParsePushes reads the standard input of pre-push: lines of local name and
// id, remote name and id (githooks(5)). The errors are those of
// [ParseUpdates].
func ParsePushes(r io.Reader) ([]Push, error) {
	var pushes []Push
	err := eachLine(r, func(line string) bool {
		fields := strings.Split(line, " ")
		const localID, remoteRef, remoteID = 3, 2, 1 // from the end
		n := len(fields)
		if n <= localID {
			return false
		}
		p := Push{
			LocalRef: strings.Join(fields[:n-localID], " "), LocalID: fields[n-localID],
			RemoteRef: fields[n-remoteRef], RemoteID: fields[n-remoteID],
		}
		if p.LocalRef == "" || !isID(p.LocalID) || !isRefName(p.RemoteRef) || !isID(p.RemoteID) {
			return false
		}
		pushes = append(pushes, p)
		return true
	})
	if err != nil {
		return nil, err
	}
	return pushes, nil
}

// eachLine hands take every line of r, and stops at one that it refuses.
func eachLine(r io.Reader, take func(line string) bool) error {
	text, err := io.ReadAll(io.LimitReader(r, maxInputBytes+1))
	if err != nil {
		return fault.New(fault.HostFailed, "what git says to the hook cannot be read: %w", err)
	}
	if len(text) > maxInputBytes {
		return fault.New(fault.OverBound, "git says more than %d bytes to the hook", maxInputBytes)
	}
	number := 0
	for line := range bytes.Lines(text) {
		number++
		whole, ended := bytes.CutSuffix(line, []byte("\n"))
		if !ended || !take(string(whole)) {
			return fault.New(fault.Malformed, "line %d of what git says to the hook is no update", number)
		}
	}
	return nil
}

// isValue reports whether text is what a reference may hold.
func isValue(text string) bool {
	target, symbolic := strings.CutPrefix(text, symbolicPrefix)
	return isID(text) || symbolic && isRefName(target)
}

// Lengths of object ids in hexadecimal digits.
const (
	sha1Digits   = 40
	sha256Digits = 64
)

func isID(text string) bool {
	return (len(text) == sha1Digits || len(text) == sha256Digits) && strings.Trim(text, "0123456789abcdef") == ""
}

// isZero reports whether an object id stands for none.
func isZero(id string) bool { return strings.Trim(id, "0") == "" }

// isRefName is coarse: git has checked the name, and it is only compared.
func isRefName(name string) bool { return name != "" && !strings.ContainsAny(name, " \n\x00") }
