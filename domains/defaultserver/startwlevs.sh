#!/bin/sh
# Starts this server instance in the foreground; Ctrl-C stops it.
# usage: ./startwlevs.sh [-help] [-dryrun] [-Dname=value ...]
# With -dryrun, prints the Java command without executing it. Other options are passed to Java.

# Every instance of a host needs its own ports: these two, and those in config/config.xml.
DEFAULT_PORTS="-Dloadgen.port=9001 -Dtimesync.port=9011"

# Processors that this instance may use; empty for all. Linux: numbers and ranges, "0-3" or "0,2", applied by taskset.
# Solaris: the number of a processor set created with psrset -c, applied by psrset -e.
PROCESSOR_SET=""

# Home directory of the product. The default is correct for a domain below <home>/user_projects/domains.
WLEVS_HOME="${WLEVS_HOME:-../../..}"

set -eu
# Files of an instance contain events and secrets: only their owner may read them.
umask 077
domain=$(cd "$(dirname "$(readlink -f "$0")")" && pwd)
cd "$domain"
home=$(cd "$WLEVS_HOME" 2>/dev/null && pwd) || home=$WLEVS_HOME
if [ ! -f "$home/bin/find-java.sh" ]; then
    echo "CMD-0002: home directory not found, WLEVS_HOME=$WLEVS_HOME domain=$domain" >&2
    echo "    hint: set WLEVS_HOME to the directory that contains bin, lib and bundles" >&2
    exit 64
fi
. "$home/bin/find-java.sh"
. "$home/bin/processor-set.sh"

dry_run=""
for argument; do
    shift
    case "$argument" in
        -dryrun) dry_run=yes ;;
        -h | -help | --help)
            sed -n '2,4s/^# //p' "$domain/${0##*/}"
            exit 0 ;;
        -*) set -- "$@" "$argument" ;;
        *)
            # Java would interpret it as a class name.
            echo "CMD-0013: not an option, argument=$argument" >&2
            echo "    hint: startwlevs.sh -help shows the options; this script starts the domain that contains it" >&2
            exit 64 ;;
    esac
done

# Checks ports here, because Java accepts any value of a property and an invalid port would be detected much later.
for argument in $DEFAULT_PORTS "$@"; do
    case "$argument" in
        -D*.port | -D*.port=*)
            name=${argument#-D}
            case "$argument" in
                *=*) value=${argument#*=} ;;
                *) value="" ;;
            esac
            case "$value" in
                '' | *[!0-9]* | ??????*) is_port=no ;;
                *) if [ "$value" -le 65535 ]; then is_port=yes; else is_port=no; fi ;;
            esac
            if [ $is_port = no ]; then
                echo "CMD-0014: not a port, ${name%%=*}=$value domain=$domain" >&2
                echo "    hint: use -D${name%%=*}=NUMBER, 1 to 65535; DEFAULT_PORTS at the top of startwlevs.sh contains" \
                    "the defaults" >&2
                exit 64
            fi ;;
    esac
done

# This file configures memory and garbage collector.
jvm_options="$domain/config/jvm.options"
if [ ! -f "$jvm_options" ]; then
    echo "CMD-0003: file is missing, file=$jvm_options" >&2
    echo "    hint: copy it from $home/user_projects/domains/defaultserver/config" >&2
    exit 64
fi

# Class data sharing: loaded classes are archived when an instance ends, and later starts load them from the archive. An
# archive is valid for one Java version, one path of the home, and the libraries in lib. Java rejects the archive of a home
# that was copied or moved, but identifies libraries only by size and time, and all builds set the same time. Therefore the
# file name contains a checksum of the path and one of the libraries. The name ends with the process id until the next start
# finds the archive complete. Archiving takes seconds at the end, so that only one of several instances does it. Members of
# a cluster load more classes than other instances.
kind=""
if grep -Eq '<enabled>[[:space:]]*(true|coherence|evs4j)[[:space:]]*</enabled>' "$domain/config/config.xml"; then
    kind="-cluster"
fi
checksum()
{
    cksum | cut -d' ' -f1
}
# Third-party libraries have their versions in their names.
libraries=$({ cd "$home/lib" && wc -c *.jar && cat millrace-*.jar; } 2>/dev/null | checksum)
archives="$home/lib/classes-$java_version-$(printf %s "$home" | checksum)"
archive="$archives-$libraries$kind.jsa"
has_maker()
{
    [ -f "$archive.maker" ] && kill -0 "$(cat "$archive.maker")" 2>/dev/null
}
prepare()
{
    mkdir -p "$domain/logs" "$domain/var"
    for old in "$archives"-*.jsa*; do
        case "$old" in
            "$archives-$libraries"*) ;;
            *) rm -f "$old" 2>/dev/null || true ;;
        esac
    done
    if [ -f "$archive" ] && [ -n "$(find "$home/lib" -maxdepth 1 -name '*.jar' -newer "$archive" 2>/dev/null)" ]; then
        rm -f "$archive"
    fi
    for made in "$archive".[0-9]*; do
        if [ -f "$made" ] && ! kill -0 "${made##*.}" 2>/dev/null; then
            if [ -f "$archive" ]; then rm -f "$made"; else mv -f "$made" "$archive" 2>/dev/null || true; fi
        fi
    done
}
if [ -z "$dry_run" ]; then
    prepare
fi
if [ -f "$archive" ]; then
    archive_option="-XX:SharedArchiveFile=$archive"
elif [ -w "$home/lib" ] && ! has_maker; then
    if [ -z "$dry_run" ]; then
        echo $$ >"$archive.maker"
    fi
    archive_option="-XX:ArchiveClassesAtExit=$archive.$$"
else
    archive_option="-Xshare:auto"
fi

# Options that later versions of Java require.
version_options=""
if [ "$java_major" -ge 24 ]; then
    version_options="--sun-misc-unsafe-memory-access=allow"
fi

set -- $binding "$java" "$archive_option" "-Xlog:cds*=off" "@$home/bin/java-opens.txt" "@$jvm_options" \
    $version_options $DEFAULT_PORTS \
    "-Dwlevs.home=$home" "-Dwlevs.domain.home=$domain" "$@" \
    -cp "$home/lib/*" dev.millrace.launcher.Main
if [ -n "$dry_run" ]; then
    # Quotes each word for the shell.
    for word; do
        case "$word" in
            *[!A-Za-z0-9_./:=,+@%-]*) printf "'%s' " "$(printf %s "$word" | sed "s/'/'\\\\''/g")" ;;
            *) printf '%s ' "$word" ;;
        esac
    done
    echo
    exit 0
fi
exec "$@"
