#!/usr/bin/env bash
# Repeats every test class that uses threads, sockets or processes, each time in a new process and with another seed, while
# other processes keep the processors busy. A single pass of such a class proves nothing.
# usage: build/repeat-tests.sh [--times N] [--load N] [MODULE]...     default: 20 times with 4 busy processes
#        without modules: all modules with such classes, except for the integration tests
# exit code: 0 all passed, 1 a test failed, 64 invalid usage, 130 interrupted
set -uo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
cd "$root" || exit 1
times=20
load=4
modules=()
while [ $# -gt 0 ]; do
    if [[ "$1" =~ ^--(times|load)$ ]] && [[ "${2:-}" =~ ^(0|[1-9][0-9]{0,3})$ ]]; then
        declare "${1#--}=$2"
        shift 2
    elif [ -f "$1/pom.xml" ]; then
        modules+=("${1%/}")
        shift
    else
        echo "CMD-0020: invalid usage, argument=$1" >&2
        echo "    hint: build/repeat-tests.sh [--times N] [--load N] [MODULE]..., where a module is for example platform/network" >&2
        exit 64
    fi
done
. platform/distribution/src/main/home/bin/find-java.sh

# Finds test classes that import types of threads, sockets or processes, directly or through a fixture.
threaded='import java\.(util\.concurrent\.|net\.|nio\.channels\.)|new Thread|ProcessBuilder|ProcessHandle|Thread\.'
fixtures=$(grep -rlE --include='*.java' "$threaded" -- */*/src/test/java */src/test/java | grep -v 'Test\.java$' |
    sed 's#.*/##; s#\.java$##' | sort -u | paste -sd'|')
mapfile -t files < <(grep -rlE --include='*Test.java' "$threaded|\b($fixtures)\b" \
    -- */*/src/test/java */src/test/java | sort)
if [ ${#modules[@]} -eq 0 ]; then
    mapfile -t modules < <(printf '%s\n' "${files[@]}" | sed 's#/src/test/.*##' | sort -u)
fi

work=$(mktemp -d "${TMPDIR:-/tmp}/millrace-repeat.XXXXXX")
busy=()
finish()
{
    [ ${#busy[@]} -eq 0 ] || kill "${busy[@]}" 2>/dev/null
    rm -rf "$work"
}
trap finish EXIT
trap 'exit 130' INT TERM

junit=$(sed -n 's:.*<junit.version>5\(.*\)</junit.version>.*:1\1:p' pom.xml)
mvn -B -ntp -q dependency:copy "-Dartifact=org.junit.platform:junit-platform-console-standalone:$junit" \
    "-DoutputDirectory=$work" || exit 1
opens=$(sed -n '/<ignite.opens>/,/<\/ignite.opens>/p' platform/cluster/pom.xml | sed 's/<[^>]*>//g' | tr -s ' \n' ' ')
failed=0
rounds=0
for module in "${modules[@]}"; do
    classes=()
    for file in "${files[@]}"; do
        if [[ "$file" == "$module/src/test/java/"* ]]; then
            name=${file#"$module/src/test/java/"}
            name=${name%.java}
            classes+=("--select-class=${name//\//.}")
        fi
    done
    [ ${#classes[@]} -gt 0 ] || continue
    if ! mvn -B -ntp -q -pl "$module" -am package -Dmaven.test.skip.exec=true -Dcheckstyle.skip \
        dependency:build-classpath -Dmdep.outputFile=target/test-class-path >"$work/build" 2>&1; then
        tail -20 "$work/build"
        echo "$module: the build failed"
        failed=$((failed + 1))
        continue
    fi
    echo "$module: ${#classes[@]} classes, $times times, with $load busy processes"
    for ((i = 0; i < load; i++)); do
        (while :; do :; done) &
        busy+=($!)
    done
    path="$root/$module/target/test-classes:$root/$module/target/classes:$(cat "$module/target/test-class-path")"
    for ((round = 1; round <= times; round++)); do
        seed=$((RANDOM << 30 | RANDOM << 15 | RANDOM))
        rounds=$((rounds + 1))
        # JUnit's jars are also on the class path of the module; those of the launcher come first.
        # shellcheck disable=SC2086
        (cd "$module" && exec timeout 1200 "$java_dir/bin/java" $opens -Xmx512m "-Dseed=$seed" \
            '-Djunit.jupiter.execution.timeout.default=180 s' \
            -cp "$work/junit-platform-console-standalone-$junit.jar:$path" org.junit.platform.console.ConsoleLauncher \
            execute --details=none --disable-banner "${classes[@]}") >"$work/log" 2>&1
        code=$?
        if [ $code -ne 0 ]; then
            failed=$((failed + 1))
            echo "$module, round $round, seed $seed: FAILED, exit code $code"
            grep -E -A1 'MethodSource|ClassSource' "$work/log" | cut -c1-400 || tail -20 "$work/log"
            mkdir -p "$module/target/repeated"
            cp "$work/log" "$module/target/repeated/round-$round.log"
        fi
    done
    [ ${#busy[@]} -eq 0 ] || kill "${busy[@]}" 2>/dev/null
    busy=()
done
echo "rounds: $((rounds - failed)) passed, $failed failed"
[ $failed -eq 0 ]
