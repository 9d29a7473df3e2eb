#!/usr/bin/env bash
# hazard: Attributes only in the user's default file under XDG_CONFIG_HOME.
# verdict: clean
# git: clean
# way: git
set -eu
. "$FIXTURE/prelude.bash"

mkdir -p xdg/git
echo "XDG_CONFIG_HOME=$ROOT/xdg" >env
export XDG_CONFIG_HOME=$ROOT/xdg
new ws
echo '*.txt eol=crlf' >../xdg/git/attributes
printf 'alpha\r\nbeta\r\n' >a.txt
commit
touch a.txt
