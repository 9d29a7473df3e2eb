#!/usr/bin/env bash
# hazard: Every hook that a status could run is planted, by folder and by core.hooksPath.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
mkdir .git/hooks
for hook in post-index-change pre-auto-gc reference-transaction post-checkout fsmonitor-watchman query-watchman; do
	trap_command ".git/hooks/$hook"
done
git config core.hooksPath "$PWD/.git/hooks"
touch a.txt
