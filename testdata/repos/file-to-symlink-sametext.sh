#!/usr/bin/env bash
# hazard: A file whose content is x was replaced by a symbolic link to x: the same blob.
# verdict: dirty
# git: dirty
# says: " T f"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

new ws
printf x >f
commit
rm f
ln -s x f
