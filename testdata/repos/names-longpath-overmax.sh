#!/usr/bin/env bash
# hazard: A relative path below PATH_MAX, an absolute path above it.
# verdict: clean
# git: clean
# way: own
# needs: linux
set -eu
. "$FIXTURE/prelude.bash"

new ws
perl -e '
	for (1 .. 20) { mkdir "p" x 200 or die; chdir "p" x 200 or die }
	open my $f, ">", "q" x 70 or die; print $f "x\n"; close $f; utime 1577934245, 1577934245, "q" x 70'
git add -A .
git commit -q -m long
