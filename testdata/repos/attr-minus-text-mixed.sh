#!/usr/bin/env bash
# hazard: -text on a file with mixed line ends, no configuration.
# verdict: clean
# git: clean
# way: -
set -eu
. "$FIXTURE/prelude.bash"

new ws
echo '* -text' >.gitattributes
printf 'alpha\r\nbeta\ngamma\r' >a.txt
commit
touch a.txt
