package state

import (
	"errors"
	"io"
	"os"
	"time"
)

// nonceSize makes the 48 hexadecimal digits of a temporary's name. 192 random
// bits never meet, so a temporary is never somebody else's.
const nonceSize = 24

// ErrLocked is what [Dir.TryLock] returns while another descriptor, of this
// process or of another one, holds the lock.
var ErrLocked = errors.New("locked")

// An FS is the seam between a store and the system: every durable operation
// goes through it, and nothing else does. [OS] is the real one;
// internal/faultfs is one in memory that crashes and fails on demand.
//
// Errors are those of the system: errors.Is against io/fs.ErrNotExist,
// ErrExist and ErrPermission and against the syscall.Errno values works, and
// they need not name the path. A failed operation may have taken effect.
type FS interface {
	// OpenRoot opens the directory at an absolute path. Symbolic links above
	// its last component are followed; the last component must be none.
	//
	//	openat(AT_FDCWD, path, O_RDONLY|O_DIRECTORY|O_NOFOLLOW|O_CLOEXEC)
	OpenRoot(path string) (Dir, error)

	// OpenAncestor opens the directory at an absolute path, following every
	// symbolic link: directories above a store are not the store's to judge.
	//
	//	openat(AT_FDCWD, path, O_RDONLY|O_DIRECTORY|O_CLOEXEC)
	OpenAncestor(path string) (Dir, error)

	// Nonce returns fresh random bytes for the name of a temporary.
	//
	//	getrandom
	Nonce() [nonceSize]byte
}

// A Dir is an open directory. Every name is a single component, looked up in
// this directory however the path to it may have changed, and never followed
// when it is a symbolic link.
type Dir interface {
	// Info describes the open directory itself.
	//
	//	fstat(dir)
	Info() (Info, error)

	// System says which file system holds the directory.
	//
	//	fstatfs(dir)
	System() (System, error)

	// Lstat describes the entry name.
	//
	//	fstatat(dir, name, AT_SYMLINK_NOFOLLOW)
	Lstat(name string) (Info, error)

	// Names returns the names of the entries in any order, or
	// [ErrTooManyEntries] when there are more than limit.
	//
	//	openat(dir, ".", O_RDONLY|O_DIRECTORY|O_CLOEXEC), getdents until the end, close
	Names(limit int) ([]string, error)

	// OpenDir opens the directory name; a symbolic link gives ELOOP or ENOTDIR.
	//
	//	openat(dir, name, O_RDONLY|O_DIRECTORY|O_NOFOLLOW|O_CLOEXEC)
	OpenDir(name string) (Dir, error)

	// Open opens the entry name for reading. It neither follows a symbolic
	// link (ELOOP) nor waits for the other end of a FIFO; what was opened is
	// the caller's to check with [File.Info].
	//
	//	openat(dir, name, O_RDONLY|O_NOFOLLOW|O_NONBLOCK|O_CLOEXEC)
	Open(name string) (File, error)

	// Mkdir makes the directory name with the permissions 0700, whatever the
	// umask. The entry is durable after Sync.
	//
	//	mkdirat(dir, name, 0700), fstatat(dir, name, AT_SYMLINK_NOFOLLOW)
	//	where the umask took bits away: fchmodat(dir, name, 0700, AT_SYMLINK_NOFOLLOW)
	Mkdir(name string) error

	// Create makes the file name with the permissions 0600, whatever the
	// umask, and opens it for writing; an entry of that name, of any kind,
	// gives EEXIST.
	//
	//	openat(dir, name, O_WRONLY|O_CREAT|O_EXCL|O_NOFOLLOW|O_CLOEXEC, 0600), fchmod(file, 0600)
	Create(name string) (File, error)

	// Link gives the file from the further name to, without replacing: of
	// any number of callers one succeeds and the others get EEXIST. The entry
	// is durable after Sync.
	//
	//	linkat(dir, from, dir, to, 0)
	Link(from, to string) error

	// Rename gives the file from the name to, which names either its old or
	// its new file at every moment. The change is durable after Sync.
	//
	//	renameat(dir, from, dir, to)
	Rename(from, to string) error

	// Remove takes away the name of a file. A removal that is not synced may
	// be undone by a crash.
	//
	//	unlinkat(dir, name, 0)
	Remove(name string) error

	// Sync makes the entries of the directory durable: all that was made,
	// linked, renamed or removed in it before the call.
	//
	//	fsync(dir); on macOS fcntl(dir, F_FULLFSYNC)
	Sync() error

	// TryLock takes the exclusive lock of the file name, which is made with
	// the permissions 0600 where it does not exist, or returns [ErrLocked].
	// It never waits. The lock belongs to a descriptor that no child
	// inherits; the end of the process, however it comes, releases it.
	//
	//	openat(dir, name, O_RDWR|O_CREAT|O_EXCL|O_NOFOLLOW|O_CLOEXEC, 0600), fchmod(file, 0600), close
	//	fstatat(dir, name, AT_SYMLINK_NOFOLLOW)
	//	open(path/name, O_RDWR|O_NOFOLLOW|O_NONBLOCK|O_CLOEXEC), flock(file, LOCK_EX|LOCK_NB)
	//	fstat(file), fstatat(dir, name, AT_SYMLINK_NOFOLLOW): still the same file
	TryLock(name string) (Lock, error)

	// TryBaton is TryLock for a lock that one process hands to another.
	//
	//	as TryLock, the lock by flock(file, LOCK_EX|LOCK_NB) on a descriptor of our own
	TryBaton(name string) (Baton, error)

	// AdoptBaton takes over the descriptor that [Baton.File] returned in the
	// process that started this one, and closes it for every process to come.
	// A descriptor of another file, or one without the lock, gives ESTALE or
	// [ErrLocked]; file is closed then.
	//
	//	fcntl(file, F_SETFD, FD_CLOEXEC), fstat(file), fstatat(dir, name, AT_SYMLINK_NOFOLLOW)
	//	flock(file, LOCK_EX|LOCK_NB)
	AdoptBaton(name string, file *os.File) (Baton, error)

	// Close releases the descriptor. It loses and saves nothing.
	//
	//	close(dir)
	Close() error
}

