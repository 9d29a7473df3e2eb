package state

import (
	"testing"

	"golang.org/x/sys/unix"
)

func TestMagicNumbers(t *testing.T) {
	for _, magic := range []uint32{
		unix.NFS_SUPER_MAGIC, unix.CIFS_SUPER_MAGIC, unix.SMB_SUPER_MAGIC, unix.SMB2_SUPER_MAGIC, unix.V9FS_MAGIC,
		unix.FUSE_SUPER_MAGIC, unix.AFS_SUPER_MAGIC, unix.AFS_FS_MAGIC, unix.CODA_SUPER_MAGIC, unix.CEPH_SUPER_MAGIC,
		unix.NCP_SUPER_MAGIC, unix.OCFS2_SUPER_MAGIC,
	} {
		if !systemByMagic(magic).Shared {
			t.Errorf("%#x passes", magic)
		}
	}
	for _, magic := range []uint32{
		unix.EXT4_SUPER_MAGIC, unix.XFS_SUPER_MAGIC, unix.BTRFS_SUPER_MAGIC, unix.TMPFS_MAGIC, unix.OVERLAYFS_SUPER_MAGIC,
		unix.F2FS_SUPER_MAGIC, unix.BCACHEFS_SUPER_MAGIC, unix.ECRYPTFS_SUPER_MAGIC, unix.REISERFS_SUPER_MAGIC,
	} {
		if systemByMagic(magic).Shared {
			t.Errorf("%#x is refused", magic)
		}
	}
}
