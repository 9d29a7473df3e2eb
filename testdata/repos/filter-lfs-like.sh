#!/usr/bin/env bash
# hazard: A git-lfs style pointer filter, the worktree holds the full content.
# verdict: clean
# git: clean
# way: git
set -eu
. "$FIXTURE/prelude.bash"

new ws
git config filter.lfs.clean 'printf "version x\noid sha256:%s\n" "$(sha256sum | cut -c1-64)"'
git config filter.lfs.smudge cat
git config filter.lfs.process '' # the system's, where git-lfs is installed
git config filter.lfs.required true
echo '*.bin filter=lfs diff=lfs merge=lfs -text' >.gitattributes
printf 'big\0content' >a.bin
commit
touch a.bin
