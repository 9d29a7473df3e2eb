#!/usr/bin/env bash
# hazard: Objects, refs, index and config of the git directory are symbolic links.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
mkdir ../parts
for part in objects refs index config; do
	mv ".git/$part" ../parts
	ln -s "../../parts/$part" ".git/$part"
done
