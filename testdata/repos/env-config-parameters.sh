#!/usr/bin/env bash
# hazard: GIT_CONFIG_PARAMETERS and GIT_CONFIG_GLOBAL bring excludes that hide an untracked file.
# verdict: dirty
# git: dirty
# says: "?? u"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
echo u >u
echo u >../hide
printf '[core]\n\texcludesFile = %s/hide\n' "$ROOT" >../global
echo "GIT_CONFIG_PARAMETERS='core.excludesFile=$ROOT/hide'" >../env
echo "GIT_CONFIG_GLOBAL=$ROOT/global" >>../env
echo "GIT_CONFIG_SYSTEM=$ROOT/global" >>../env
