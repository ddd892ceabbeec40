#!/bin/sh
# Runs the load generator with one or more property files; default: csvgen.prop in the directory of this script.
# Ctrl-C ends it. usage: runloadgen.sh [FILE.prop ...]
# LOADGEN_PROCESSOR_SET, if set, binds it to processors, in the format of PROCESSOR_SET of startwlevs.sh;
# LOADGEN_OPTS contains its JVM options.
set -eu
here=$(cd "$(dirname "$(readlink -f "$0")")" && pwd)
home=$(cd "$here/../.." && pwd)
. "$home/bin/find-java.sh"
PROCESSOR_SET="${LOADGEN_PROCESSOR_SET:-}"
domain=$here
. "$home/bin/processor-set.sh"
. "$home/bin/timer-slack.sh"
exec $binding "$java" -Xms64m -Xmx256m -XX:+UseSerialGC ${LOADGEN_OPTS:-} \
    "-Dloadgen.properties=$here/csvgen.prop" \
    -cp "$home/lib/command/*" dev.millrace.loadgen.Main "$@"
