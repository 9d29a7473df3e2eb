#!/usr/bin/env bash
# hazard: Tracked content of one byte more than 134,217,728, nearly all of it a hole in one file whose blob nobody stored.
# verdict: refused
# refused: over-bound
# git: clean
# way: -
set -eu
. "$FIXTURE/prelude.bash"

new ws
perl -e 'truncate STDOUT, 134217728' >big
printf x >small
old big small
git add small
git update-index --add --cacheinfo 100644,52e65dd21c3fc2924229516cb140503b22ee21fb,big
git update-index -q --refresh
git update-ref HEAD "$(git commit-tree -m big "$(git write-tree --missing-ok)")"
