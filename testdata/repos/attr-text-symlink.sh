#!/usr/bin/env bash
# hazard: A text attribute on a symbolic link, which is never converted.
# verdict: clean
# git: clean
# way: git
set -eu
. "$FIXTURE/prelude.bash"

plain
echo '* text eol=lf' >.git/info/attributes
printf 'x\r\n' >../target
ln -s $'a\r\nb' l
commit
touch -h l
