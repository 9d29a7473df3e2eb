#!/usr/bin/env bash
# hazard: A long-running filter (filter.process).
# verdict: clean
# git: clean
# way: git
set -eu
. "$FIXTURE/prelude.bash"

new ws
executable ../filter <<'END'
#!/usr/bin/env perl
# Version 2 of the long-running filter protocol: clean turns letters to upper
# case, smudge to lower case.
binmode STDIN; binmode STDOUT; $| = 1;
sub pkt { read STDIN, my $n, 4 or exit; $n = hex $n; return if $n == 0; read STDIN, my $b, $n - 4; $b }
sub put { print map { sprintf "%04x%s", 4 + length, $_ } @_ }
sub list { my @l; while (defined(my $p = pkt())) { push @l, $p } @l }
list(); put "git-filter-server\n", "version=2\n"; print "0000";
list(); put "capability=clean\n", "capability=smudge\n"; print "0000";
while (1) {
	my ($command) = map { /^command=(\w+)/ } list();
	my $text = join "", list();
	put "status=success\n"; print "0000";
	put $command eq "clean" ? uc $text : lc $text if length $text;
	print "0000"; print "0000";
}
END
git config filter.case.process "$ROOT/filter"
git config filter.case.required true
echo '*.dat filter=case' >.gitattributes
echo alpha >a.dat
commit
touch a.dat
