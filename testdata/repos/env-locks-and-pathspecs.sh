#!/usr/bin/env bash
# hazard: GIT_OPTIONAL_LOCKS=1 with stale cached data, and variables that change how paths are read.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
touch a.txt
printf 'GIT_OPTIONAL_LOCKS=1\nGIT_ICASE_PATHSPECS=1\nGIT_GLOB_PATHSPECS=1\nGIT_NAMESPACE=other\nGIT_CEILING_DIRECTORIES=/\nGIT_DEFAULT_HASH=sha256\nGIT_ATTR_SOURCE=HEAD\n' >../env
