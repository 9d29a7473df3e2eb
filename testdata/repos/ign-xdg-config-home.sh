#!/usr/bin/env bash
# hazard: Ignored by the default file under XDG_CONFIG_HOME.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
mkdir -p ../xdg/git
echo '*.log' >../xdg/git/ignore
echo "XDG_CONFIG_HOME=$ROOT/xdg" >../env
touch x.log
