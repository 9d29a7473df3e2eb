#!/usr/bin/env bash
# hazard: extensions.objectFormat=sha1, said explicitly.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
git config core.repositoryFormatVersion 1
git config extensions.objectFormat sha1
