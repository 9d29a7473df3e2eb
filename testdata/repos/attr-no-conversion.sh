#!/usr/bin/env bash
# hazard: Attributes that convert nothing: diff, merge, export-subst, whitespace, linguist.
# verdict: clean
# git: clean
# way: -
set -eu
. "$FIXTURE/prelude.bash"

new ws
printf '*.txt diff=foo merge=union export-subst whitespace=trailing-space linguist-generated\n*.bin binary\n' >.gitattributes
printf 'alpha $Format:%%H$ $Id$\r\n' >a.txt
printf 'b\0\r\n' >b.bin
commit
touch a.txt b.bin
