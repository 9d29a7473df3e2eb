#!/usr/bin/env bash
# hazard: The pack's index sends HEAD's commit to another commit's place, whose tree the checkout equals: git itself says clean.
# verdict: refused
# refused: git-failed not-clean source-moved
# git: clean
# way: -
set -eu
. "$FIXTURE/prelude.bash"

plain
first=$(git rev-parse HEAD)
echo more >>a.txt
old a.txt
commit second
second=$(git rev-parse HEAD)
git repack -q -a -d --depth=0
forge "$(echo .git/objects/pack/*.idx)" '
	my $n = unpack "N", substr $_, 8 + 255 * 4, 4;
	my ($names, $offsets) = (8 + 1024, 8 + 1024 + $n * 24);
	my ($one, $two);
	for my $i (0 .. $n - 1) {
		my $id = unpack "H40", substr $_, $names + $i * 20, 20;
		$one = $offsets + $i * 4 if $id eq $ARGV[0];
		$two = $offsets + $i * 4 if $id eq $ARGV[1];
	}
	substr($_, $one, 4) = substr($_, $two, 4);
' "$first" "$second"
echo "$first" >.git/refs/heads/main
