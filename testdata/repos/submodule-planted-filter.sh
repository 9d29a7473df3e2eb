#!/usr/bin/env bash
# hazard: A submodule whose own configuration names planted commands: git runs them to answer, so it must not even be asked.
# verdict: refused
# refused: unsupported-repository
# git: runs
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
submodule sub
trap_command ../evil
git -C sub config core.fsmonitor "$ROOT/evil"
git -C sub config filter.evil.clean "$ROOT/evil"
mkdir sub/.git/info
echo '* filter=evil' >sub/.git/info/attributes
touch sub/s
