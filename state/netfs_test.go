package state

import "testing"

func TestSharedSystemsOfLinux(t *testing.T) {
	for what, test := range map[string]struct {
		magic  uint32
		shared bool
	}{
		"nfs": {0x6969, true}, "nfsd": {0x6e667364, true}, "smb": {0x517b, true}, "cifs": {0xff534d42, true},
		"smb2": {0xfe534d42, true}, "9p": {0x01021997, true}, "fuse, virtiofs, sshfs": {0x65735546, true},
		"ceph": {0x00c36400, true}, "afs": {0x5346414f, true}, "ocfs2": {0x7461636f, true},
		"gfs2": {0x01161970, true}, "lustre": {0x0bd00bd0, true}, "vboxsf": {0x786f4256, true},
		"ext4": {0xef53, false}, "xfs": {0x58465342, false}, "btrfs": {0x9123683e, false}, "zfs": {0x2fc12fc1, false},
		"f2fs": {0xf2f52010, false}, "bcachefs": {0xca451a4e, false}, "tmpfs": {0x01021994, false},
		"overlay": {0x794c7630, false}, "ecryptfs": {0xf15f, false}, "unknown": {0x12345678, false},
	} {
		got := systemByMagic(test.magic)
		if got.Shared != test.shared {
			t.Errorf("%s: shared is %v", what, got.Shared)
		}
		if got.Shared && got.Name == "" {
			t.Errorf("%s is refused without a name", what)
		}
	}
}

func TestSharedSystemsOfMacOS(t *testing.T) {
	for _, test := range []struct {
		name          string
		local, shared bool
	}{
		{"apfs", true, false}, {"hfs", true, false}, {"exfat", true, false}, {"apfs", false, true},
		{"nfs", false, true}, {"nfs", true, true}, {"smbfs", false, true}, {"smbfs", true, true}, {"afpfs", true, true},
		{"webdav", true, true}, {"macfuse", true, true}, {"osxfusefs", true, true}, {"fuse-t", true, true},
		{"virtiofs", true, true}, {"AppleVirtIOFS", true, true}, {"9p", true, true}, {"unheard-of", false, true},
	} {
		if got := systemByName(test.name, test.local); got.Shared != test.shared || got.Name != test.name {
			t.Errorf("%s, local %v: %+v", test.name, test.local, got)
		}
	}
}

func TestOwners(t *testing.T) {
	for _, test := range []struct {
		uid, self int
		want      Owner
	}{{1000, 1000, OwnerSelf}, {0, 1000, OwnerRoot}, {1001, 1000, OwnerForeign}, {0, 0, OwnerSelf}, {1000, 0, OwnerForeign}} {
		if got := ownerOf(test.uid, test.self); got != test.want {
			t.Errorf("an entry of %d, read by %d: %v", test.uid, test.self, got)
		}
	}
}

func TestNumbersAndTemporaries(t *testing.T) {
	for s, want := range map[string]int{"0001": 1, "0016": 16, "9999": 9999, "0000": 0, "": 0, "001": 0, "00001": 0, "-001": 0, "+001": 0, "0x01": 0, "00 1": 0} {
		if got, ok := parseNumber(s); got != want || ok != (want > 0) {
			t.Errorf("%q: %d, %v", s, got, ok)
		}
	}
	digits := "0123456789abcdef0123456789abcdef0123456789abcdef"
	for name, want := range map[string]bool{
		".tmp-" + digits: true, ".tmp-" + digits[1:]: false, ".tmp-" + digits + "0": false, "tmp-" + digits: false,
		".tmp-A" + digits[1:]: false, ".tmp-/" + digits[1:]: false, ".tmp-": false, "": false,
	} {
		if got := isTemporary(name); got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
}

func FuzzParseNumber(f *testing.F) {
	f.Add("0001")
	f.Add("00١1")
	f.Fuzz(func(t *testing.T, s string) {
		if n, ok := parseNumber(s); ok && number(n) != s {
			t.Fatalf("%q becomes %d, then %q", s, n, number(n))
		}
	})
}
