#!/usr/bin/env bash
# hazard: A macro that a nested .gitattributes defines, where macros are not allowed.
# verdict: clean
# git: clean
# way: -
set -eu
. "$FIXTURE/prelude.bash"

new ws n
echo '[attr]dos text eol=crlf' >n/.gitattributes
echo '*.txt dos' >>n/.gitattributes
printf 'alpha\nbeta\n' >n/a.txt
commit
touch n/a.txt
