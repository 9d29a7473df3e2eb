#!/usr/bin/env bash
# hazard: Names with control characters, quotes, blanks and a leading hyphen, touched.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

new ws
for name in $'t\tb' $'n\nl' 'q"q' "s's" ' lead' 'trail ' '-rf' '~' '$x' 'a  b' $'\x01\x7f' $'\xe2\x80\xa8'; do echo x >"./$name"; done
commit
for name in $'t\tb' $'n\nl' 'q"q' '-rf'; do touch "./$name"; done
