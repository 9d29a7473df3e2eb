//go:build linux

package custody

import (
	"bufio"
	"reflect"
	"strings"
	"testing"
)

func FuzzParseMounts(f *testing.F) {
	f.Add("36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 shared:2 - ext3 /dev/root rw,errors=continue\n")
	f.Add("1 0 0:1 / / rw - tmpfs t rw\n2 1 0:2 / /a\\040b rw - cgroup2 c rw\n")
	f.Add("x - y\n- \n\\04")
	f.Fuzz(func(t *testing.T, text string) {
		all, _ := parseMounts(bufio.NewScanner(strings.NewReader(text)))
		for _, m := range all {
			if m.id == "" || m.point == "" || m.system == "" {
				t.Errorf("%q gave %+v", text, m)
			}
			if unescapeMount(strings.ReplaceAll(m.point, `\`, `\134`)) != m.point {
				t.Errorf("%q isn't unescaped once", m.point)
			}
		}
	})
}

func TestParseMounts(t *testing.T) {
	const text = `36 35 98:0 /a\040b /mnt2 rw,noatime master:1 shared:2 - ext3 /dev/root rw
broken line
37 35 0:5 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw
`
	all, err := parseMounts(bufio.NewScanner(strings.NewReader(text)))
	want := []mount{{"36", "98:0", "/a b", "/mnt2", "ext3"}, {"37", "0:5", "/", "/sys/fs/cgroup/unified", "cgroup2"}}
	if err != nil || !reflect.DeepEqual(all, want) {
		t.Errorf("%+v, %v", all, err)
	}
}

func TestBelow(t *testing.T) {
	for _, c := range []struct {
		dir, path, rest string
		within          bool
	}{
		{"/", "/", "", true}, {"/", "/a", "/a", true}, {"/a", "/a", "", true}, {"/a", "/a/b", "/b", true},
		{"/a", "/ab", "", false}, {"/a/b", "/a", "", false},
	} {
		rest, within := below(c.dir, c.path)
		if within != c.within || within && rest != c.rest {
			t.Errorf("%s in %s: %q, %t", c.path, c.dir, rest, within)
		}
	}
}
