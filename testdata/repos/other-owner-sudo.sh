#!/usr/bin/env bash
# hazard: Root by way of sudo looks at the checkout of the user who called sudo.
# verdict: clean
# git: clean
# way: own
# needs: root
set -eu
. "$FIXTURE/prelude.bash"

plain
chown -R 65534 "$ROOT/ws"
echo SUDO_UID=65534 >"$ROOT/env"
