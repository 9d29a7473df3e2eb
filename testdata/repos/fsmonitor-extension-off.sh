#!/usr/bin/env bash
# hazard: The index has the monitor's extension, the setting is gone.
# verdict: clean
# git: clean
# way: git
set -eu
. "$FIXTURE/prelude.bash"

plain
printf '#!/bin/sh\nprintf "token\\0"\n' | executable .git/monitor
git config core.fsmonitor .git/monitor
git update-index --fsmonitor
git status --porcelain
git config --unset core.fsmonitor
