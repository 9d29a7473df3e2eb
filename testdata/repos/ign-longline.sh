#!/usr/bin/env bash
# hazard: A line of 70,000 bytes stands first in .gitignore.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
{
	printf 'x%.0s' $(seq 70000)
	printf '\n*.log\n'
} >.gitignore
commit
touch x.log
