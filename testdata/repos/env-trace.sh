#!/usr/bin/env bash
# hazard: GIT_TRACE variables would write files: one into the checkout, one where the canary is.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
for name in GIT_TRACE GIT_TRACE2 GIT_TRACE2_EVENT GIT_TRACE_PERFORMANCE; do
	echo "$name=$CANARY"
done >../env
echo "GIT_TRACE_SETUP=$PWD/trace" >>../env
