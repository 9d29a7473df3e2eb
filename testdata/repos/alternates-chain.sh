#!/usr/bin/env bash
# hazard: An alternate of an alternate of an alternate, the last hops absolute.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain one
cd ..
git clone -q --shared --template= one two
git clone -q --shared --template= two three
git clone -q --shared --template= three ws
