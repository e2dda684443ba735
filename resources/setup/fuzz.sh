#!/usr/bin/env bash
# Feeds the readers millions of damaged inputs (libFuzzer, with address and undefined-behaviour
# sanitizers) and prints a table. Exit code 1 on any crash, leak, time-out or memory beyond the limit.
# usage: fuzz.sh [--instrumented] [MINUTES] [TARGET…]     default: 10 s a target, all targets
#   --instrumented   libhdf5 and libtiff from fuzz_libraries.sh, with sanitizers and coverage
# What reaches new code is kept in build/fuzz-corpus and built on by the next run; findings lie in
# build/fuzz-findings, each a file that the target takes as its argument.
# The program reads HDF5 with a helper process that may crash, at some ten files a second with
# sanitizers. So the library is fuzzed in the target's own process, and each input that ends that
# is tried again with the helper: it is a finding unless that gives data or a sentence.
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
in_library="$PWD/build/fuzz-in-library"
logs="$PWD/build/fuzz-logs"
mkdir -p "$corpus" "$findings" "$logs" "$in_library" "$build/seeds"
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

export OMP_NUM_THREADS=1
export ASAN_OPTIONS=allocator_may_return_null=1:max_allocation_size_mb=4096:detect_leaks=1
export UBSAN_OPTIONS=print_stacktrace=1

# fuzz_with NAME PREFIX OPTION…: one target until its time is up or it finds something.
fuzz_with() {
  local name="$1" prefix="$2"
  shift 2
  "$programs/fuzz_$name" -max_total_time="$seconds" -rss_limit_mb=3072 -malloc_limit_mb=2048 \
    -max_len="$(longest_of "$name")" -close_fd_mask=1 \
    -dict="tests/fuzz/dictionaries/$(dictionary_of "$name").dict" \
    -artifact_prefix="$prefix" "$@" "$corpus/$name" "$seeds/$name"
}

# A target that runs libhdf5 in its own process, and goes on where that ends it.
fuzz_library() {
  local name="$1" code=0 file
  rm -rf "${in_library:?}/$name"
  mkdir -p "$in_library/$name"
  # What the library forgets to free is its own.
  LSAN_OPTIONS="suppressions=$PWD/tests/fuzz/libhdf5.supp:print_suppressions=0" \
  APRSCOPE_FUZZ_OWN_PROCESS=1 \
    fuzz_with "$name" "$in_library/$name/" -timeout=3 -fork=1 -ignore_crashes=1 -ignore_ooms=1 \
    -ignore_timeouts=1 || code=$?
  for file in "$in_library/$name"/*; do
    [ -e "$file" ] || continue
    echo "again with the helper: $file"
    if ! timeout 20 "$programs/fuzz_$name" "$file"; then
      cp "$file" "$findings/$name-$(basename "$file")"
      code=1
    fi
  done
  return "$code"
}

fuzz() {
  local name="$1" code=0
  mkdir -p "$corpus/$name"
  case "$name" in
    hdf5 | apr) fuzz_library "$name" ;;
    *) fuzz_with "$name" "$findings/$name-" -timeout=20 -detect_leaks=1 ;;
  esac >"$logs/$name.txt" 2>&1 || code=$?
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
  executions="$(sed -n 's/^#\([0-9]\+\)[:[:space:]].*/\1/p' "$logs/$name.txt" | tail -n 1)"
  edges="$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$logs/$name.txt" | tail -n 1)"
  found=none
  if [ "$(cat "$logs/$name.code")" -ne 0 ]; then
    failed=1
    found="$(grep -m 1 -E '^SUMMARY:|^==.*ERROR: |broken promise' "$logs/$name.txt" || echo "ended with code $(cat "$logs/$name.code")")"
    found+=" (build/fuzz-logs/$name.txt)"
  fi
  again="$(grep -c '^again with the helper' "$logs/$name.txt" || true)"
  [ "$again" -eq 0 ] || found+=" ($again ended libhdf5, $([ "$found" = none ] && echo all || echo not all) sound with the helper)"
  printf '%-10s | %12s | %13s | %s\n' "$name" "${executions:-?}" "${edges:-?}" "$found"
done
exit "$failed"
