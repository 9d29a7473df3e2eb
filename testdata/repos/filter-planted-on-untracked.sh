#!/usr/bin/env bash
# hazard: A planted filter whose attribute covers an untracked file only must never run.
# verdict: dirty
# git: dirty
# says: "?? u"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
trap_command ../filter
git config filter.evil.clean "$ROOT/filter"
echo 'u filter=evil' >.git/info/attributes
echo u >u
