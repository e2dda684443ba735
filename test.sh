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
  resources/setup/build.sh "$preset"
  leave_out=()
  if [ "${APRSCOPE_WINDOW_ONCE:-}" = 1 ] && [ "$preset" != debug ] && [[ " $* " == *" debug "* ]]; then
    leave_out=(--label-exclude window)
    echo "The tests of the window follow with sanitizers."
  fi
  ctest --preset "$preset" --parallel "$(nproc)" "${leave_out[@]}"
done
