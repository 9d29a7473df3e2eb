#!/usr/bin/env bash
# hazard: A relative path of nearly 4,000 bytes.
# verdict: clean
# git: clean
# way: own
# needs: linux
set -eu
. "$FIXTURE/prelude.bash"

new ws
part=$(printf 'p%.0s' $(seq 200))
dir=$part
for i in $(seq 17); do dir=$dir/$part; done
mkdir -p "$dir"
echo x >"$dir/f"
old "$dir/f"
commit
