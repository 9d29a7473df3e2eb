#!/usr/bin/env bash
# hazard: core.eol=crlf without any text attribute converts nothing.
# verdict: clean
# git: clean
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
git config core.eol crlf
touch a.txt
