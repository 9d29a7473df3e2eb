#!/usr/bin/env bash
# hazard: Settings that git accepts and stricter readers refuse: refs/pull merges, rebase=merges, negative refspecs, sizes with units, a section without a name, bytes that are not UTF-8.
# verdict: clean
# git: clean
# way: own
set -eu
. "$FIXTURE/prelude.bash"

plain
{
	printf '[branch "main"]\n\tremote = origin\n\tmerge = refs/pull/1/head\n\trebase = merges\n'
	printf '[remote "origin"]\n\turl = x\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n\tfetch = ^refs/heads/no\n'
	printf '[pack]\n\twindow = 10m\n[branch.foo]\n\tremote = x\n[user]\n\tname = caf\xe9\n'
	printf '[a "sub\\"sec\\\\tion"] key = "quo # ted" ; comment\n'
} >>.git/config
touch a.txt
