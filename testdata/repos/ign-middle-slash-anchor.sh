#!/usr/bin/env bash
# hazard: doc/frotz is anchored: a/doc/frotz stays.
# verdict: dirty
# git: dirty
# says: "?? a/doc/frotz"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
echo doc/frotz >.git/info/exclude
mkdir -p a/doc doc
touch a/doc/frotz doc/frotz
