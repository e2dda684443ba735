#!/usr/bin/env bash
# Installs what is missing, builds everything and runs all tests, first optimised, then with address
# and undefined-behaviour sanitizers.
# usage: ./test.sh [PRESET…]     default: release debug
# APRSCOPE_WINDOW_ONCE=1: the tests of the window run with sanitizers only, where debug is among them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

resources/setup/packages.sh
resources/setup/packages.sh --tests
[ $# -gt 0 ] || set -- release debug
# Also where run.sh left kernels out.
export APRSCOPE_CUDA="${APRSCOPE_CUDA:-ON}"
for preset in "$@"; do
  leave_out=()
  window_tests=ON
  if [ "${APRSCOPE_WINDOW_ONCE:-}" = 1 ] && [ "$preset" != debug ] && [[ " $* " == *" debug "* ]]; then
    leave_out=(--label-exclude window)
    window_tests=OFF
    echo "The tests of the window follow with sanitizers."
  fi
  APRSCOPE_WINDOW_TESTS="$window_tests" resources/setup/build.sh "$preset"
  ctest --preset "$preset" --parallel "$(nproc)" "${leave_out[@]}"
done
