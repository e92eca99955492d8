#!/usr/bin/env bash
# Runs everything in a folder that tools/gpu-bundle made, on a host with a GPU. `run.sh --help` tells how.
set -uo pipefail

help() {
    cat <<'TEXT'
run.sh [--out DIR] [--device D] [--steps A,B] [--scale N] [--runs N] [--small K] [--limit SECONDS] [--dealt]
       [--sanitize]

Runs the steps below, each with its output in a file of DIR, and prints a table of them last. Exit code 1 if one failed.

  doctor       warpgraph doctor: driver, NVRTC, devices, self-check
  check        device_check: kernels with known answers, memory, cancelling
  conformance  every test of tests/
  graphs       every algorithm on every graph of graphs/, verified
  bench        bfs, sssp, pagerank and wcc on a generated graph: medians of --runs, verified once; and on the processor
  gpu          warpgraph bench limits, then bench gpu: the table of times beside other programs, each cell verified once, in the
               folder gpu of DIR
  balance      warpgraph bench balance: every balance on generated graphs, in the folder balance of DIR
  sage         warpgraph bench sage: the choice of balances, on generated graphs, in the folder sage of DIR
  sanitize     with --sanitize: compute-sanitizer's memcheck, racecheck and synccheck over some of tests/

  --out DIR        where logs go [out]; the table is also there, in summary.txt
  --device D       the device: cuda:0, cuda:1, ... [cuda:0]
  --steps A,B      only these [all]
  --scale N        the graph of bench is kron:N,w=1..255 [20]
  --runs N         timed runs of bench [16]
  --small K        the graphs of gpu have 2^K times fewer vertices [0]
  --limit SECONDS  end a command after so long; it has failed then [600]
  --dealt          conformance as on the simulator: no large graphs, and a few plans for each of the others
  --sanitize       also the step sanitize
TEXT
}

here="$(cd "$(dirname "$0")" && pwd)"
out="out" device="cuda:0" steps="doctor,check,conformance,graphs,bench,gpu,balance,sage" scale=20 runs=16 small=0 limit=600
failed=0 number=0
rows=()

while (($#)); do
    case "$1" in
    --out | --device | --steps | --scale | --runs | --small | --limit)
        (($# > 1)) || { echo "run.sh: $1 needs a value" >&2; exit 2; }
        printf -v "${1#--}" '%s' "$2"
        shift 2
        ;;
    --dealt)
        export WARPGRAPH_DEALT=1
        shift
        ;;
    --sanitize)
        steps="$steps,sanitize"
        shift
        ;;
    --help | -h)
        help
        exit 0
        ;;
    *)
        echo "run.sh: there is no flag $1; --help lists them" >&2
        exit 2
        ;;
    esac
done
for step in ${steps//,/ }; do
    case "$step" in
    doctor | check | conformance | graphs | bench | gpu | balance | sage | sanitize) ;;
    *)
        echo "run.sh: there is no step $step; --help lists them" >&2
        exit 2
        ;;
    esac
done
mkdir -p "$out" || exit 2
out="$(cd "$out" && pwd)"
cd "$here" || exit 2

# row NAME RESULT SECONDS MEDIAN: one line of the table.
row() { rows+=("$(printf '%-34s %-8s %9s %12s' "$1" "$2" "$3" "$4")"); }

has() { [[ ",$steps," == *",$1,"* ]]; }

# Ends a command after the limit, where there is something to do that with.
limited() {
    if command -v timeout >/dev/null; then timeout --kill-after=10 "$limit" "$@"; else "$@"; fi
}

# try NAME COMMAND...: runs it with its output in a log; its standard output, too, in $out/NAME.json if it is one line of JSON.
try() {
    local name="$1" log json start seconds code median="" result="ok"
    shift
    number=$((number + 1))
    log="$out/$(printf '%02d' "$number")-$name.log" json="$out/$name.json"
    echo "== $name: $*"
    start=$(date +%s.%N)
    limited "$@" >"$json" 2>"$log"
    code=$?
    seconds=$(awk -v from="$start" -v to="$(date +%s.%N)" 'BEGIN { printf "%.1f s", to - from }')
    median=$(sed -n 's/.*"median":\([0-9.e+-]*\).*/\1/p' "$json" | head -n 1)
    [[ -n "$median" ]] && median=$(awk -v s="$median" 'BEGIN { printf "%.3f ms", 1000 * s }')
    cat "$json" >>"$log"
    [[ "$(head -c 1 "$json")" == "{" ]] || rm -f "$json"
    if ((code != 0)); then
        result="FAILED" failed=1
        ((code == 124 || code == 137)) && echo "ended after $limit s" >>"$log"
        tail -n 15 "$log"
    fi
    row "$name" "$result" "$seconds" "$median"
    return "$code"
}

