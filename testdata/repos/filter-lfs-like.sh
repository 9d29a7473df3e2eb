#!/usr/bin/env bash
# hazard: A git-lfs style pointer filter, the worktree holds the full content.
# verdict: clean
# git: clean
# way: git
set -eu
. "$FIXTURE/prelude.bash"

new ws
git config filter.pointer.clean 'printf "version x\noid sha256:%s\n" "$(sha256sum | cut -c1-64)"'
git config filter.pointer.smudge cat
git config filter.pointer.required true
echo '*.bin filter=pointer diff=lfs merge=lfs -text' >.gitattributes
printf 'big\0content' >a.bin
commit
touch a.bin
