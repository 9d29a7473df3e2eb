#!/usr/bin/env bash
# hazard: The index recorded another size than the file has; the content is HEAD's, and git goes by the size.
# verdict: dirty
# git: dirty
# says: " M a.txt"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
forge .git/index 'substr($_, 12 + 36, 4) = pack("N", 5)'
