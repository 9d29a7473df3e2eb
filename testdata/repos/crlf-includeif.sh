#!/usr/bin/env bash
# hazard: core.autocrlf=true from an includeIf gitdir: file.
# verdict: clean
# git: clean
# way: git
set -eu
. "$FIXTURE/prelude.bash"

new ws
printf '[includeIf "gitdir:%s/"]\n\tpath = more\n' "$ROOT" >~/.gitconfig
printf '[core]\n\tautocrlf = true\n' >~/more
printf 'alpha\r\nbeta\r\n' >a.txt
commit
touch a.txt
