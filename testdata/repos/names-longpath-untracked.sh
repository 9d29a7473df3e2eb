#!/usr/bin/env bash
# hazard: An untracked file whose absolute path is above PATH_MAX.
# verdict: dirty
# git: dirty
# says: 1 entries
# way: own
# needs: linux
set -eu
. "$FIXTURE/prelude.bash"

new ws
echo a >a
commit
perl -e '
	for (1 .. 20) { mkdir "p" x 200 or die; chdir "p" x 200 or die }
	open my $f, ">", "q" x 70 or die; print $f "x\n"; close $f'
