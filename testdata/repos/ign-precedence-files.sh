#!/usr/bin/env bash
# hazard: .gitignore outranks info/exclude, which outranks the user's file.
# verdict: dirty
# git: dirty
# says: "?? x.one"
# says: "?? x.three"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
mkdir -p ~/.config/git
printf '*.one\n!*.two\n*.three\n' >~/.config/git/ignore
printf '!*.one\n*.two\n!*.four\n' >.git/info/exclude
printf '*.four\n!*.three\n' >.gitignore
commit
touch x.one x.two x.three x.four
