package custody

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"github.com/git-algal/git-algal/internal/fault"
)

// Probe returns what this machine gives, found by doing it just now: it starts a
// namespace's init, lets it see that it is process 1, mount /proc, bind a
// directory read-only and reap a child; and it makes a cgroup, starts and kills
// somebody in it, sees it empty and removes it.
//
// What isn't there is in Found.Missing and no error. It returns fault.Malformed
// for options that can't be meant, and fault.Cancelled or fault.Deadline.
func Probe(ctx context.Context, o Options) (Found, error) {
	if len(o.InitArgv) == 0 || !filepath.IsAbs(o.InitArgv[0]) {
		return Found{}, fault.New(fault.Malformed, "the init needs an absolute path")
	}
	if o.Force != "" && !slices.Contains([]Mechanism{Namespace, Cgroup, Subreaper, Group}, o.Force) {
		return Found{}, fault.New(fault.Malformed, "mechanism %q is unknown", o.Force)
	}
	wanted := func(m Mechanism) bool { return o.Force == "" || o.Force == m }
	p := prober{options: o, found: Found{Mechanisms: []Mechanism{}, Missing: []Lack{}}}

	if o.Force == "" && p.everything(ctx) {
		return p.found, nil
	}
	if wanted(Namespace) {
		p.namespaces(ctx, Namespace)
	}
	if !p.found.Has(Namespace) && o.Force != Namespace {
		// Mounts protect without a PID namespace too. The subreaper stands for
		// whatever will be used.
		p.namespaces(ctx, Subreaper)
	}
	if wanted(Cgroup) {
		p.cgroups(ctx)
	}
	if wanted(Group) && len(p.found.Mechanisms) == 0 {
		p.found.Mechanisms = append(p.found.Mechanisms, Group)
	}
	if ctx.Err() != nil {
		return Found{}, stopped(ctx)
	}
	p.found.Proof = p.found.Has(Namespace) || p.found.Has(Cgroup) && p.found.Confined
	return p.found, nil
}

// A prober collects what is found.
type prober struct {
	options Options
	found   Found
}

// everything tries namespace, cgroup and protection at once, which is what most
// machines give, and reports whether they are all there.
func (p *prober) everything(ctx context.Context) bool {
	whole := Found{
		Mechanisms: []Mechanism{Namespace, Cgroup}, UserNamespace: os.Geteuid() != 0,
		Mounts: true, Proof: true, ReadOnlyGit: true, Missing: []Lack{},
	}
	ready, err := p.try(ctx, whole, order{Probe: true, ReadOnly: p.protected()})
	if err != nil {
		return false
	}
	whole.Confined = ready.Confined
	p.found = whole
	return true
}

// protected is what a probe protects: the directory of this program, which is
// there for certain.
func (p *prober) protected() []string { return []string{filepath.Dir(p.options.InitArgv[0])} }

// namespaces tries m with a mount namespace, in a user namespace where it must
// be; the subreaper also without.
func (p *prober) namespaces(ctx context.Context, m Mechanism) {
	type way struct{ mounts, user bool }
	ways := []way{{true, true}}
	if os.Geteuid() == 0 {
		ways = []way{{true, false}, {true, true}}
	}
	if m != Namespace {
		ways = append(ways, way{})
	}
	var first error
	for _, w := range ways {
		for _, protected := range []bool{true, false} {
			if protected && !w.mounts {
				continue
			}
			try := Found{Mechanisms: []Mechanism{m}, Mounts: w.mounts, UserNamespace: w.user}
			o := order{Probe: true}
			if protected {
				o.ReadOnly = p.protected()
			}
			_, err := p.try(ctx, try, o)
			if first == nil {
				first = err
			}
			if err == nil {
				if p.options.Force == "" || p.options.Force == m {
					p.found.Mechanisms = append(p.found.Mechanisms, m)
				}
				p.found.Mounts, p.found.UserNamespace, p.found.ReadOnlyGit = w.mounts, w.user, protected
				if !protected {
					p.lack(GitProtection, first)
				}
				return
			}
			var r *refused
			if !errors.As(err, &r) || r.of != GitProtection {
				break
			}
		}
	}
	p.lack(string(m), first)
}

