#!/usr/bin/env bash
# hazard: Untracked files among tracked ones: changes come first, then untracked files in byte order.
# verdict: dirty
# git: dirty
# says: " M d/b.txt"
# says: "?? 0"
# says: "?? A"
# says: "?? d-x/u"
# says: "?? d.x/u"
# says: "?? d/a"
# says: "?? d/e/u"
# says: "?? d0"
# says: "?? z"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
echo more >>d/b.txt
mkdir d.x d-x d/e
touch d.x/u d-x/u d/e/u d/a A z d0 0
