package local

import (
	"io"
	"strings"

	"github.com/git-algal/git-algal/state"
)

// modelFile takes everything and keeps nothing.
type modelFile struct{}

func (modelFile) Read([]byte) (int, error)    { return 0, io.EOF }
func (modelFile) Write(p []byte) (int, error) { return len(p), nil }
func (modelFile) Info() (state.Info, error)   { return state.Info{}, nil }
func (modelFile) Sync() error                 { return nil }
func (modelFile) Close() error                { return nil }

// textFile is a file that holds a text.
type textFile struct {
	modelFile
	text string
	rest io.Reader
}

func (f *textFile) Read(p []byte) (int, error) {
	if f.rest == nil {
		f.rest = strings.NewReader(f.text)
	}
	return f.rest.Read(p)
}
