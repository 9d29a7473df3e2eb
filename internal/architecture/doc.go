// Package architecture holds the rules about the shape of the source tree that
// the compiler does not, as tests: which package may import which, and what
// only cmd may do. ARCHITECTURE.md says why.
package architecture
