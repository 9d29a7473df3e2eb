package state

// A Store is one store on disk, opened for reading and writing. Its methods
// may be called from several goroutines; what excludes other processes is the
// caller's to hold (see [Lease]).
type Store struct {
	*tree
	holder Holder
}

// An Option changes what [Open] and [OpenRegistry] return.
type Option func(*options)

type options struct{ holder Holder }

// HeldBy describes this process in the notes beside the locks that it takes.
// Without it no notes are written.
func HeldBy(holder Holder) Option {
	return func(o *options) { o.holder = holder }
}

func collect(list []Option) (o options) {
	for _, option := range list {
		option(&o)
	}
	return o
}

// Open returns the store at root, an absolute path, which need not exist: the
// first write makes it, and missing directories above it, with 0700. Whether
// it lies apart from every workspace is the caller's to check.
//
// A root that is a symbolic link, no directory, a foreign user's or
// world-writable is fault.StoreFile. One that lies on a network or shared
// file system is fault.UnsupportedSystem (contract section 3).
func Open(fsys FS, root string, list ...Option) (*Store, error) {
	t, err := open(fsys, root)
	if err != nil {
		return nil, err
	}
	return &Store{tree: t, holder: collect(list).holder}, nil
}

// Root returns the clean absolute path of the store.
func (s *Store) Root() string { return s.root }
