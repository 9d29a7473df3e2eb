#!/usr/bin/env bash
# hazard: GIT_EXTERNAL_DIFF, GIT_EXEC_PATH, GIT_SSH and other variables that name commands.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
mkdir ../exec
trap_command ../exec/git-status
trap_command ../exec/git
for name in GIT_EXTERNAL_DIFF GIT_SSH GIT_SSH_COMMAND GIT_ASKPASS GIT_EDITOR GIT_PAGER GIT_PROXY_COMMAND; do
	echo "$name=$ROOT/exec/git"
done >../env
echo "GIT_EXEC_PATH=$ROOT/exec" >>../env
