#!/usr/bin/env bash
# Mutation tests: changes one instruction of a compiled class at a time and runs the tests that execute it. A change that
# no test detects survives. The profile nightly of cql-processor/testkit assigns classes and tests to areas.
# usage: build/mutations.sh [--limit MUTANTS] [AREA]...     default: all areas, windows patterns joins codes
#   --limit MUTANTS   of each class, for a sample of an area in less time
# exit code: 0 all areas reach their scores, 1 an area does not or the build failed, 64 invalid usage;
# reports are in cql-processor/testkit/target/mutations/AREA/index.html
set -uo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
cd "$root" || exit 1
all=(windows patterns joins codes)
areas=()
features=
if [ "${1:-}" = --limit ]; then
    if [[ ! "${2:-}" =~ ^[1-9][0-9]*$ ]]; then
        echo "CMD-0019: invalid usage, --limit=${2:-}" >&2
        echo "    hint: use a number of at least 1" >&2
        exit 64
    fi
    features="-Dfeatures=+CLASSLIMIT(limit[$2])"
    shift 2
fi
for area in "$@"; do
    if [[ " ${all[*]} " != *" $area "* ]]; then
        echo "CMD-0019: invalid usage, area=$area" >&2
        echo "    hint: use one or more of ${all[*]}" >&2
        exit 64
    fi
    areas+=("$area")
done
[ ${#areas[@]} -gt 0 ] || areas=("${all[@]}")
failed=0
for area in "${areas[@]}"; do
    report="cql-processor/testkit/target/mutations/$area"
    rm -rf "$report"
    mkdir -p "${report%/*}"
    started=$SECONDS
    if mvn -B -ntp -q -Pnightly -pl cql-processor/testkit -am package -Dmaven.test.skip.exec=true -Dcheckstyle.skip \
        ${features:+"$features"} "org.pitest:pitest-maven:mutationCoverage@$area" >"$report.log" 2>&1; then
        result=ok
    else
        result=FAILED
        failed=1
        grep -m3 -E '^\[ERROR\]' "$report.log"
    fi
    [ -f "$report/mutations.csv" ] || continue
    awk -F, -v area="$area" -v result="$result" -v seconds=$((SECONDS - started)) '
        { all[$2]++; total++ }
        $6 !~ /^(SURVIVED|NO_COVERAGE)$/ { killed[$2]++; sum++ }
        END {
            for (name in all)
                printf "    %3d %% of %4d  %s\n", 100 * killed[name] / all[name], all[name], name | "sort";
            close("sort");
            printf "%s: %s, %d of %d mutants killed, %.1f %%, %d s\n",
                area, result, sum, total, 100 * sum / total, seconds;
        }' "$report/mutations.csv"
done
exit $failed
