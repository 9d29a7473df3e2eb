#!/usr/bin/env bash
# hazard: Every diff setting that spoils a patch: noprefix, mnemonicPrefix, external, orderFile, algorithm, context, colour, a textconv.
# verdict: dirty
# git: dirty
# says: " M a.txt"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
trap_command ../differ
git config diff.noprefix true
git config diff.mnemonicPrefix true
git config diff.external "$ROOT/differ"
git config diff.orderFile "$ROOT/order"
printf 'z\na.txt\n' >../order
git config diff.algorithm patience
git config diff.context 0
git config color.ui always
git config diff.conv.textconv "$ROOT/differ"
git config diff.conv.command "$ROOT/differ"
echo '*.txt diff=conv' >.git/info/attributes
echo more >>a.txt
