//go:build linux

package custody

import (
	"os/exec"
	"testing"
)

// BenchmarkCustody is what one command costs under each mechanism, and what the
// probe before it costs, beside a plain exec of the same command.
func BenchmarkCustody(b *testing.B) {
	const command = "/bin/true"
	b.Run("plain", func(b *testing.B) {
		for b.Loop() {
			if err := exec.CommandContext(b.Context(), command).Run(); err != nil {
				b.Fatal(err)
			}
		}
	})
	for _, force := range []Mechanism{Group, Subreaper, Cgroup, Namespace, ""} {
		name := string(force)
		if force == "" {
			name = "all"
		}
		options := testOptions(b, force)
		found, err := Probe(b.Context(), options)
		if err != nil {
			b.Fatal(err)
		}
		if len(found.Mechanisms) == 0 {
			b.Logf("%s: not measured: %+v", name, found.Missing)
			continue
		}
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				tree, err := Prepare(b.Context(), Spec{Options: options, Found: &found, Argv: []string{command}, Dir: "/"})
				if err != nil {
					b.Fatal(err)
				}
				if err := tree.Open(); err != nil {
					b.Fatal(err)
				}
				if e, err := tree.Wait(b.Context()); err != nil || e.ExitStatus == nil {
					b.Fatal(e, err)
				}
				if err := tree.Close(); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(name+"/probe", func(b *testing.B) {
			for b.Loop() {
				if _, err := Probe(b.Context(), options); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
