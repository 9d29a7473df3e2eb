#!/usr/bin/env bash
# hazard: A tracked file in a folder whose name is not UTF-8.
# verdict: refused
# refused: unsupported-change
# git: clean
# way: -
# needs: byte-names
set -eu
. "$FIXTURE/prelude.bash"

new ws
mkdir $'\xff\xfe'
echo x >$'\xff\xfe/x'
commit
