#!/usr/bin/env bash
# hazard: The loose file of HEAD's commit says a wrong length.
# verdict: refused
# refused: git-failed
# git: fails
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
id=$(git rev-parse HEAD)
git cat-file commit "$id" >../text
perl -MCompress::Zlib -e 'local $/; my $b = <STDIN>; print compress("commit 9\0$b")' <../text >../loose
rm -f "$(loose "$id")"
mv ../loose "$(loose "$id")"
