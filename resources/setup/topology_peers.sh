#!/usr/bin/env bash
# Times topology curves beside scikit-image and GUDHI, in one run, and compares the numbers.
# usage: topology_peers.sh [SIDE] [REPEATS]     default: 96 3
# Both are installed into build/peers, a virtual environment; the program does not need them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
resources/setup/build.sh headless aprscope-cli
if [ ! -x build/peers/bin/python3 ]; then
  python3 -m venv build/peers
  build/peers/bin/python3 -m pip install --quiet numpy tifffile scikit-image gudhi
fi
exec build/peers/bin/python3 resources/setup/topology_peers.py build/headless/app/cli/aprscope-cli "$@"
