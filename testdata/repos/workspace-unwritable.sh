#!/usr/bin/env bash
# hazard: Neither files nor folders of the checkout can be written.
# verdict: clean
# git: clean
# way: own
# needs: unprivileged
set -eu
. "$FIXTURE/prelude.bash"

plain
chmod -R a-w .
