#!/usr/bin/env bash
# hazard: A CR that does not end the line is a part of the pattern.
# verdict: dirty
# git: dirty
# says: "?? x.log"
# says: "?? x.o"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
printf '*.log\r\r\n*.o\r ' >.gitignore
commit
touch x.log x.o
