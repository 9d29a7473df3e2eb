# fish completion for git-algal, and for "git algal" beside fish's own.

function __git_algal_offer
    set -l ask git-algal
    command -q git-algal; or set ask git algal # among git's own programs
    set -l current (commandline -ct)
    set -l answer (command $ask complete fish (commandline -opc) "$current" 2>/dev/null)
    or return

    # A path may stand behind "--flag=".
    set -l flag (string match -r -- '^--[^=]*=' "$current")
    set -l path (string replace -r -- '^--[^=]*=' '' "$current")
    switch $answer[1]
        case files
            for found in (__fish_complete_path "$path")
                printf '%s%s\n' "$flag" $found
            end
        case directories
            for found in (__fish_complete_directories "$path")
                printf '%s%s\n' "$flag" $found
            end
        case '*'
            test (count $answer) -gt 1; and printf '%s\n' $answer[2..-1]
    end
end

complete -c git-algal -f -k -a '(__git_algal_offer)'
complete -c git -n '__fish_seen_subcommand_from algal' -f -k -a '(__git_algal_offer)'
complete -c git -n '__fish_use_subcommand' -f -a algal -d 'exactly one attempt of a coding agent, and its whole change'
