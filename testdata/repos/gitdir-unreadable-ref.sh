#!/usr/bin/env bash
# hazard: The branch file cannot be read, packed-refs has a value.
# verdict: refused
# refused: git-failed
# git: dirty
# says: "A  a.txt"
# says: "A  d/b.txt"
# way: -
# needs: unprivileged
set -eu
. "$FIXTURE/prelude.bash"

plain
git pack-refs --all
git rev-parse main >../id
cp ../id .git/refs/heads/main
chmod 000 .git/refs/heads/main
