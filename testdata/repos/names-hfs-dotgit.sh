#!/usr/bin/env bash
# hazard: An untracked folder that HFS+ would take for .git because of an ignorable character.
# verdict: dirty
# git: dirty
# says: "?? .g\u200cit/x"
# way: own
# needs: byte-names
set -eu
. "$FIXTURE/prelude.bash"

plain
mkdir $'.g\xe2\x80\x8cit'
echo x >$'.g\xe2\x80\x8cit/x'
