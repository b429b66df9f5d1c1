#!/bin/sh
# Wrong unsat: str.from_code inside ite (5.4.0)
# Usage: sh reproduce.sh [SOLVER]   (seen with Z3 5.4.0; default: z3 in PATH)
# Exit codes: 0 reproduced, 1 not reproduced, 2 it cannot be run.
# To get it: pip download --no-deps --only-binary :all: z3-solver==5.4.0; the wheel is a zip file with *.data/data/bin/z3.

dir=$(dirname "$0")
solver=${1:-z3}
command -v "$solver" > /dev/null || { echo "cannot run $solver"; exit 2; }

# Sets output and code.
run() {
    file=$(mktemp) || exit 2
    "$solver" -in < "$dir/sent.smt2" > "$file" 2>&1 &
    pid=$!
    (trap 'kill "$timer"; exit' TERM; sleep 60 & timer=$!; wait "$timer"; kill -9 "$pid") > /dev/null 2>&1 &
    watch=$!
    wait "$pid" 2> /dev/null
    code=$?
    kill "$watch" 2> /dev/null
    output=$(tr -d '\r' < "$file")
    rm -f "$file"
}

# The answer to check 1.
answer() { printf '%s\n' "$output" | grep -E -x 'sat|unsat|unknown' | sed -n '1p'; }

failed() { [ "$(answer)" = unsat ]; }
tries=1
while [ "$tries" -gt 0 ]; do
    run
    printf '%s\n' "$output"
    if failed; then echo "reproduced"; exit 0; fi
    tries=$((tries - 1))
done
echo "not reproduced (exit code $code)"
exit 1
