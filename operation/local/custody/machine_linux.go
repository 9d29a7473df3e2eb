package custody

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"strings"

	"github.com/git-algal/git-algal/internal/fault"
)

// machineFiles are where the machine's own id is, the first that has one.
// dbus keeps an older copy.
func machineFiles() []string { return []string{"/etc/machine-id", "/var/lib/dbus/machine-id"} }

// machineScope makes another name of the machine's id for use here alone:
// machine-id(5) asks for that, because the id itself is confidential.
const machineScope = "git-algal machine 1"

// MachineID returns a name of this machine that outlives a restart: 64
// hexadecimal digits. It returns fault.UnsupportedSystem where the machine has
// no id, as many container images have none.
func MachineID() (string, error) {
	for _, name := range machineFiles() {
		text, err := os.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return "", fault.New(fault.HostFailed, "the machine's id can't be read: %w", err)
		}
		id := strings.TrimSpace(string(text))
		if raw, err := hex.DecodeString(id); err == nil && len(raw) == 16 {
			scoped := hmac.New(sha256.New, raw)
			scoped.Write([]byte(machineScope))
			return hex.EncodeToString(scoped.Sum(nil)), nil
		}
	}
	return "", fault.New(fault.UnsupportedSystem, "this machine has no id in %q", machineFiles()[0]).
		WithNext("make one with: systemd-machine-id-setup, or dbus-uuidgen --ensure=/etc/machine-id")
}

// BootID returns a name of the time since this machine's last start. It returns
// fault.HostFailed where /proc can't be read.
func BootID() (string, error) {
	text, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return "", fault.New(fault.HostFailed, "the id of this boot can't be read: %w", err)
	}
	return strings.TrimSpace(string(text)), nil
}

// namespaceOf returns the name of one of this process's namespaces, as in
// "pid:[4026531836]".
func namespaceOf(kind string) (string, error) {
	name, err := os.Readlink("/proc/self/ns/" + kind)
	if err != nil {
		return "", fault.New(fault.HostFailed, "the %s namespace can't be read: %w", kind, err)
	}
	return name, nil
}
