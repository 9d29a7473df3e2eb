#!/usr/bin/env bash
# hazard: A tracked folder was replaced by a link to a folder whose .gitignore must not be read through it.
# verdict: dirty
# git: dirty
# says: " D d/.gitignore"
# says: " D d/b.txt"
# says: "?? d"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
echo '*' >d/.gitignore
git add -f d/.gitignore
git commit -q -m ignore
mv d ../d
ln -s ../d d
