#!/usr/bin/env bash
# hazard: A bisection and a rebase were left half-way; the content is HEAD's.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
mkdir .git/rebase-merge
echo refs/heads/main >.git/rebase-merge/head-name
git rev-parse HEAD | tee .git/BISECT_START .git/BISECT_EXPECTED_REV >.git/REBASE_HEAD
