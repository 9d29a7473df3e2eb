#!/usr/bin/env bash
# hazard: Escaped hash, exclamation mark and star.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
printf '%s\n' '\#one' '\!two' 'th\*ee' 'f\our' >.git/info/exclude
touch '#one' '!two' 'th*ee' four
