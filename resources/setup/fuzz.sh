#!/usr/bin/env bash
# Feeds the readers millions of damaged inputs (libFuzzer, with address and undefined-behaviour
# sanitizers) and prints a table. Exit code 1 on any crash, leak, time-out or memory beyond the limit.
# usage: fuzz.sh [--instrumented] [MINUTES] [TARGET…]     default: 10 s a target, all targets
#   APRSCOPE_FUZZ_RUNS=N   no more than N executions a target
#   --instrumented   libhdf5 and libtiff from fuzz_libraries.sh, with sanitizers and coverage
# What reaches new code is kept in build/fuzz-corpus and built on by the next run; findings lie in
# build/fuzz-findings, each a file that the target takes as its argument.
# The program reads each HDF5 file with a helper process that may crash; here one helper is kept for
# many files. A finding is also what ended a helper outside of libhdf5.
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
if [ ${#targets[@]} -eq 0 ]; then
  for source in tests/fuzz/*_fuzzer.cpp; do
    source="${source##*/}"
    targets+=("${source%_fuzzer.cpp}")
  done
fi

"$here/packages.sh" --fuzz
log="$(mktemp)"
trap 'rm -f "$log"' EXIT
cmake --preset fuzz "${cmake_options[@]}" ${APRSCOPE_UNITY:+"-DAPRSCOPE_UNITY=$APRSCOPE_UNITY"} >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
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
    recipe | workspace | stencil | zarr) echo json ;;
    tiff | psf_file) echo tiff ;;
    hdf5 | apr) echo hdf5 ;;
    *) echo "$1" ;;
  esac
}

# Inputs above it are cut.
longest_of() {
  case "$1" in
    hdf5 | apr | ims) echo 65536 ;;
    *) echo 16384 ;;
  esac
}

# Before OMP_NUM_THREADS is set: nproc heeds it.
cores="$(nproc)"
export OMP_NUM_THREADS=1 OMP_WAIT_POLICY=passive KMP_BLOCKTIME=0
export UBSAN_OPTIONS=print_stacktrace=1

dictionaries="$PWD/tests/fuzz/dictionaries"

# One target until its time is up or it finds something. In an empty folder: an input that names a
# folder has it searched, and a source tree takes seconds.
fuzz() {
  local name="$1" code=0 limit=2048 options=
  mkdir -p "$corpus/$name" "$build/empty"
  cd "$build/empty"
  case "$name" in
    hdf5 | apr | ims)
      # What a damaged file makes libhdf5 ask for is refused, no finding; its many reports name the
      # library without a look at its symbols.
      limit=0
      options=:symbolize=0:quarantine_size_mb=16
      ;;
  esac
  rm -f "$logs/$name-helper.txt"
  APRSCOPE_FUZZ_HELPER_LOG="$logs/$name-helper.txt" \
  ASAN_OPTIONS="intercept_tls_get_addr=0:allocator_may_return_null=1:max_allocation_size_mb=2048:detect_leaks=1$options" \
    "$programs/fuzz_$name" -max_total_time="$seconds" -runs="${APRSCOPE_FUZZ_RUNS:--1}" -timeout=60 -rss_limit_mb=3072 \
    -malloc_limit_mb="$limit" -max_len="$(longest_of "$name")" -print_final_stats=1 -detect_leaks=1 -close_fd_mask=1 \
    -dict="$dictionaries/$(dictionary_of "$name").dict" \
    -artifact_prefix="$findings/$name-" \
    "$corpus/$name" "$seeds/$name" >"$logs/$name.txt" 2>&1 || code=$?
  echo "$code" >"$logs/$name.code"
}

# Of the reports of helpers: how many are there, and how many whose stack does not pass through
# libhdf5. A helper that takes too long is killed, if need be while it writes its report: one without
# a stack is what others were that stopped at the same instruction.
helper_reports() {
  awk '
    function close_report() {
      if (!open) return
      if (frames == 0) cut[++cuts] = pc
      else if (library) of_library[pc] = 1
      else ours++
    }
    /ERROR: AddressSanitizer|runtime error:/ {
      close_report()
      open = stack = 1
      library = frames = 0
      all++
      pc = match($0, /pc 0x[0-9a-f]+/) ? substr($0, RSTART, RLENGTH) : ""
    }
    /^$/ { stack = 0 }
    stack && /^ *#[0-9]/ { frames++ }
    stack && /libhdf5|H5[A-Z][A-Za-z_0-9]* / { library = 1 }
    END {
      close_report()
      for (i = 1; i <= cuts; i++) if (cut[i] == "" || !(cut[i] in of_library)) ours++
      print all + 0, ours + 0
    }' "$1"
}

# As many at once as there are cores.
running=0
for name in "${targets[@]}"; do
  fuzz "$name" &
  running=$((running + 1))
  if [ "$running" -ge "$cores" ]; then
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
  if [ -e "$logs/$name-helper.txt" ]; then
    read -r ended ours < <(helper_reports "$logs/$name-helper.txt")
    found+=", $ended in libhdf5 in its helper"
    if [ "$ours" -gt 0 ]; then
      failed=1
      found+=", $ours of them not (build/fuzz-logs/$name-helper.txt)"
    fi
  fi
  printf '%-10s | %12s | %13s | %s\n' "$name" "${executions:-?}" "${edges:-?}" "$found"
done
exit "$failed"
