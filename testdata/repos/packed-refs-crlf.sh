#!/usr/bin/env bash
# hazard: packed-refs with CR LF line ends.
# verdict: refused
# refused: git-failed
# git: dirty
# says: "A  a.txt"
# says: "A  d/b.txt"
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
id=$(git rev-parse HEAD)
rm .git/refs/heads/main
printf '# pack-refs with: peeled fully-peeled sorted \r\n%s refs/heads/main\r\n' "$id" >.git/packed-refs
