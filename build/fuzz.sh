#!/usr/bin/env bash
# Searches for inputs that break a parser, with a coverage-guided fuzzer.
# usage: build/fuzz.sh [--minutes N] [TARGET]...     default: 10 minutes for each target
# targets: frame csv statement assembly configuration server bundle (module fuzz)
# exit code: 0 no findings, 1 findings, 64 invalid usage; inputs of findings are in fuzz/target/findings
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
all=(frame csv statement assembly configuration server bundle)
minutes=10
targets=()
while [ $# -gt 0 ]; do
    case "$1" in
        --minutes)
            minutes=${2:-}
            if ! [[ "$minutes" =~ ^[1-9][0-9]{0,3}$ ]]; then
                echo "CMD-0016: number of minutes is not from 1 to 9999, --minutes=$minutes" >&2
                exit 64
            fi
            shift 2
            ;;
        *)
            if [[ " ${all[*]} " != *" $1 "* ]]; then
                echo "CMD-0017: no such target, name=$1" >&2
                echo "    hint: use one or more of ${all[*]}" >&2
                exit 64
            fi
            targets+=("$1")
            shift
            ;;
    esac
done
[ ${#targets[@]} -gt 0 ] || targets=("${all[@]}")
cd "$root"
. platform/distribution/src/main/home/bin/find-java.sh
mvn -B -ntp -q -Pfuzz -pl fuzz -am package -DskipTests
path="fuzz/target/classes:$(cat fuzz/target/class-path)"
mkdir -p fuzz/target/findings
found=0
for target in "${targets[@]}"; do
    "$java_dir/bin/java" -cp "$path" dev.millrace.fuzz.Target "$target" "$root" "fuzz/target/seeds/$target"
    mkdir -p "fuzz/target/corpus/$target"
    echo "$target: $minutes minutes, started at $(date +%H:%M:%S)"
    log="fuzz/target/findings/$target.log"
    # The argument of LIKE is a regular expression by definition, so a pattern from the input is not a finding.
    if "$java_dir/bin/java" -Xmx2g -XX:-OmitStackTraceInFastThrow \
        -cp "$path" com.code_intelligence.jazzer.Jazzer \
        --target_class="$(cat "fuzz/target/seeds/$target.class")" '--instrumentation_includes=dev.millrace.**' \
        '--custom_hook_includes=dev.millrace.**' \
        --disabled_hooks=com.code_intelligence.jazzer.sanitizers.RegexInjection --reproducer_path=fuzz/target/findings \
        -max_total_time=$((minutes * 60)) -timeout=20 -rss_limit_mb=6000 -artifact_prefix=fuzz/target/findings/ \
        "fuzz/target/corpus/$target" "fuzz/target/seeds/$target" >"$log" 2>&1; then
        echo "$target: nothing found, $(grep -oE '^#[0-9]+' "$log" | tail -1 | tr -d '#') inputs"
    else
        found=1
        echo "$target: FOUND"
        grep -m1 -A12 -E '== Java Exception|ERROR: libFuzzer' "$log" || tail -20 "$log"
    fi
done
exit $found
