#!/usr/bin/env bash
# hazard: Form feed, vertical tab, U+2028 and NEL within lines.
# verdict: dirty
# git: dirty
# says: " M f"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

new ws
printf 'a\fb\vc\n\xe2\x80\xa8d\n\xc2\x85e\n' >f
commit
printf 'a\fb\vC\n\xe2\x80\xa8D\n\xc2\x85e\n' >f
