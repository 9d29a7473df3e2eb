#!/usr/bin/env bash
# hazard: A staged change of a file into a symbolic link, and the file again on disk.
# verdict: dirty
# git: dirty
# says: "TT a.txt"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
id=$(printf 'd/b.txt' | git hash-object -w --stdin)
git update-index --cacheinfo "120000,$id,a.txt"
