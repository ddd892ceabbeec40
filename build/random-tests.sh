#!/usr/bin/env bash
# Repeats the tests with random data, each round with another seed. The normal build runs them with fixed seeds, so that
# a commit always gives the same result.
# usage: build/random-tests.sh [--minutes N]     (called by ./millrace test --random)
# exit code: 0 all rounds passed, 1 a round failed, 64 invalid usage, 130 interrupted
set -uo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
cd "$root" || exit 1
minutes=10
while [ $# -gt 0 ]; do
    if [ "$1" = --minutes ] && [[ "${2:-}" =~ ^[1-9][0-9]{0,4}$ ]]; then
        minutes=$2
        shift 2
    else
        echo "CMD-0018: invalid usage, argument=$1" >&2
        echo "    hint: millrace test --random [--minutes N], with N from 1 to 99999" >&2
        exit 64
    fi
done

# A test with random data reads its seed from this system property.
mapfile -t files < <(grep -rl --include='*Test.java' 'Long.getLong("seed"' -- */*/src/test/java */src/test/java | sort)
modules=$(printf '%s\n' "${files[@]}" | sed 's#/src/test/.*##' | sort -u | paste -sd,)
tests=$(printf '%s\n' "${files[@]}" | sed 's#.*/##; s#\.java$##' | sort -u | paste -sd,)
echo "tests: $tests"
work=$(mktemp -d "${TMPDIR:-/tmp}/millrace-random.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
end=$((SECONDS + minutes * 60))
rounds=0
failed=0
while [ $rounds -eq 0 ] || [ $SECONDS -lt $end ]; do
    rounds=$((rounds + 1))
    seed=$((RANDOM << 30 | RANDOM << 15 | RANDOM))
    arguments=(-pl "$modules" -am "-Dtest=$tests" -Dsurefire.failIfNoSpecifiedTests=false -Dcheckstyle.skip "-Dseed=$seed")
    if build/test.sh "${arguments[@]}" >"$work/log" 2>&1; then
        echo "round $rounds, seed $seed: $(tail -1 "$work/log")"
    else
        failed=$((failed + 1))
        echo "round $rounds, seed $seed: FAILED"
        grep '^FAILED' "$work/log" || tail -20 "$work/log"
        echo "    repeat with: ./millrace test -Dseed=$seed -pl $modules -am -Dtest=$tests -Dsurefire.failIfNoSpecifiedTests=false"
        echo "    then add the seed to the fixed seeds of the test"
    fi
done
echo "rounds: $((rounds - failed)) passed, $failed failed"
[ $failed -eq 0 ]
