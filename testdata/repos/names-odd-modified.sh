#!/usr/bin/env bash
# hazard: The same, modified, deleted and new: the status keeps every byte.
# verdict: dirty
# git: dirty
# says: " M  -> "
# says: " D n\nl"
# says: " M q\"q"
# says: " M t\tb"
# says: "?? new\r\n"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

new ws
for name in $'t\tb' $'n\nl' 'q"q' ' -> '; do echo x >"./$name"; done
commit
echo y >$'t\tb'
rm $'n\nl'
chmod +x 'q"q'
echo y >' -> '
echo x >$'new\r\n'
