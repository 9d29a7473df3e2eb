#!/usr/bin/env bash
# hazard: Attributes only in the default file of the user.
# verdict: clean
# git: clean
# way: git
set -eu
. "$FIXTURE/prelude.bash"

new ws
mkdir -p ~/.config/git
echo '*.txt eol=crlf' >~/.config/git/attributes
printf 'alpha\r\nbeta\r\n' >a.txt
commit
touch a.txt