# The names of all algorithms.
algorithms() { ./warpgraph plans --json | grep -o '"algorithm":"[^"]*"' | cut -d '"' -f 4 | awk '!seen[$0]++'; }

skip() {
    echo "== $1: skipped: $2"
    row "$1" "skipped" "" ""
}

if has doctor; then
    try doctor ./warpgraph doctor
    cat "$out"/*-doctor.log
fi

if has check; then
    try check ./device_check --device "$device"
fi

if has conformance; then
    found=0
    for test in tests/*; do
        [[ -x "$test" ]] || continue
        found=1
        # More threads than this only wait for each other at the driver. A test that finds no GPU fails.
        try "conformance-$(basename "$test")" "./$test" --include-ignored --test-threads 4
    done
    ((found)) || skip conformance "there is nothing in tests/"
fi

if has graphs; then
    found=0
    for graph in graphs/*; do
        [[ -f "$graph" ]] || continue
        found=1
        name="$(basename "$graph")"
        for algorithm in $(algorithms); do
            few=()
            # A search from every vertex would take long, and tell no more.
            [[ "$algorithm" == bc || "$algorithm" == closeness ]] && few=(--sources 100)
            try "$algorithm-${name%%.*}" ./warpgraph run "$algorithm" "$graph" "${few[@]}" --device "$device" --verify --json
        done
    done
    ((found)) || skip graphs "there is nothing in graphs/"
fi

if has bench; then
    graph="$out/bench.wg"
    if try generate ./warpgraph generate "kron:$scale,w=1..255" "$graph" --force --json; then
        for algorithm in bfs sssp pagerank wcc; do
            run=(./warpgraph run "$algorithm" "$graph" --json)
            try "$algorithm-${device/:/-}" "${run[@]}" --device "$device" --runs "$runs" --warmup 1
            try "$algorithm-verified" "${run[@]}" --device "$device" --verify
            try "$algorithm-cpu" "${run[@]}" --device cpu --runs 3 --warmup 1
        done
    fi
    rm -f "$graph"
fi

if has gpu; then
    try limits ./warpgraph bench limits --device "$device" --json
    try gpu ./warpgraph bench gpu --device "$device" --scale-down "$small" --verify once --out "$out/gpu" --force
fi

if has balance; then
    try balance ./warpgraph bench balance --device "$device" --out "$out/balance"
fi
if has sage; then
    try sage ./warpgraph bench sage --device "$device" --only auto --case-limit 1 --out "$out/sage"
fi

if has sanitize; then
    PATH="$PATH:/usr/local/cuda/bin"
    if command -v compute-sanitizer >/dev/null; then
        # Every algorithm by every plan, programs of one's own, sums, many sources: small graphs, since each access is looked at.
        cases=(plans::each_pair bfs::stops_at bc::draws_sources programs::whole_sums programs::weights_are_read)
        found=0
        for tool in memcheck racecheck synccheck; do
            for test in tests/*; do
                [[ -x "$test" ]] || continue
                found=1
                try "$tool-$(basename "$test")" compute-sanitizer --tool "$tool" --error-exitcode 9 \
                    "./$test" "${cases[@]}" --include-ignored --test-threads 1
            done
        done
        ((found)) || skip sanitize "there is nothing in tests/"
    else
        echo "== sanitize: there is no compute-sanitizer; it is part of the CUDA toolkit"
        row sanitize FAILED "" ""
        failed=1
    fi
fi

{
    printf '\n%-34s %-8s %9s %12s\n' step result seconds median
    printf '%s\n' "${rows[@]}"
} | tee "$out/summary.txt"
exit "$failed"
