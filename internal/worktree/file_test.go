package worktree

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/git-algal/git-algal/internal/fault"
)

// tick is longer than the clock of any file system takes to go on.
const tick = 50 * time.Millisecond

// TestReadingSeesEveryChange changes a file at each moment between the first
// look at it and the last byte, in each way that contract section 5 names.
func TestReadingSeesEveryChange(t *testing.T) {
	const content = "0123456789"
	changes := map[string]func(path string) error{
		"shorter":   func(path string) error { return os.Truncate(path, 4) },
		"longer":    func(path string) error { return os.Truncate(path, 40) },
		"rewritten": func(path string) error { return rewrite(path, "9876543210") },
		"touched":   func(path string) error { return os.Chtimes(path, time.Time{}, time.Unix(1, 0)) },
		"times put back": func(path string) error {
			info, err := os.Stat(path)
			if err != nil {
				return err
			}
			if err := rewrite(path, "9876543210"); err != nil {
				return err
			}
			return os.Chtimes(path, time.Time{}, info.ModTime())
		},
		"executable": func(path string) error { return os.Chmod(path, 0o755) },
		"removed":    os.Remove,
		"replaced": func(path string) error {
			if err := os.WriteFile(path+"-new", []byte(content), 0o644); err != nil {
				return err
			}
			return os.Rename(path+"-new", path)
		},
		"symlink": func(path string) error {
			if err := os.Rename(path, path+"-away"); err != nil {
				return err
			}
			return os.Symlink(path+"-away", path)
		},
		"FIFO": func(path string) error {
			if err := os.Remove(path); err != nil {
				return err
			}
			return unix.Mkfifo(path, 0o644)
		},
		"directory": func(path string) error {
			if err := os.Remove(path); err != nil {
				return err
			}
			return os.Mkdir(path, 0o755)
		},
		"nothing at all": func(string) error { return nil },
	}
	moments := []string{"before it is opened", "before it is read", "after the first bytes", "after the last byte"}
	for name, change := range changes {
		for moment, when := range moments {
			t.Run(name+" "+when, func(t *testing.T) {
				t.Parallel()
				path := filepath.Join(t.TempDir(), "f")
				if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
					t.Fatal(err)
				}
				time.Sleep(tick)
				read, err := readInSteps(path, func(now int) {
					if now == moment {
						if err := change(path); err != nil {
							t.Fatal(err)
						}
					}
				})
				if name == "nothing at all" {
					if err != nil || read != content {
						t.Errorf("got %q, %v", read, err)
					}
					return
				}
				if !fault.Is(err, fault.SourceMoved) {
					t.Errorf("got %q, %v", read, err)
				}
			})
		}
	}
}

func rewrite(path, content string) error {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	if _, err := file.WriteString(content); err != nil {
		file.Close()
		return err
	}
	return file.Close()
}

// readInSteps reads a file of ten bytes as a scan does and calls at before
// each step.
func readInSteps(path string, at func(moment int)) (string, error) {
	before, err := statAt(unix.AT_FDCWD, path)
	if err != nil {
		return "", err
	}
	at(0)
	file, err := openFile(unix.AT_FDCWD, path, path, &before)
	if err != nil {
		return "", err
	}
	defer file.close()
	at(1)
	var read strings.Builder
	for n := 0; file.left > 0; n++ {
		if n == 1 {
			at(2)
		}
		chunk, err := file.next(context.Background(), make([]byte, 6))
		if err != nil {
			return "", err
		}
		read.Write(chunk)
	}
	at(3)
	if err := file.unchanged(); err != nil {
		return "", err
	}
	return read.String(), nil
}

// TestWritersOfAFIFOGiveNothing swaps a FIFO with a waiting writer for a file
// that was looked at: what it writes is not taken for the file's content.
func TestWritersOfAFIFOGiveNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(path, []byte("0123456789"), 0o644); err != nil {
		t.Fatal(err)
	}
	var held []int
	defer func() {
		for _, fd := range held {
			unix.Close(fd)
		}
	}()
	content, err := readInSteps(path, func(moment int) {
		if moment != 0 {
			return
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if err := unix.Mkfifo(path, 0o644); err != nil {
			t.Fatal(err)
		}
		for _, flags := range []int{unix.O_RDONLY, unix.O_WRONLY} {
			fd, err := unix.Open(path, flags|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
			if err != nil {
				t.Fatal(err)
			}
			held = append(held, fd)
		}
		if _, err := unix.Write(held[1], []byte("0123456789")); err != nil {
			t.Fatal(err)
		}
	})
	if !fault.Is(err, fault.SourceMoved) {
		t.Errorf("got %q, %v", content, err)
	}
}
