#!/usr/bin/env bash
# hazard: Settings that change what git status prints for people: branch, short, columns, colour, relative paths, stash, quoting, display comments.
# verdict: dirty
# git: dirty
# says: "?? café"
# says: "?? n/u"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
for setting in status.branch=true status.short=true status.showStash=true status.relativePaths=true status.displayCommentPrefix=true \
	status.aheadBehind=true column.ui=always column.status=always color.status=always color.ui=always core.quotePath=true \
	status.submoduleSummary=true status.showUntrackedFiles=normal advice.statusHints=false; do
	git config "${setting%%=*}" "${setting#*=}"
done
git stash create >/dev/null
mkdir -p n
touch n/u $'caf\xc3\xa9'
