#!/bin/sh
# Starts this server instance in the foreground; Ctrl-C stops it.
# usage: ./startwlevs.sh [-Dname=value ...]

# Every instance of a host needs ports of its own: these two, and those in config/config.xml.
DEFAULT_PORTS="-Dloadgen.port=9001 -Dtimesync.port=9011"

# Home directory of the product. The default fits a domain below <home>/user_projects/domains.
WLEVS_HOME="${WLEVS_HOME:-../../..}"

set -eu
domain=$(cd "$(dirname "$(readlink -f "$0")")" && pwd)
cd "$domain"
home=$(cd "$WLEVS_HOME" 2>/dev/null && pwd) || home=$WLEVS_HOME
if [ ! -f "$home/bin/find-java.sh" ]; then
    echo "CMD-0002: home directory not found, WLEVS_HOME=$WLEVS_HOME domain=$domain" >&2
    echo "    hint: set WLEVS_HOME to the directory that holds bin, lib and bundles" >&2
    exit 64
fi
. "$home/bin/find-java.sh"

# Memory and collector are chosen in this file.
jvm_options="$domain/config/jvm.options"
if [ ! -f "$jvm_options" ]; then
    echo "CMD-0003: file is missing, file=$jvm_options" >&2
    echo "    hint: copy it from $home/user_projects/domains/defaultserver/config" >&2
    exit 64
fi

mkdir -p "$domain/logs" "$domain/var"

# Classes that were loaded once are archived when an instance ends, and later starts take them from there. An archive
# belongs to one home and one Java; it is named after its process until the next start finds it complete.
archive="$home/lib/classes-$java_version.jsa"
if [ -f "$archive" ] && [ -n "$(find "$home/lib" -maxdepth 1 -name '*.jar' -newer "$archive" 2>/dev/null)" ]; then
    rm -f "$archive"
fi
for made in "$archive".[0-9]*; do
    if [ -f "$made" ] && ! kill -0 "${made##*.}" 2>/dev/null; then
        if [ -f "$archive" ]; then rm -f "$made"; else mv -f "$made" "$archive"; fi
    fi
done
if [ -f "$archive" ]; then
    archive_option="-XX:SharedArchiveFile=$archive"
elif [ -w "$home/lib" ]; then
    archive_option="-XX:ArchiveClassesAtExit=$archive.$$"
else
    archive_option="-Xshare:auto"
fi

# What later versions of Java want to be told.
version_options=""
if [ "$java_major" -ge 24 ]; then
    version_options="--sun-misc-unsafe-memory-access=allow"
fi

exec "$java" "$archive_option" "-Xlog:cds*=off" "@$home/bin/java-opens.txt" "@$jvm_options" $version_options $DEFAULT_PORTS \
    "-Dwlevs.home=$home" "-Dwlevs.domain.home=$domain" "$@" \
    -cp "$home/lib/*" dev.millrace.launcher.Main
