# Sourced by startwlevs.sh. Turns PROCESSOR_SET into "binding": the words in front of the Java command that keep the
# instance on these processors; empty when none are set. Ends the script with 64 when the set cannot be had: the
# operating system would take what is left of it, or all processors, and say nothing.

# Ends the script. usage: refuse_set CODE FACT HINT
refuse_set()
{
    echo "$1: $2, PROCESSOR_SET=$PROCESSOR_SET domain=$domain" >&2
    echo "    hint: $3" >&2
    exit 64
}

# Each processor of a list like 0-2,5 on a line of its own; nothing for a range that runs backwards.
processors_of()
{
    for part in $(echo "$1" | tr ',' ' '); do
        processor=${part%-*}
        while [ "$processor" -le "${part#*-}" ]; do
            echo "$processor"
            processor=$((processor + 1))
        done
    done
}

bind_by_taskset()
{
    number='(0|[1-9][0-9]{0,3})'
    if ! echo "$PROCESSOR_SET" | grep -Eqx "$number(-$number)?(,$number(-$number)?)*"; then
        refuse_set CMD-0008 "not a list of processors" "write numbers and ranges, for example 0-3 or 0,2"
    fi
    for part in $(echo "$PROCESSOR_SET" | tr ',' ' '); do
        if [ "${part%-*}" -gt "${part#*-}" ]; then
            refuse_set CMD-0008 "range runs backwards, range=$part" "write the lower number first"
        fi
    done
    if ! command -v taskset >/dev/null; then
        refuse_set CMD-0015 "no program for processor sets, missing=taskset" "install util-linux, or leave PROCESSOR_SET empty"
    fi
    # What is not there, or not allowed in this container, is left out without a word: so look what we would get.
    had=$(taskset -c "$PROCESSOR_SET" sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status 2>/dev/null) || had=""
    had=" $(processors_of "$had" | tr '\n' ' ')"
    missing=""
    for processor in $(processors_of "$PROCESSOR_SET"); do
        case "$had" in
            *" $processor "*) ;;
            *) missing="$missing${missing:+,}$processor" ;;
        esac
    done
    if [ -n "$missing" ]; then
        online=$(cat /sys/devices/system/cpu/online 2>/dev/null || echo unknown)
        refuse_set CMD-0007 "no such processor, or not for us, processors=$missing online=$online" \
            "change PROCESSOR_SET at the top of startwlevs.sh"
    fi
    binding="taskset -c $PROCESSOR_SET"
}

bind_by_psrset()
{
    case "$PROCESSOR_SET" in
        *[!0-9]*) refuse_set CMD-0008 "not the number of a processor set" \
            "on Solaris make a set with psrset -c PROCESSOR... and write the number that it prints" ;;
    esac
    psrset=$(command -v psrset || echo /usr/sbin/psrset)
    if [ ! -x "$psrset" ]; then
        refuse_set CMD-0015 "no program for processor sets, missing=psrset" "add /usr/sbin to the path, or leave PROCESSOR_SET empty"
    fi
    if ! "$psrset" -i "$PROCESSOR_SET" >/dev/null 2>&1; then
        refuse_set CMD-0007 "no such processor set" "psrset -i lists those there are, psrset -c makes one"
    fi
    binding="$psrset -e $PROCESSOR_SET"
}

binding=""
if [ -n "${PROCESSOR_SET:-}" ]; then
    system=$(uname -s)
    case "$system" in
        Linux) bind_by_taskset ;;
        SunOS) bind_by_psrset ;;
        *) refuse_set CMD-0009 "no processor sets on this operating system, system=$system" \
            "leave PROCESSOR_SET empty" ;;
    esac
fi
