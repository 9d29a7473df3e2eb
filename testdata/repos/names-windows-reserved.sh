#!/usr/bin/env bash
# hazard: aux.c, con, nul.txt, a trailing dot, a colon, a question mark: legal here, touched.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

new ws
git config core.protectNTFS false
for name in aux.c con nul.txt x. a:b 'q?' 'b\c' 'p|q' 'l<g>'; do echo x >"$name"; done
commit
touch aux.c con nul.txt x. a:b 'q?'
