package gitplumb

import (
	"bytes"
	"context"
	"math"
	"strconv"
	"strings"

	"github.com/git-algal/git-algal/internal/fault"
)

// ownScope is the scope in which git reports the settings of its command
// line, which are this package's own.
const ownScope = "command"

// A setting is one line of configuration. Keys are as git prints them:
// section and variable in lower case, the subsection as written.
type setting struct {
	scope, key, value string
	valueless         bool // written without "=": true for a boolean
}

// config is every setting of every scope, includes resolved, in git's order:
// of several with one key the last wins.
type config struct {
	settings []setting
}

// readConfig asks git for the configuration that it would use in dir.
func readConfig(ctx context.Context, g *Git, dir string) (config, error) {
	out, err := g.run(ctx, invocation{dir: dir, args: []string{"config", "--list", "-z", "--show-scope"}, prompt: true})
	if err == errOutputBound {
		return config{}, fault.New(fault.OverBound, "the git configuration is over %d bytes", maxAnswerBytes)
	}
	if err != nil {
		return config{}, err
	}
	return parseConfig(out)
}

// parseConfig reads the answer of "git config --list -z --show-scope": a
// scope, then a key and, behind a newline, its value.
func parseConfig(text []byte) (config, error) {
	var c config
	for len(text) > 0 {
		scope, rest, found := bytes.Cut(text, []byte{0})
		if !found {
			return config{}, fault.New(fault.GitFailed, "git lists a setting without a scope")
		}
		entry, rest, found := bytes.Cut(rest, []byte{0})
		if !found || len(entry) == 0 {
			return config{}, fault.New(fault.GitFailed, "git lists a scope without a setting")
		}
		text = rest
		if string(scope) == ownScope {
			continue
		}
		key, value, valued := bytes.Cut(entry, []byte("\n"))
		c.settings = append(c.settings, setting{
			scope: string(scope), key: string(key), value: string(value), valueless: !valued,
		})
	}
	return c, nil
}

// last returns the setting that counts for key.
func (c config) last(key string) (setting, bool) {
	for i := len(c.settings) - 1; i >= 0; i-- {
		if c.settings[i].key == key {
			return c.settings[i], true
		}
	}
	return setting{}, false
}

// text returns the value that counts for key, empty when unset.
func (c config) text(key string) string {
	s, _ := c.last(key)
	return s.value
}

// boolean returns the value that counts for key, or unset where there is none.
func (c config) boolean(key string, unset bool) (bool, error) {
	s, found := c.last(key)
	if !found {
		return unset, nil
	}
	value, ok := s.boolean()
	if !ok {
		return false, fault.New(fault.GitFailed, "setting %q is not a boolean", key)
	}
	return value, nil
}

// boolean reads s as git reads booleans (git-config(1)): the words, a missing
// value, and numbers.
func (s setting) boolean() (value, ok bool) {
	if s.valueless {
		return true, true
	}
	switch strings.ToLower(s.value) {
	case "true", "yes", "on":
		return true, true
	case "false", "no", "off", "":
		return false, true
	}
	n, ok := parseNumber(s.value)
	return n != 0, ok
}

// parseNumber reads a number with an optional suffix k, m or g.
func parseNumber(text string) (int64, bool) {
	scale := int64(1)
	if text != "" {
		switch text[len(text)-1] {
		case 'k', 'K':
			scale = 1 << 10
		case 'm', 'M':
			scale = 1 << 20
		case 'g', 'G':
			scale = 1 << 30
		}
	}
	if scale > 1 {
		text = text[:len(text)-1]
	}
	n, err := strconv.ParseInt(text, 0, 64)
	if err != nil || n > math.MaxInt64/scale || n < math.MinInt64/scale {
		return 0, false
	}
	return n * scale, true
}

// driver splits the key of a setting like "filter.NAME.clean" into NAME and
// "clean". NAME may contain dots.
func driver(key, section string) (name, variable string, ok bool) {
	rest, found := strings.CutPrefix(key, section+".")
	if !found {
		return "", "", false
	}
	dot := strings.LastIndexByte(rest, '.')
	if dot < 0 {
		return "", "", false
	}
	return rest[:dot], rest[dot+1:], true
}
