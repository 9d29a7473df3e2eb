#!/usr/bin/env bash
# hazard: A git-lfs pointer is tracked, its filter is not configured and no attribute asks for it.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
printf 'version https://git-lfs.github.com/spec/v1\noid sha256:%064d\nsize 12\n' 0 >a.bin
commit
