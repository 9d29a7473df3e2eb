#!/usr/bin/env bash
# hazard: The file system monitor's extension says that nothing changed while a file was modified; the hook must not run either.
# verdict: dirty
# git: dirty
# says: " M a.txt"
# way: git
set -eu
. "$FIXTURE/prelude.bash"

plain
printf '#!/bin/sh\nprintf "token\\0"\n' | executable .git/monitor
git config core.fsmonitor .git/monitor
git update-index --fsmonitor
git status --porcelain
echo more >>a.txt
trap_command .git/monitor
