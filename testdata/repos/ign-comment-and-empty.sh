#!/usr/bin/env bash
# hazard: Comments, empty lines, a lone slash, a lone exclamation mark.
# verdict: dirty
# git: dirty
# says: "??  "
# says: "?? #"
# says: "?? x"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
printf '# comment\n\n/\n!\n#\n   \n' >.git/info/exclude
touch x '#' ' '
