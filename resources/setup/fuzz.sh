#!/usr/bin/env bash
# Feeds the readers millions of damaged inputs (libFuzzer, with address and undefined-behaviour
# sanitizers) and prints a table. Exit code 1 on any crash, leak, time-out or memory beyond the limit.
# usage: fuzz.sh [--instrumented] [MINUTES] [TARGET…]     default: 10 s a target, all targets
#   --instrumented   libhdf5 and libtiff from fuzz_libraries.sh, with sanitizers and coverage
# What reaches new code is kept in build/fuzz-corpus and built on by the next run; findings lie in
# build/fuzz-findings, each a file that the target takes as its argument.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
cd "$here/../.."

build=build/fuzz
cmake_options=()
if [ "${1:-}" = "--instrumented" ]; then
  shift
  "$here/fuzz_libraries.sh"
  build=build/fuzz-instrumented
  libraries="$PWD/build/fuzz-libraries/installed"
  cmake_options=(-B "$build" -DHDF5_ROOT="$libraries" -DHDF5_NO_FIND_PACKAGE_CONFIG_FILE=ON
    -DCMAKE_PREFIX_PATH="$libraries" -DCMAKE_BUILD_RPATH="$libraries/lib")
fi
seconds=10
if [[ "${1:-}" =~ ^[0-9]+$ ]]; then
  seconds=$((60 * $1))
  shift
fi
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=(recipe workspace stencil spec ome tiff psf_file hdf5 apr)

"$here/packages.sh" --fuzz
log="$(mktemp)"
trap 'rm -f "$log"' EXIT
cmake --preset fuzz "${cmake_options[@]}" >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
cmake --build "$build" --target fuzz_seeds "${targets[@]/#/fuzz_}" >"$log" 2>&1 || { tail -n 40 "$log" >&2; exit 1; }

programs="$PWD/$build/tests/fuzz"
corpus="$PWD/build/fuzz-corpus"
findings="$PWD/build/fuzz-findings"
logs="$PWD/build/fuzz-logs"
mkdir -p "$corpus" "$findings" "$logs" "$build/seeds"
"$programs/fuzz_seeds" "$build/seeds"
seeds="$PWD/$build/seeds"

dictionary_of() {
  case "$1" in
    recipe | workspace | stencil) echo json ;;
    tiff | psf_file) echo tiff ;;
    hdf5 | apr) echo hdf5 ;;
    *) echo "$1" ;;
  esac
}

# Inputs above it are cut.
longest_of() {
  case "$1" in
    hdf5 | apr) echo 65536 ;;
    *) echo 16384 ;;
  esac
}

# One target until its time is up or it finds something.
fuzz() {
  local name="$1" code=0
  mkdir -p "$corpus/$name"
  OMP_NUM_THREADS=1 \
  ASAN_OPTIONS=allocator_may_return_null=1:max_allocation_size_mb=4096:detect_leaks=1 \
  UBSAN_OPTIONS=print_stacktrace=1 \
    "$programs/fuzz_$name" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=3072 \
    -malloc_limit_mb=2048 -max_len="$(longest_of "$name")" -print_final_stats=1 -detect_leaks=1 -close_fd_mask=1 \
    -dict="tests/fuzz/dictionaries/$(dictionary_of "$name").dict" \
    -artifact_prefix="$findings/$name-" \
    "$corpus/$name" "$seeds/$name" >"$logs/$name.txt" 2>&1 || code=$?
  echo "$code" >"$logs/$name.code"
}

# As many at once as there are cores.
running=0
for name in "${targets[@]}"; do
  fuzz "$name" &
  running=$((running + 1))
  if [ "$running" -ge "$(nproc)" ]; then
    wait -n
    running=$((running - 1))
  fi
done
wait

failed=0
printf '%-10s | %12s | %13s | %s\n' target executions "edges covered" "crashes, leaks, time-outs"
for name in "${targets[@]}"; do
  executions="$(sed -n 's/^stat::number_of_executed_units: *//p' "$logs/$name.txt")"
  edges="$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$logs/$name.txt" | tail -n 1)"
  found=none
  if [ "$(cat "$logs/$name.code")" -ne 0 ]; then
    failed=1
    found="$(grep -m 1 -E '^SUMMARY:|^==.*ERROR: |broken promise' "$logs/$name.txt" || echo "ended with code $(cat "$logs/$name.code")")"
    found+=" (build/fuzz-logs/$name.txt)"
  fi
  printf '%-10s | %12s | %13s | %s\n' "$name" "${executions:-?}" "${edges:-?}" "$found"
done
exit "$failed"
