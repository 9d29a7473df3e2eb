#!/usr/bin/env bash
# hazard: An empty tracked file gets content.
# verdict: dirty
# git: dirty
# says: " M e"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

new ws
: >e
old e
commit
echo content >e
old e
