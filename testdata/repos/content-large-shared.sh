#!/usr/bin/env bash
# hazard: A file of exactly the size of common read buffers, and one of a byte more.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

new ws
perl -e 'print "x" x 65536' >a
perl -e 'print "x" x 65537' >b
perl -e 'print "x" x 131072' >c
old a b c
commit
