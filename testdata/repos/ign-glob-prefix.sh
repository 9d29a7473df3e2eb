#!/usr/bin/env bash
# hazard: a/*/c must not ignore a/b/cc nor a/b/x/c.
# verdict: dirty
# git: dirty
# says: "?? a/b/cc"
# says: "?? a/b/x/c"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
echo 'a/*/c' >.git/info/exclude
mkdir -p a/b/x
touch a/b/c a/b/cc a/b/x/c
