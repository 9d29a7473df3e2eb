#!/usr/bin/env bash
# hazard: A tracked .gitignore that cannot be read, and a file that it would ignore.
# verdict: refused
# refused: unsupported-change not-clean
# git: dirty
# says: " M .gitignore"
# says: "?? x.log"
# way: -
# needs: unprivileged
set -eu
. "$FIXTURE/prelude.bash"

plain
echo '*.log' >.gitignore
commit
touch x.log .gitignore
chmod 000 .gitignore
