#!/usr/bin/env bash
# Runs tests of core under clang's thread sanitizer. GCC's OpenMP runtime says nothing to sanitizers
# of how its threads wait for each other and gives false alarms; clang's does, through archer.
# usage: tsan.sh [--all]     default: a sample that takes some minutes; --all: every test of core
# The sample: the job queue and everything else of base, the structure and its parallel loops, the
# operations, which run all of core through the data sets that the window's threads share. What is
# left out runs the same loops on more sizes.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
cd "$here/../.."

folders=(base apr topology dataset operations pipeline)
filter='-*Real*:*Bytes*:*Large*:*Memory*'
if [ "${1:-}" = "--all" ]; then
  folders=(base data image apr filter deconvolution topology io dataset operations pipeline)
  filter='*'
fi
"$here/packages.sh" --fuzz
log="$(mktemp)"
trap 'rm -f "$log"' EXIT
cmake --preset tsan ${APRSCOPE_UNITY:+"-DAPRSCOPE_UNITY=$APRSCOPE_UNITY"} >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
targets=()
for folder in "${folders[@]}"; do targets+=("core_${folder}_tests"); done
cmake --build build/tsan --target "${targets[@]}" >"$log" 2>&1 || { tail -n 40 "$log" >&2; exit 1; }

export OMP_TOOL_LIBRARIES="$(echo /usr/lib/llvm-*/lib/libarcher.so | tr ' ' ':')"
export TSAN_OPTIONS="ignore_noninstrumented_modules=1:halt_on_error=0:exitcode=66"
export OMP_NUM_THREADS=2
failed=0
for target in "${targets[@]}"; do
  folder="${target#core_}"
  "build/tsan/tests/core/${folder%_tests}/$target" --gtest_brief=1 --gtest_filter="$filter" || failed=1
done
[ "$failed" -eq 0 ] || exit 1
echo "thread sanitizer: clean (${folders[*]})"
