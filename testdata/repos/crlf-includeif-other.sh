#!/usr/bin/env bash
# hazard: An includeIf for another place switches conversion on, which must not count here.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
printf '[includeIf "gitdir:/nonexistent/"]\n\tpath = more\n' >~/.gitconfig
printf '[core]\n\tautocrlf = true\n\tignoreCase = true\n' >~/more
touch a.txt
