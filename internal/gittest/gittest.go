// Package gittest builds real Git checkouts for tests and says what git itself
// thinks of them.
//
// A fixture is one shell script, testdata/repos/NAME.sh, that makes one hazard:
// a way in which a checkout looks clean and is not, looks dirty and is not, or
// cannot be judged at all. Its header is read by machine and says what the
// contract makes of it; the words that scripts share are in prelude.bash beside
// them.
//
//   - fixture.go: the header of a script, and finding the scripts
//   - checkout.go: running a script in a scrubbed environment
//   - template.go: the repository from which most scripts start
//   - privilege.go and privilege_linux.go: fixtures that root's rights would spoil
//   - reference.go: git's own answer, with and without cached data
//   - header.go: holding a script to its header
//   - snapshot.go: proof that a reading wrote nothing
//   - judgement.go: comparing a judge with the headers, and the table
//
// Everything here is for tests: failures end the test that asked. A fixture is
// built anew each time, because inode numbers and times are often the hazard;
// only the plain repository, with which most scripts begin, is copied.
package gittest
