#!/bin/sh
# git-algal guard hook: put here by "git algal hooks install", taken away by "git algal hooks uninstall".
hook='@hook@'
program='@program@'
registry='@registry@'
repository='@repository@'
allclear='@allclear@'
directory='@directory@'

# The hook that was here before, if any. It runs after this one, as git would run it.
chained=$0.git-algal-chained

# This is the repository whose all-clear stands, and the registry is as old as
# the all-clear: no claim was unresolved then, and none was made since.
quiet() {
	[ -z "$GIT_COMMON_DIR" ] || return 1
	case $GIT_DIR in
	"$repository"/worktrees/*) ;;
	*) [ "${GIT_DIR:-.git}" -ef "$repository" ] || return 1 ;;
	esac
	[ -e "$registry" ] || return 0
	[ -e "$allclear" ] && ! [ "$registry" -nt "$allclear" ] && ! [ "$registry" -ot "$allclear" ]
}

# Exit status 1 is git-algal's word that a claim stands in the way. Whatever
# keeps it from judging must not keep anybody from working.
guard() {
	if ! [ -x "$program" ]; then
		echo "git-algal: warning: $program is gone, so no claim is guarded; git algal hooks install" >&2
		return 0
	fi
	"$program" hook "$hook" --registry "$registry" --all-clear "$allclear" -- "$@"
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
