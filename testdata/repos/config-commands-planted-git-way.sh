#!/usr/bin/env bash
# hazard: The same planted commands in a checkout that git must judge: a text attribute, stale cached data, hooks and a file system monitor.
# verdict: clean
# git: clean
# way: git
set -eu
. "$FIXTURE/prelude.bash"

plain
trap_command ../evil
for key in core.pager core.editor core.sshCommand core.askPass core.fsmonitor credential.helper gpg.program sequence.editor pager.status diff.external diff.conv.textconv diff.conv.command merge.tool core.gitProxy filter.evil.clean filter.evil.process; do
	git config "$key" "$ROOT/evil"
done
for command in status rev-parse ls-files check-attr hash-object config cat-file diff diff-index update-index; do
	git config "alias.$command" "!$ROOT/evil"
done
mkdir .git/hooks
for hook in post-index-change pre-auto-gc reference-transaction; do trap_command ".git/hooks/$hook"; done
printf '* text=auto\n*.txt diff=conv\n' >.git/info/attributes
touch a.txt d/b.txt
