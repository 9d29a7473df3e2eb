#!/usr/bin/env bash
# hazard: A slash in a bracket expression never matches a slash.
# verdict: dirty
# git: dirty
# says: "?? p/q"
# says: "?? p/r"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
printf 'p[/]q\np[!x]r\n' >.git/info/exclude
mkdir p
touch p/q p/r pyr
