package state

import "strings"

// A lease is a lock that every process which could change the store must see,
// and a sync is a promise that outlives the machine. On a file system that
// other machines write to, or for which a program answers, nobody can say
// whether either holds; so such systems are refused rather than trusted
// (contract section 3).

// sharedMagic lists the type numbers that statfs(2) gives on Linux for file
// systems that are refused. Where golang.org/x/sys has no name for one, the
// number is the documented one of that system.
var sharedMagic = map[uint32]string{
	0x6969:     "nfs",
	0x6e667364: "nfsd",
	0xff534d42: "cifs",
	0xfe534d42: "smb2",
	0x517b:     "smb",
	0x01021997: "9p",
	0x65735546: "fuse or virtiofs",
	0x5346414f: "afs",
	0x6b414653: "afs",
	0x73757245: "coda",
	0x00c36400: "ceph",
	0x564c:     "ncp",
	0x7461636f: "ocfs2",
	0x01161970: "gfs2",
	0x0bd00bd0: "lustre",
	0x47504653: "gpfs",
	0x19830326: "beegfs",
	0xaad7aaea: "panfs",
	0x786f4256: "vboxsf",
	0xbacbacbc: "vmhgfs",
	0x7c7c6673: "prl_fs",
}

func systemByMagic(magic uint32) System {
	name, shared := sharedMagic[magic]
	return System{Name: name, Shared: shared}
}

// sharedNames lists the type names of macOS that are refused although the
// system may call them local; "fuse" in a name decides too.
var sharedNames = map[string]bool{
	"nfs": true, "smbfs": true, "afpfs": true, "webdav": true, "ftp": true, "cifs": true,
	"9p": true, "virtiofs": true, "applevirtiofs": true, "acfs": true, "vmhgfs": true, "prl_fs": true,
	"lifs": true, // file systems served by a program in user space
}

func systemByName(name string, local bool) System {
	lower := strings.ToLower(name)
	return System{Name: name, Shared: !local || sharedNames[lower] || strings.Contains(lower, "fuse")}
}
