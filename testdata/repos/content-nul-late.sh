#!/usr/bin/env bash
# hazard: A NUL after the first 8,000 bytes: text for git.
# verdict: dirty
# git: dirty
# says: " M f"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

new ws
perl -e 'print "line\n" x 2000, "a\0b\n"' >f
commit
perl -e 'print "line\n" x 2000, "A\0b\n"' >f
