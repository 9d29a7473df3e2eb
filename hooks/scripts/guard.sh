#!/bin/sh
# git-algal guard hook: put here by "git algal hooks install", taken away by "git algal hooks uninstall".
hook='@hook@'
program='@program@'
registry='@registry@'
allclears='@allclears@'
directory='@directory@'

# The hook that was here before, if any. It runs after this one, as git would run it.
chained=$0.git-algal-chained

# The all-clear of this repository is as old as the registry: no claim was
# unresolved then, and none was made since.
quiet() {
	[ -e "$registry" ] || return 0
	[ -z "$GIT_COMMON_DIR" ] && cd -P . || return 1
	common=${GIT_DIR:-$PWD/.git}
	case ${common##*/worktrees/} in
	*/* | .git) ;;
	*) common=${common%/worktrees/*} ;;
	esac
	allclear=$allclears$common/all-clear
	[ -e "$allclear" ] && ! [ "$registry" -nt "$allclear" ] && ! [ "$registry" -ot "$allclear" ]
}

# Exit status 1 is git-algal's word that a claim stands in the way. Whatever
# keeps it from judging must not keep anybody from working.
guard() {
	if ! [ -x "$program" ]; then
		echo "git-algal: warning: $program is gone, so no claim is guarded; git algal hooks install" >&2
		return 0
	fi
	"$program" hook "$hook" --registry "$registry" --all-clears "$allclears" -- "$@"
	status=$?
	case $status in
	0 | 1) return $status ;;
	esac
	echo "git-algal: warning: $program ends with status $status, so no claim is guarded" >&2
}

if { [ "$hook" = pre-push ] || [ "$1" = prepared ]; } && ! quiet; then
	if [ -x "$chained" ]; then
		# Both read the same; the dot keeps the last newline.
		input=$(cat && echo .)
		printf %s "${input%.}" | guard "$@" || exit 1
		printf %s "${input%.}" | "$chained" "$@"
		exit
	fi
	guard "$@" || exit 1
fi
if [ -x "$chained" ]; then
	exec "$chained" "$@"
fi
