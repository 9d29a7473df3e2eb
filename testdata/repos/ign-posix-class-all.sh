#!/usr/bin/env bash
# hazard: Every POSIX class, and one that does not exist.
# verdict: dirty
# git: dirty
# says: 55 entries
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
i=0
for class in alnum alpha blank cntrl digit graph lower print punct space upper xdigit nonsense; do
	i=$((i + 1))
	echo "$i-[[:$class:]]"
done >.git/info/exclude
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13; do touch "$i-A" "$i-g" "$i-7" "$i- " "$i-_" "$i-"$'\x01'; done
