package state

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/git-algal/git-algal/internal/canon"
	"github.com/git-algal/git-algal/internal/fault"
)

// maxEntries bounds the listing of one directory. Records are counted in
// hundreds; the rest leaves room for the temporaries of many dead processes.
const maxEntries = 65_536

// Jobs returns the job directories of the store in the order of their hex
// digits, more than [MaxJobs] and empty ones included: a directory counts,
// whatever it holds. A store or directory that is not there has none.
//
// An entry that is not the directory of a job, or that may not be read, is
// fault.StoreFile; left-over temporaries are passed over.
func (s *Store) Jobs() ([]canon.Digest, error) {
	return s.digests(jobsDir, "", KindDir)
}

// Reservations returns how many operations are reserved in the store, under
// the conditions of [Store.Jobs].
func (s *Store) Reservations() (int, error) {
	keys, err := s.digests(reservationsDir, jsonSuffix, KindFile)
	return len(keys), err
}

// digests lists a directory whose entries are named by digests.
func (t *tree) digests(below, suffix string, kind Kind) ([]canon.Digest, error) {
	var found []canon.Digest
	err := t.list(below, func(name string, info Info) error {
		if name == recordedLock {
			return nil
		}
		hexDigits, ok := strings.CutSuffix(name, suffix)
		digest, valid := parseHex(hexDigits)
		if !ok || !valid {
			return t.stray(below, name)
		}
		found = append(found, digest)
		return t.checkEntry(info, kind, path.Join(below, name))
	})
	if err != nil {
		return nil, err
	}
	return found, nil
}

// Observations returns how many outcomes the job has retained, 0 to
// [MaxObservations]; they are numbered from 1.
//
// A gap in the numbers is fault.StoreInconsistent, a number beyond the bound
// fault.OverBound, an entry that is no observation fault.StoreFile;
// left-over temporaries are passed over.
func (s *Store) Observations(job canon.Digest) (int, error) {
	below, err := jobFolder(job, observationsDir)
	if err != nil {
		return 0, err
	}
	var numbers []int
	err = s.list(below, func(name string, info Info) error {
		digits, ok := strings.CutSuffix(name, jsonSuffix)
		n, valid := parseNumber(digits)
		if !ok || !valid {
			return s.stray(below, name)
		}
		numbers = append(numbers, n)
		return s.checkEntry(info, KindFile, path.Join(below, name))
	})
	if err != nil {
		return 0, err
	}
	return s.sequence(below, numbers, MaxObservations)
}

// Validations reports which validations of the job exist, in their order:
// element i says of number i+1 whether it has an end besides its start.
//
// The errors are those of [Store.Observations]; an end without a start is a
// gap.
func (s *Store) Validations(job canon.Digest) (ended []bool, err error) {
	below, err := jobFolder(job, validationsDir)
	if err != nil {
		return nil, err
	}
	var starts, ends []int
	err = s.list(below, func(name string, info Info) error {
		into := &starts
		digits, ok := strings.CutSuffix(name, startSuffix)
		if !ok {
			into = &ends
			digits, ok = strings.CutSuffix(name, endSuffix)
		}
		n, valid := parseNumber(digits)
		if !ok || !valid {
			return s.stray(below, name)
		}
		*into = append(*into, n)
		return s.checkEntry(info, KindFile, path.Join(below, name))
	})
	if err != nil {
		return nil, err
	}
	count, err := s.sequence(below, starts, MaxValidations)
	if err != nil {
		return nil, err
	}
	ended = make([]bool, count)
	for _, n := range ends {
		if n > count {
			return nil, fault.New(fault.StoreInconsistent, "%q has the end of number %d without its start", s.at(below), n)
		}
		ended[n-1] = true
	}
	return ended, nil
}

func jobFolder(job canon.Digest, folder string) (string, error) {
	if !job.Valid() {
		return "", fault.New(fault.Malformed, "%q is not a sha256 digest", string(job))
	}
	return path.Join(jobDir(job), folder), nil
}

// sequence returns the length of numbers, which must be 1, 2, … to at most most.
func (t *tree) sequence(below string, numbers []int, most int) (int, error) {
	slices.Sort(numbers)
	for i, n := range numbers {
		if n != i+1 {
			return 0, fault.New(fault.StoreInconsistent, "%q has number %d where %d is due", t.at(below), n, i+1)
		}
	}
	if len(numbers) > most {
		return 0, fault.New(fault.OverBound, "%q has more than %d records", t.at(below), most)
	}
	return len(numbers), nil
}

// list calls visit for every entry of the directory below the root, in the
// order of the names, temporaries left out. A directory that is not there is
// empty; more than maxEntries entries are fault.OverBound.
func (t *tree) list(below string, visit func(name string, info Info) error) error {
	dir, err := t.openDir(below)
	if fault.Is(err, fault.Missing) {
		return nil
	}
	if err != nil {
		return err
	}
	defer dir.Close()
	names, err := dir.Names(maxEntries)
	if err != nil {
		return t.refuse("list", below, err)
	}
	slices.Sort(names)
	for _, name := range names {
		if isTemporary(name) {
			continue
		}
		info, err := dir.Lstat(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue // gone since the listing; records never go, so it was none
		}
		if err != nil {
			return t.refuse("look at", path.Join(below, name), err)
		}
		if err := visit(name, info); err != nil {
			return err
		}
	}
	return nil
}

func (t *tree) stray(below, name string) error {
	return fault.New(fault.StoreFile, "%q has no place in a store", t.at(path.Join(below, name))).
		WithNext("find out who put it there before anything else")
}
