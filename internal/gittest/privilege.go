package gittest

import "os"

// nobody is the user and group as which root builds and judges fixtures that
// need an unprivileged reader.
const nobody = 65534

// demoted reports whether the fixture must be built and judged as nobody,
// because the permission bits that make its hazard don't bind root.
func (c Checkout) demoted() bool {
	return c.Needing(NeedUnprivileged) && os.Geteuid() == 0
}
