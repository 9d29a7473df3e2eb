# The words that the fixture scripts share. A script begins with
#
#	. "$FIXTURE/prelude.bash"
#
# and runs in an empty directory, $ROOT, with HOME beside it. The checkout
# to be judged is ./ws unless the header names another with "# workspace:".
# $PLAIN is a repository to copy, made by build_plain.
# Whatever stands in ./env (KEY=VALUE lines) is the environment of the person
# who judges, hostile variables included. A planted command that must never
# run creates $CANARY.

ROOT=$PWD
CANARY=$ROOT/canary

# old FILE...: a modification time long past, so that an index entry that is
# recorded from now on is not racy and its cached stat data is believed.
old() { touch -h -t 202001020304.05 -- "$@"; }

# new DIR [FOLDER...]: an empty repository without template files, with folders,
# and into it.
new() {
	git init -q -b main --template= -- "$1"
	cd -- "$1"
	mkdir .git/info "${@:2}"
}

# commit: everything that is there.
commit() {
	git add -A .
	git commit -q -m "${1:-fixture}"
}

# build_plain DIR: two files, one commit, cached stat data that git believes.
build_plain() {
	new "$1" d
	printf 'alpha\nbeta\n' >a.txt
	printf 'bravo\n' >d/b.txt
	old a.txt d/b.txt
	commit
}

# plain [DIR]: the repository from which nearly every hazard starts, what
# build_plain makes, and into it. Copied from $PLAIN and refreshed, it differs
# from a new one in nothing that can be seen.
plain() {
	cp -Rp -- "$PLAIN" "${1:-ws}"
	cd -- "${1:-ws}"
	git update-index -q --refresh
}

# recorded_earlier: the change times that the index holds are set back, as if
# it had been written an hour ago. Git compares whole seconds, and a script does
# not wait for the next one.
recorded_earlier() {
	forge .git/index '
		my ($at, $count) = (12, unpack "N", substr $_, 8, 4);
		while ($count--) {
			substr($_, $at, 4) = pack "N", unpack("N", substr $_, $at, 4) - 3600;
			my $name = index($_, "\0", $at + 62) - $at - 62;
			$at += 62 + $name + 8 - (62 + $name) % 8;
		}
	'
}

# bytes FILE CODE ARG...: edits FILE in place with Perl: $_ is the whole file,
# raw(HEX) makes bytes of hexadecimal digits, @ARGV holds the arguments.
bytes() {
	perl -MDigest::SHA=sha1 -e '
		my ($file, $code) = splice @ARGV, 0, 2;
		sub raw { pack "H*", $_[0] }
		chmod 0644, $file;
		open my $f, "+<:raw", $file or die "$file: $!";
		$_ = do { local $/; <$f> };
		eval "$code; 1" or die $@;
		seek $f, 0, 0; truncate $f, 0; print $f $_; close $f or die "$file: $!";
	' "$@"
}

# forge FILE CODE ARG...: like bytes, for a file that ends in the SHA-1 of the
# rest (index, pack index, commit graph): CODE sees the rest, and the result is
# sealed again.
forge() {
	local file=$1 code=$2
	shift 2
	bytes "$file" "substr(\$_, -20) = ''; $code; \$_ .= sha1(\$_)" "$@"
}

# swap FILE OLD NEW: every occurrence of the bytes OLD becomes NEW (both
# hexadecimal, of one length), sealed again. Fails where OLD does not occur.
swap() { forge "$1" 's/\Q${\raw($ARGV[0])}\E/raw($ARGV[1])/ge or die "not found\n"' "$2" "$3"; }

# rename_entry OLD NEW: an index entry's name in place, both of one length,
# past every check that git makes when names are added.
rename_entry() { forge .git/index 's/\Q$ARGV[0]\E/$ARGV[1]/g or die "not found\n"' "$1" "$2"; }

# loose ID: the path of a loose object.
loose() { printf '.git/objects/%s/%s' "${1%"${1#??}"}" "${1#??}"; }

# disguise ID TYPE: what stands on standard input is stored under the name of
# another object, which is what a damaged or forged object store looks like.
disguise() {
	local file
	file=$(loose "$1")
	mkdir -p "${file%/*}"
	rm -f "$file"
	perl -MCompress::Zlib -e 'binmode STDIN; binmode STDOUT; local $/; my $b = <STDIN>; $b = "" unless defined $b;
		print compress("$ARGV[0] " . length($b) . "\0" . $b)' "$2" >"$file"
}

# executable FILE: standard input becomes a command.
executable() {
	cat >"$1"
	chmod 755 "$1"
}

# trap_command FILE: a command that must never run.
trap_command() {
	executable "$1" <<-END
		#!/bin/sh
		: >'$CANARY'
	END
}

# submodule NAME: a submodule in its own folder, committed.
submodule() {
	git init -q -b main --template= -- "$1"
	echo s >"$1/s"
	old "$1/s"
	git -C "$1" add s
	git -C "$1" commit -q -m sub
	printf '[submodule "%s"]\n\tpath = %s\n\turl = ../nowhere\n' "$1" "$1" >.gitmodules
	git add .gitmodules
	git update-index --add --cacheinfo "160000,$(git -C "$1" rev-parse HEAD),$1"
	git commit -q -m submodule
}

# rot13: a filter that is its own inverse, for *.txt; .gitattributes is left
# uncommitted.
rot13() {
	git config filter.rot13.clean 'tr a-z n-za-m'
	git config filter.rot13.smudge 'tr a-z n-za-m'
	echo '*.txt filter=rot13' >.gitattributes
}
