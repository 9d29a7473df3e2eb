#!/usr/bin/env bash
# hazard: The longest relative path that a system call takes, 4,095 bytes: more than the index's length field holds.
# verdict: clean
# git: clean
# way: own
# needs: linux
set -eu
. "$FIXTURE/prelude.bash"

new ws
perl -e '
	for (1 .. 20) { mkdir "p" x 200 or die; chdir "p" x 200 or die }
	open my $f, ">", "q" x 75 or die; print $f "x\n"; close $f; utime 1577934245, 1577934245, "q" x 75'
git add -A .
git commit -q -m long
