#!/usr/bin/env bash
# hazard: A tracked name that is not UTF-8.
# verdict: refused
# refused: unsupported-change
# git: clean
# way: -
# needs: byte-names
set -eu
. "$FIXTURE/prelude.bash"

new ws
echo x >$'caf\xe9'
commit
