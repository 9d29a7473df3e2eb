#!/usr/bin/env bash
# hazard: packed-refs without a header, unsorted, with peeled lines.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
git tag -a -m tag v1
id=$(git rev-parse HEAD)
tag=$(git rev-parse v1)
rm -r .git/refs/heads/main .git/refs/tags/v1
printf '%s refs/tags/v1\n^%s\n%s refs/heads/zz\n%s refs/heads/main\n' "$tag" "$id" "$id" "$id" >.git/packed-refs
