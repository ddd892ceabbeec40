# Sourced by startwlevs.sh. Converts PROCESSOR_SET to "binding": the prefix of the Java command that binds the instance to
# these processors; empty without a set. Ends the script with exit code 64 when the set is not available, because the
# operating system would silently use the available part of it, or all processors.

# Ends the script. usage: refuse_set CODE FACT HINT
refuse_set()
{
    echo "$1: $2, PROCESSOR_SET=$PROCESSOR_SET domain=$domain" >&2
    echo "    hint: $3" >&2
    exit 64
}

# The processors of a list such as 0-2,5, one per line; nothing for a descending range.
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
        refuse_set CMD-0008 "invalid list of processors" "use numbers and ranges, for example 0-3 or 0,2"
    fi
    for part in $(echo "$PROCESSOR_SET" | tr ',' ' '); do
        if [ "${part%-*}" -gt "${part#*-}" ]; then
            refuse_set CMD-0008 "range is descending, range=$part" "put the lower number first"
        fi
    done
    if ! command -v taskset >/dev/null; then
        refuse_set CMD-0015 "the program for processor sets is missing, missing=taskset" "install util-linux, or leave PROCESSOR_SET empty"
    fi
    # Missing processors, and those that this container may not use, are silently ignored: determine the resulting set.
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
        refuse_set CMD-0007 "processors do not exist or are not permitted, processors=$missing online=$online" \
            "change PROCESSOR_SET at the top of startwlevs.sh"
    fi
    binding="taskset -c $PROCESSOR_SET"
}

bind_by_psrset()
{
    case "$PROCESSOR_SET" in
        *[!0-9]*) refuse_set CMD-0008 "invalid number of a processor set" \
            "on Solaris, create a set with psrset -c PROCESSOR... and use the number that it prints" ;;
    esac
    psrset=$(command -v psrset || echo /usr/sbin/psrset)
    if [ ! -x "$psrset" ]; then
        refuse_set CMD-0015 "the program for processor sets is missing, missing=psrset" "add /usr/sbin to the path, or leave PROCESSOR_SET empty"
    fi
    if ! "$psrset" -i "$PROCESSOR_SET" >/dev/null 2>&1; then
        refuse_set CMD-0007 "no such processor set" "psrset -i lists the existing sets, psrset -c creates one"
    fi
    binding="$psrset -e $PROCESSOR_SET"
}

binding=""
if [ -n "${PROCESSOR_SET:-}" ]; then
    system=$(uname -s)
    case "$system" in
        Linux) bind_by_taskset ;;
        SunOS) bind_by_psrset ;;
        *) refuse_set CMD-0009 "this operating system does not support processor sets, system=$system" \
            "leave PROCESSOR_SET empty" ;;
    esac
fi
