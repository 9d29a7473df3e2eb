#!/usr/bin/env bash
# hazard: Planted commands in settings that other Git commands run: pager, editor, ssh, credential, alias, askpass, gpg.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
trap_command ../evil
for key in core.pager core.editor core.sshCommand core.askPass credential.helper gpg.program sequence.editor pager.status diff.external merge.tool interactive.diffFilter core.gitProxy uploadpack.packObjectsHook; do
	git config "$key" "$ROOT/evil"
done
git config alias.status "!$ROOT/evil"
git config alias.rev-parse "!$ROOT/evil"
git config alias.ls-files "!$ROOT/evil"
touch a.txt
