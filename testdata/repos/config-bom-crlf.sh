#!/usr/bin/env bash
# hazard: The configuration begins with a byte order mark and has CR LF line ends.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
bytes .git/config 's/\n/\r\n/g; $_ = raw("efbbbf") . $_'
touch a.txt
