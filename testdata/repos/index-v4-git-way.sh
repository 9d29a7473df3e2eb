#!/usr/bin/env bash
# hazard: A version 4 index with a staged change and a conversion.
# verdict: dirty
# git: dirty
# says: "M  a.txt"
# says: " D d/b.txt"
# way: git
set -eu
. "$FIXTURE/prelude.bash"

plain
git update-index --index-version 4
echo '* text=auto' >.git/info/attributes
echo more >>a.txt
git add a.txt
rm d/b.txt
