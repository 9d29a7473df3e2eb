#!/usr/bin/env bash
# hazard: Tracked and untracked names that alternate in folders that alternate in kind.
# verdict: dirty
# git: dirty
# says: " D l/1"
# says: " M m/3"
# says: "?? k/3"
# says: "?? n/1"
# says: "?? n/3"
# way: own
set -eu
. "$FIXTURE/prelude.bash"

new ws
for dir in k l m n; do
	mkdir "$dir"
	touch "$dir/1" "$dir/3"
done
git add k/1 l m/1 m/3
git commit -q -m some
rm l/1
echo more >>m/3
