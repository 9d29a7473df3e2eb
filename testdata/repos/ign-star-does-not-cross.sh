#!/usr/bin/env bash
# hazard: A star does not cross a slash, and a leading dot is nothing special.
# verdict: dirty
# git: dirty
# says: "?? e/f/a.x"
# says: "?? p/x"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
printf 'p*q\ne/*.x\n*.hid\n' >.git/info/exclude
mkdir -p p/q e/f
touch p/x e/f/a.x e/b.x .hid
