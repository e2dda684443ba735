#!/usr/bin/env bash
# Times watersheds from markers beside scikit-image and ITK, in one run, and compares the regions.
# usage: watershed_peers.sh [SIDE] [REPEATS]     default: 96 3
# Both are installed into build/peers, a virtual environment; the program does not need them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
resources/setup/build.sh headless bench_watershed
if ! build/peers/bin/python3 -c 'import skimage, SimpleITK' 2> /dev/null; then
  python3 -m venv build/peers
  build/peers/bin/python3 -m pip install --quiet numpy scipy scikit-image SimpleITK
fi
exec build/peers/bin/python3 resources/setup/watershed_peers.py build/headless/tests/bench/bench_watershed "$@"
