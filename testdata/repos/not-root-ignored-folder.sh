#!/usr/bin/env bash
# hazard: The workspace is an ignored folder of an outer repository, which therefore says clean whatever it holds.
# verdict: refused
# refused: not-root
# git: clean
# way: -
# workspace: outer/ws
set -eu
. "$FIXTURE/prelude.bash"

plain outer
echo /ws/ >.gitignore
commit ignore
mkdir ws
echo x >ws/x
