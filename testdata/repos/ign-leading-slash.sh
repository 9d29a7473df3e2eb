#!/usr/bin/env bash
# hazard: A leading slash anchors, at the root and in a nested file.
# verdict: dirty
# git: dirty
# says: "?? d/e/y"
# says: "?? d/x"
# says: "?? y"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
echo /x >.gitignore
echo /y >d/.gitignore
commit
mkdir d/e
touch x d/x d/y d/e/y y
