#!/usr/bin/env bash
# hazard: A NUL within a line of .gitignore.
# verdict: dirty
# git: dirty
# says: "?? z.logmore"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
printf '*.log\0more\n*.o\n' >.gitignore
commit
touch x.log y.o z.logmore
