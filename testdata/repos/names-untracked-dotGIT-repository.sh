#!/usr/bin/env bash
# hazard: An untracked folder whose .GIT is a whole repository is no nested repository here.
# verdict: dirty
# git: dirty
# says: "?? nest/.GIT/HEAD"
# says: "?? nest/.GIT/config"
# way: own
# needs: byte-names
set -eu
. "$FIXTURE/prelude.bash"

plain
git init -q --template= nest
mv nest/.git nest/.GIT
rm -r nest/.GIT/objects/* nest/.GIT/refs/*
