#!/usr/bin/env bash
# hazard: a/**/b, **/foo and abc/**: everything is ignored.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
printf 'p/**/q\n**/foo\nabc/**\n' >.git/info/exclude
mkdir -p p/x/y abc/x e/f
touch p/q p/x/q p/x/y/q foo e/f/foo abc/x/y abc/z