// A File is an open file: for reading from [Dir.Open], for writing from
// [Dir.Create].
type File interface {
	io.Reader
	io.Writer

	// Info describes the open file itself.
	//
	//	fstat(file)
	Info() (Info, error)

	// Sync makes the content durable, though not the names of the file.
	//
	//	fsync(file); on macOS fcntl(file, F_FULLFSYNC), which also empties the drive's cache
	Sync() error

	// Close releases the descriptor. After writing, its error counts: some
	// systems report a failed write only here.
	//
	//	close(file)
	Close() error
}

// A Lock is a held lock.
type Lock interface {
	// Unlock releases the lock and its descriptor. The file stays.
	//
	//	flock(file, LOCK_UN), close(file)
	Unlock() error
}

// A Baton is a held lock that lasts until the last of its descriptors is
// closed, in whatever process. It is never unlocked: that would end it for the
// process, too, that it was handed to.
type Baton interface {
	// File returns the descriptor to give to one child; nil where the file
	// system is not this machine's. It stays the Baton's own.
	File() *os.File

	// Close closes this descriptor and no other. Closing twice is harmless.
	//
	//	close(file)
	Close() error
}

// ErrTooManyEntries is what [Dir.Names] returns instead of a listing that is
// longer than its limit.
var ErrTooManyEntries = errors.New("too many directory entries")

// A Kind is the type of a directory entry.
type Kind int

// The kinds of entries. Everything that is neither file, directory nor
// symbolic link is special: FIFOs, sockets, devices.
const (
	KindFile Kind = iota
	KindDir
	KindSymlink
	KindSpecial
)

// An Owner says whose an entry is.
type Owner int

// The owners that a store distinguishes. An entry of root that root reads is
// OwnerSelf.
const (
	OwnerSelf    Owner = iota // the effective user of this process
	OwnerRoot                 // root, who could change everything anyway
	OwnerForeign              // anybody else
)

// Info describes a directory entry or an open file.
type Info struct {
	Kind   Kind
	Owner  Owner
	Perm   uint32 // permission bits, at most 07777
	Size   int64  // bytes, of a file
	Device uint64 // of the file system that holds it
	Inode  uint64 // what tells it from every other entry of that file system
	// Modified is when the content last changed, for people: nothing is decided
	// by it.
	Modified time.Time
}

// A System describes the file system that holds a directory.
type System struct {
	Name string // as people call it, for instance "nfs"; may be empty when not shared
	// Shared: other machines can write to it, or a program answers for it.
	// Neither flock nor sync proves anything there.
	Shared bool
}
