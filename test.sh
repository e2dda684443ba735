#!/usr/bin/env bash
# Installs what is missing, builds everything and runs all tests, first optimised, then with address
# and undefined-behaviour sanitizers.
# usage: ./test.sh [PRESET…]     default: release debug
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

resources/setup/packages.sh
[ $# -gt 0 ] || set -- release debug
for preset in "$@"; do
  resources/setup/build.sh "$preset"
  ctest --preset "$preset" --parallel "$(nproc)"
done
