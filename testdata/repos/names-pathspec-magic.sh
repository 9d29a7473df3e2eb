#!/usr/bin/env bash
# hazard: Names that look like path patterns and options, under a conversion, so that they are handed to git.
# verdict: clean
# git: clean
# way: git
set -eu
. "$FIXTURE/prelude.bash"

new ws
echo '* text=auto' >.git/info/attributes
mkdir ./:
for name in ':(top)x' ':!a' ':/x' '*' '[a]' '--' '--stdin' '-z' '@' 'HEAD' '{a,b}' '\*'; do echo "$name" >"./$name"; done
commit
touch ./*
