#!/usr/bin/env bash
# hazard: XDG_CONFIG_HOME points elsewhere, so that ~/.config/git/ignore does not count.
# verdict: dirty
# git: dirty
# says: "?? x.log"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
mkdir -p ~/.config/git
echo '*.log' >~/.config/git/ignore
echo "XDG_CONFIG_HOME=$ROOT/xdg" >../env
touch x.log
