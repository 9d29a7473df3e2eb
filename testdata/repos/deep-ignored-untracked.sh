#!/usr/bin/env bash
# hazard: An untracked folder with one ignored and one plain file.
# verdict: dirty
# git: dirty
# says: "?? z/y/b"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
echo '*.o' >.git/info/exclude
mkdir -p z/y
touch z/y/a.o z/y/b
