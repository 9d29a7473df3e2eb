#!/usr/bin/env bash
# hazard: The object named as HEAD's blob holds other content; nothing reads it until a patch is made, which must refuse.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
echo forged | disguise "$(git rev-parse HEAD:a.txt)" blob
