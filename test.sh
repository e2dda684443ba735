#!/usr/bin/env bash
# Installs what is missing, builds everything and runs all tests, first optimised, then with address
# and undefined-behaviour sanitizers.
# usage: ./test.sh [PRESET…]     default: release debug
# APRSCOPE_PYTHON=ON: also the tests of the Python module, optimised.
# APRSCOPE_WINDOW_ONCE=1: the tests of the window run with sanitizers only, where debug is among them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

resources/setup/packages.sh
resources/setup/packages.sh --tests
resources/setup/slurm.sh
[ $# -gt 0 ] || set -- release debug
# Also where run.sh left kernels out.
export APRSCOPE_CUDA="${APRSCOPE_CUDA:-ON}"
python="${APRSCOPE_PYTHON:-OFF}"
if [ "$python" = ON ]; then
  environment="$(resources/setup/python.sh --venv)"
  # CMake takes the Python of the environment that is said to be active.
  export VIRTUAL_ENV="${environment%/bin/python}"
fi
for preset in "$@"; do
  leave_out=()
  window_tests=ON
  # Python cannot load what was built with sanitizers.
  export APRSCOPE_PYTHON="$python"
  case "$preset" in debug | tsan) APRSCOPE_PYTHON=OFF ;; esac
  if [ "${APRSCOPE_WINDOW_ONCE:-}" = 1 ] && [ "$preset" != debug ] && [[ " $* " == *" debug "* ]]; then
    leave_out=(--label-exclude window)
    window_tests=OFF
    echo "The tests of the window follow with sanitizers."
  fi
  APRSCOPE_WINDOW_TESTS="$window_tests" resources/setup/build.sh "$preset"
  ctest --preset "$preset" --parallel "$(nproc)" "${leave_out[@]}"
done
