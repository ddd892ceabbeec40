#!/bin/sh
# Runs the load generator with one or more property files; without one with csvgen.prop beside this script.
# Ctrl-C ends it. usage: runloadgen.sh [FILE.prop ...]
set -eu
here=$(cd "$(dirname "$(readlink -f "$0")")" && pwd)
home=$(cd "$here/../.." && pwd)
. "$home/bin/find-java.sh"
if [ $# -eq 0 ]; then
    set -- "$here/csvgen.prop"
fi
exec "$java" -Xms64m -Xmx256m -XX:+UseSerialGC ${LOADGEN_OPTS:-} \
    -cp "$home/lib/command/*" dev.millrace.loadgen.Main "$@"
