#!/usr/bin/env bash
# hazard: A clean filter that is given the file's name, which needs quoting.
# verdict: clean
# git: clean
# way: git
set -eu
. "$FIXTURE/prelude.bash"

new ws
git config filter.name.clean 'cat >/dev/null; printf "%%s\n" %f'
echo '* filter=name' >.git/info/attributes
echo x >"it's \$HOME"
commit
touch "it's \$HOME"
