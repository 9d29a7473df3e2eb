package gittest

// nobody is the user and group as which root builds and judges fixtures that
// need an unprivileged reader, because the permission bits that make their
// hazard don't bind root.
const nobody = 65534
