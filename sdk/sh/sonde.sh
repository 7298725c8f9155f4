# Sources for Sonde in the shell: source `exec` with `format: sonde`. One file for any POSIX sh, no dependencies.
#
#     . /usr/share/sonde/sonde.sh
#     sonde_begin
#     while sonde_running; do
#         sonde_sample acme.users "$(who | wc -l)" '{user}' gauge terminal=all
#         sonde_commit || exit 0
#         sonde_wait
#     done
#
# The protocol is docs/spec/exec.md. Standard output is the agent's: write what is meant for people with sonde_log, or to
# standard error. Run by hand, on a terminal, it prints what it would send.

# Reads the first message: sonde_options has it then, and sonde_interval the whole seconds of the interval.
sonde_begin() {
    sonde_options='' sonde_stopping='' sonde_interval=10
    [ -t 0 ] && return 0
    IFS= read -r sonde_options || return 1
    sonde_interval=$(printf '%s' "$sonde_options" | sed -n 's/.*"interval":\([0-9]*\).*/\1/p')
    [ "${sonde_interval:-0}" -gt 0 ] || sonde_interval=1
}

# The option NAME of the configuration, or DEFAULT; texts with a quotation mark or a backslash are not for it.
sonde_option() {
    case $sonde_options in
        *'"'"$1"'":"'*) printf '%s\n' "$sonde_options" | sed -n 's/.*"options":{[^}]*"'"$1"'":"\([^"\\]*\)".*/\1/p' ;;
        *) printf '%s\n' "${2-}" ;;
    esac
}

# The position that the last commit which was taken has left; empty: there is none.
sonde_checkpoint() { printf '%s\n' "$sonde_options" | sed -n 's/.*"checkpoint":"\([^"\\]*\)".*/\1/p'; }

# Whether the agent has not asked to stop.
sonde_running() { [ -z "$sonde_stopping" ]; }

# One reading: NAME VALUE [UNIT [KIND [ATTRIBUTE=VALUE…]]].
sonde_sample() {
    sonde_line="{\"name\":\"$(sonde_text "$1")\",\"value\":$2"
    [ -z "${3-}" ] || sonde_line="$sonde_line,\"unit\":\"$(sonde_text "$3")\""
    [ -z "${4-}" ] || sonde_line="$sonde_line,\"kind\":\"$4\""
    [ $# -le 4 ] || {
        shift 4
        sonde_line="$sonde_line,\"attributes\":{"
        for sonde_pair; do
            sonde_line="$sonde_line\"$(sonde_text "${sonde_pair%%=*}")\":\"$(sonde_text "${sonde_pair#*=}")\","
        done
        sonde_line="${sonde_line%,}}"
    }
    printf '%s}\n' "$sonde_line"
}

# Hands over the samples since the last commit, with a CHECKPOINT that survives a restart; false: the agent stops.
sonde_commit() {
    if [ $# -gt 0 ]; then
        printf '{"type":"commit","checkpoint":"%s"}\n' "$(sonde_text "$1")"
    else
        printf '{"type":"commit"}\n'
    fi
    [ ! -t 0 ] || return 0
    while IFS= read -r sonde_answer; do
        case $sonde_answer in
            *'"type":"taken"'*) return 0 ;;
            *'"type":"stop"'*) sonde_stopping=1 ;;
        esac
    done
    sonde_stopping=1
    return 1
}

# Waits SECONDS, or the interval.
sonde_wait() { sleep "${1:-$sonde_interval}"; }

# A line of the agent's log: MESSAGE [debug|info|warning|error].
sonde_log() { printf '{"type":"log","level":"%s","message":"%s"}\n' "${2:-info}" "$(sonde_text "$1")"; }

# Something was lost: REASON [COUNT].
sonde_loss() { printf '{"type":"loss","reason":"%s"%s}\n' "$(sonde_text "$1")" "${2:+,\"count\":$2}"; }

# Ends the program with a failure: MESSAGE [transient|configuration|resource|access_refused|…].
sonde_fail() {
    printf '{"type":"error","class":"%s","message":"%s"}\n' "${2:-transient}" "$(sonde_text "$1")"
    exit 1
}

# A text as it is written between quotation marks.
sonde_text() { printf '%s' "$1" | tr '\000-\037\177' ' ' | sed 's/[\\"]/\\&/g'; }
