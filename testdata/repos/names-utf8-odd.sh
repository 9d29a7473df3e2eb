#!/usr/bin/env bash
# hazard: Tracked names that look like UTF-8 and are not: an encoded surrogate and an overlong slash.
# verdict: refused
# refused: unsupported-change
# git: clean
# way: -
# needs: byte-names
set -eu
. "$FIXTURE/prelude.bash"

new ws
echo x >$'s\xed\xa0\x80'
echo x >$'o\xc0\xaf'
commit
