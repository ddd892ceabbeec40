#!/bin/sh
# Divides the processors of this machine into sets for server instances and prints how to use them. The remaining
# processors are for the load generators. On Solaris the sets are created (requires PRIV_SYS_RES_CONFIG); on Linux ranges
# are sufficient.
# usage: make-processor-sets.sh [-dryrun] SETS SIZE
# SETS sets of SIZE processors each, lowest numbers first, so that with the size of a chip each set is one chip.
# With -dryrun, prints the commands without executing them.
# example: make-processor-sets.sh 2 128
set -eu

# The awk of Solaris is an old version; its nawk is equivalent to awk on other systems.
awk=$(command -v nawk || echo awk)

refuse()
{
    echo "$1: $2" >&2
    echo "    hint: $3" >&2
    exit 64
}

dry_run=""
if [ "${1:-}" = -dryrun ]; then
    dry_run=yes
    shift
fi
for number; do
    case "$number" in
        0* | *[!0-9]* | ?????*) refuse CMD-0010 "number is not from 1 to 9999, number=$number" \
            "use for example: make-processor-sets.sh 2 128" ;;
    esac
done
if [ $# -ne 2 ]; then
    refuse CMD-0010 "the number of sets and their size are required, arguments=$#" "use for example: make-processor-sets.sh 2 128"
fi
sets=$1
size=$2

# Online processors that are in no set, one number per line.
free_processors()
{
    case "$system" in
        Linux) sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status | tr ',' '\n' |
            "$awk" -F- '{ for (i = $1; i <= $NF; i++) print i }' ;;
        SunOS) { "$psrset" -i | sed -n 's/^user processor set [0-9]*: processors* */taken /p'
            psrinfo | "$awk" '$2 == "on-line" { print "online", $1 }'; } | "$awk" '
            $1 == "taken" { for (i = 2; i <= NF; i++) taken[$i] = 1 }
            $1 == "online" && !($2 in taken) { print $2 }' ;;
    esac
}

# The processors of one set, separated by blanks; sets are numbered from 1.
members_of()
{
    echo "$free" | "$awk" -v first=$((($1 - 1) * size)) -v size="$size" '
        NR > first && NR <= first + size { printf "%s%s", between, $1; between = " " }'
}

# Numbers as ranges separated by plus signs, the format of --processor-sets.
as_ranges()
{
    tr ' ' '\n' | "$awk" '
        function close_range() { last = (to > from) ? "-" to : ""; printf "%s%s%s", between, from, last; between = "+" }
        NR == 1 { from = to = $1; next }
        $1 == to + 1 { to = $1; next }
        { close_range(); from = to = $1 }
        END { close_range() }'
}

system=$(uname -s)
case "$system" in
    Linux) ;;
    SunOS) psrset=$(command -v psrset || echo /usr/sbin/psrset) ;;
    *) refuse CMD-0009 "this operating system does not support processor sets, system=$system" "start instances without them" ;;
esac
free=$(free_processors)
free_count=$(echo "$free" | grep -c . || true)
# Solaris reserves one processor for processes in no set; on all systems the load generators need some.
if [ $((sets * size)) -ge "$free_count" ]; then
    refuse CMD-0011 "not enough processors, needed=$((sets * size)) and one more, free=$free_count" \
        "use fewer or smaller sets"
fi

names=""
set_number=1
while [ "$set_number" -le "$sets" ]; do
    members=$(members_of "$set_number")
    if [ "$system" = Linux ]; then
        name=$(echo "$members" | as_ranges)
    elif [ -n "$dry_run" ]; then
        echo "$psrset -c $members"
        name="N$set_number"
    else
        # Unquoted on purpose: one argument per processor.
        made=$("$psrset" -c $members)
        echo "$made" >&2
        name=$(echo "$made" | sed -n 's/^created processor set \([0-9]*\).*/\1/p')
        if [ -z "$name" ]; then
            refuse CMD-0012 "psrset did not print the number of the new set" "list sets with psrset -i, and delete sets with psrset -d"
        fi
    fi
    names="$names${names:+,}$name"
    set_number=$((set_number + 1))
done
if [ -n "$dry_run" ] && [ "$system" = SunOS ]; then
    echo "# N1 and so on: the numbers that psrset prints"
fi
echo "millrace domain clone defaultserver 10 --processor-sets $names"
