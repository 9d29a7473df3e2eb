#!/usr/bin/env bash
# hazard: core.autocrlf=true only in the user's XDG configuration.
# verdict: clean
# git: clean
# way: git
set -eu
. "$FIXTURE/prelude.bash"

new ws
mkdir -p ~/.config/git
printf '[core]\n\tautocrlf = true\n' >~/.config/git/config
printf 'alpha\r\nbeta\r\n' >a.txt
commit
touch a.txt
