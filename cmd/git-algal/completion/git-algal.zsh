#compdef git-algal
#description exactly one attempt of a coding agent, and its whole change

# zsh completion for git-algal, and for "git algal" through zsh's own _git,
# which calls a function of this name.
_git-algal()
{
	local beside line ask=git-algal
	local -a typed answer words_offered

	(( $+commands[git-algal] )) || ask='git algal' # among git's own programs
	typed=("${(@Q)words[1,CURRENT-1]}" "${(Q)PREFIX}")
	if [[ $words[1] == algal ]]; then
		typed=(git ${opt_args[-C]:+-C} ${(Q)opt_args[-C]} "${typed[@]}")
	fi
	answer=("${(@f)$(${=ask} complete zsh "${typed[@]}" 2>/dev/null)}")
	beside=$answer[1]
	shift answer

	if [[ $PREFIX == --*=* ]]; then
		compset -P 1 '*='
		answer=("${answer[@]#*=}")
	fi
	for line in "${answer[@]}"; do
		words_offered+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
	done
	case $beside in
	(files) _files ;;
	(directories) _directories ;;
	(words) _describe -V -t git-algal 'git algal' words_offered ;;
	esac
}

# Autoloaded, this file is the function itself; otherwise it is announced.
if [[ $funcstack[1] == _git-algal ]]; then
	_git-algal "$@"
elif (( $+functions[compdef] )); then
	compdef _git-algal git-algal
fi
