# bash completion for git-algal, and for "git algal" through git's own.

# __git_algal_offer WORD… completes the last word of a line, which begins with
# the name of the program.
__git_algal_offer()
{
	local current="${!#}" beside="" breaks="" head="" word meaning ask="git-algal"

	type -P git-algal >/dev/null || ask="git algal" # among git's own programs
	COMPREPLY=()
	# readline replaces what stands behind the last of these characters only
	[[ $COMP_WORDBREAKS == *:* ]] && breaks+=":"
	[[ $COMP_WORDBREAKS == *=* ]] && breaks+="="
	[[ -n $breaks ]] && head="${current%"${current##*[$breaks]}"}"

	while IFS=$'\t' read -r word meaning; do
		if [[ -z $beside ]]; then
			beside="$word"
			continue
		fi
		word="${word#"$head"}"
		printf -v word '%q' "$word"
		COMPREPLY+=("$word ")
	done < <($ask complete bash "$@" 2>/dev/null)

	type compopt >/dev/null 2>&1 || return 0 # before bash 4
	case $beside in
	files) ;; # the default, where COMPREPLY is empty
	directories) compopt +o bashdefault +o default -o dirnames ;;
	*) compopt +o bashdefault +o default ;;
	esac 2>/dev/null
}

# git's completion calls it with the words of the line, joined at "=" and ":".
_git_algal()
{
	__git_algal_offer "${words[@]:0:cword+1}"
}

# Typed as git-algal, the words are still split there.
__git_algal_main()
{
	local -a joined=()
	local i word glue=""

	for ((i = 0; i <= COMP_CWORD; i++)); do
		word="${COMP_WORDS[i]}"
		if [[ $i -gt 1 && ($word =~ ^[=:]+$ || -n $glue) ]]; then
			joined[${#joined[@]}-1]+="$word"
			glue=""
			[[ $word =~ ^[=:]+$ ]] && glue="yes"
		else
			joined+=("$word")
		fi
	done
	__git_algal_offer "${joined[@]}"
}

complete -o bashdefault -o default -o nospace -F __git_algal_main git-algal
