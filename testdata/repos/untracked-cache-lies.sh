#!/usr/bin/env bash
# hazard: The untracked cache vouches for a folder that got a file: its times are restored and change times are not trusted.
# verdict: dirty
# git: dirty
# says: "?? d/u"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
git config core.trustctime false
git config core.checkStat minimal
git config core.untrackedCache true
old d .
git update-index --force-untracked-cache
git status --porcelain
echo u >d/u
old d .
