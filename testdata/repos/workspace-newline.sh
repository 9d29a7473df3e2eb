#!/usr/bin/env bash
# hazard: A checkout whose own name holds a newline, a quote and a backslash.
# verdict: clean
# git: clean
# way: own
# workspace: "w\n\"s\\"
set -eu
. "$FIXTURE/prelude.bash"

plain $'w\n"s\\'
