#!/usr/bin/env bash
# hazard: A git-lfs style pointer filter that leaves pointers alone, and the worktree still holds the pointer.
# verdict: clean
# git: clean
# way: git
set -eu
. "$FIXTURE/prelude.bash"

new ws
git config filter.pointer.clean 'IFS= read -r first; case $first in version*) echo "$first"; cat ;; *) cat >/dev/null; echo "version x" ;; esac'
git config filter.pointer.required true
echo '*.bin filter=pointer -text' >.gitattributes
echo 'version x' >a.bin
commit
touch a.bin
