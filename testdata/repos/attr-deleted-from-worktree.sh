#!/usr/bin/env bash
# hazard: .gitattributes was deleted from the worktree: git takes it from the index.
# verdict: dirty
# git: dirty
# says: " D .gitattributes"
# way: git
set -eu
. "$FIXTURE/prelude.bash"

new ws
echo '*.txt eol=crlf' >.gitattributes
printf 'alpha\r\n' >a.txt
commit
rm .gitattributes
touch a.txt
