#!/usr/bin/env bash
# Builds everything and runs the tests of all modules, regardless of failures; lists all failures with seeds at the end.
# usage: build/test.sh [--fast] [MAVEN ARGUMENT]...     (called by ./millrace test)
#        --fast: unit and conformance tests: no integration tests, nothing with @Tag("slow"), no style check, no Javadoc, no
#        home directory
# exit code: 0 all passed, 1 a test or the build failed, 130 interrupted
set -uo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
cd "$root" || exit 1
work=$(mktemp -d "${TMPDIR:-/tmp}/millrace-test.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
touch "$work/start"
fast=
if [ "${1:-}" = --fast ]; then
    shift
    fast=yes
    set -- -DskipITs -DexcludedGroups=slow -Dcheckstyle.skip -Dmaven.javadoc.skip -Dmaven.source.skip \
        -Dassembly.skipAssembly -Dexec.skip "$@"
fi

# The build compiles and checks each file once, which is over before optimized code pays off.
export MAVEN_OPTS=${MAVEN_OPTS:--XX:TieredStopAtLevel=1 -XX:+UseSerialGC}

# A failed test must not prevent the tests of later modules: Maven ignores failures, and this script reports them.
# Three modules at a time: many tests wait for other processes, or for time.
mvn -B -ntp -T 3 --fail-at-end -Dmaven.test.failure.ignore=true verify "$@" 2>&1 | tee "$work/log"
maven=${PIPESTATUS[0]}

# One line per failed test: class.method, and the first line of its message, which contains the seed of random tests.
find . -path '*/target/*' -name 'TEST-*.xml' \( -path '*/surefire-reports/*' -o -path '*/failsafe-reports/*' \) \
    -newer "$work/start" -print0 | sort -z | xargs -0 -r awk '
    function value(name,    text) {
        if (!match($0, "[ <]" name "=\"[^\"]*\"")) return "";
        text = substr($0, RSTART, RLENGTH);
        sub(/^[^"]*"/, "", text); sub(/"$/, "", text);
        return text;
    }
    function plain(text) {
        gsub(/&#10;|&#13;|&#9;/, " ", text); gsub(/&lt;/, "<", text); gsub(/&gt;/, ">", text);
        gsub(/&quot;/, "\"", text); gsub(/&apos;/, "\047", text); gsub(/&amp;/, "\\&", text);
        return length(text) > 400 ? substr(text, 1, 400) "..." : text;
    }
    /<testsuite / {
        tests += value("tests"); failed += value("failures") + value("errors"); skipped += value("skipped");
        class = value("name"); time = value("time"); gsub(",", "", time);
        if (time > 5) print "SLOW " class " " time;
    }
    /<testcase / { test = value("classname") "." value("name"); }
    /<(failure|error)[ >]/ { print "FAILED " test ": " plain(value("message")); }
    END { print "COUNT " tests + 0 " " failed + 0 " " skipped + 0; }' >"$work/results"

# xargs may call awk more than once.
read -r tests failed skipped < <(awk '/^COUNT/ { t += $2; f += $3; s += $4 } END { print t + 0, f + 0, s + 0 }' \
    "$work/results")

# With failures ignored, Maven also ignores a test process that crashed; its log still contains the error.
crashes=$(grep -cE '^\[ERROR\].*(The forked VM terminated|Crashed tests|There was a timeout|ForkedBooter)' "$work/log")

echo
if [ "$failed" -gt 0 ]; then
    grep '^FAILED' "$work/results"
fi
if [ "$crashes" -gt 0 ]; then
    echo "a test process crashed:"
    grep -E '^\[ERROR\].*(The forked VM terminated|Crashed tests|There was a timeout)' "$work/log" | sort -u | head -20
fi
if [ "$maven" -ne 0 ]; then
    echo "the build failed: see the first [ERROR] above"
fi
if [ -n "$fast" ]; then
    awk '/^SLOW/ && $2 !~ /\.ConformanceEngineTest$/ { print "note: " $2 " took " $3 " s; annotate it with @Tag(\"slow\")" }' \
        "$work/results"
fi
echo "tests: $((tests - failed - skipped)) passed, $failed failed, $skipped skipped"
[ "$maven" -eq 0 ] && [ "$failed" -eq 0 ] && [ "$crashes" -eq 0 ] && { [ "$tests" -gt 0 ] || [ $# -gt 0 ]; }