// cgroups tries a cgroup together with what was found already.
func (p *prober) cgroups(ctx context.Context) {
	try := p.found
	try.Mechanisms = []Mechanism{Cgroup}
	if p.found.Has(Namespace) {
		try.Mechanisms = []Mechanism{Namespace, Cgroup}
	}
	ready, err := p.try(ctx, try, order{Probe: true})
	if err != nil {
		p.lack(string(Cgroup), err)
		return
	}
	p.found.Confined = ready.Confined
	// After the namespace, before the subreaper.
	at := len(p.found.Mechanisms)
	if p.found.Has(Subreaper) {
		at--
	}
	p.found.Mechanisms = slices.Insert(p.found.Mechanisms, at, Cgroup)
	if !ready.Confined && !p.found.Has(Namespace) {
		p.found.Missing = append(p.found.Missing, Lack{
			Of: string(Cgroup), Why: "the command could move itself to another cgroup, so an empty one proves nothing",
			Remedy: "let mount namespaces be made here, so that the cgroup file system can be read-only for the command",
		})
	}
}

// try starts an init in its place and ends it as the mechanism does, and returns
// what init said.
func (p *prober) try(ctx context.Context, found Found, o order) (note, error) {
	ctx, cancel := context.WithTimeout(ctx, ProbeTimeout)
	defer cancel()
	where, err := newPlace(p.options, found)
	if err != nil {
		return note{}, err
	}
	o.Mechanisms, o.Mounts = found.Mechanisms, found.Mounts
	init, ready, err := startInit(ctx, where, p.options.InitArgv, [3]*os.File{}, o)
	if err != nil {
		return note{}, errors.Join(err, where.remove())
	}
	if where.cgroup != nil {
		if err = killCgroup(where.cgroup.path); err == nil {
			_, err = awaitEmpty(ctx, where.cgroup.path, math.MaxInt64)
		}
		removeStale(filepath.Dir(where.cgroup.path), time.Now())
	}
	if init.pidfd == nil {
		err = errors.Join(err, fault.New(fault.UnsupportedSystem, "this kernel gives no pidfd for a new process"))
	}
	// Else it exits at the gate when the line ends.
	init.control.Close()
	<-init.gone
	init.release()
	return ready, errors.Join(err, where.remove())
}

// lack notes what failed and what can be done about it.
func (p *prober) lack(of string, err error) {
	p.found.Missing = append(p.found.Missing, Lack{Of: of, Why: reason(err), Remedy: remedy(of, err)})
}

// reason returns the innermost words: what was tried and how it failed.
func reason(err error) string {
	var r *refused
	if errors.As(err, &r) {
		return r.text
	}
	return err.Error()
}

// remedy returns what usually helps. Init's refusals have lost their error
// number on the way, and their words suffice.
func remedy(of string, err error) string {
	switch {
	case of == string(Cgroup):
		return "run as root, or in a cgroup that is delegated to you, as in: systemd-run --user --scope -p Delegate=yes COMMAND"
	case of == string(Subreaper):
		return "use a kernel that has pidfds (5.3 or newer)"
	case errors.Is(err, unix.ENOSPC):
		return "raise the limits user.max_user_namespaces, user.max_pid_namespaces and user.max_mnt_namespaces with sysctl"
	case errors.As(err, new(*refused)):
		return "allow mounts in user namespaces; in a container, start it without masked paths (docker: --security-opt systempaths=unconfined)"
	default:
		return "allow unprivileged user namespaces: an AppArmor profile with userns (recent Ubuntu), " +
			"kernel.unprivileged_userns_clone=1 (Debian), or a container whose seccomp profile lets clone make namespaces"
	}
}
