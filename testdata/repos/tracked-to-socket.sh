#!/usr/bin/env bash
# hazard: A tracked file was replaced by a socket.
# verdict: refused
# refused: unsupported-change not-clean
# git: dirty
# says: " M a.txt"
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
rm a.txt
perl -MSocket -e 'socket(my $s, PF_UNIX, SOCK_STREAM, 0) or die; bind($s, sockaddr_un("a.txt")) or die'
