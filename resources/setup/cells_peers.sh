#!/usr/bin/env bash
# Times labels of masks beside SciPy, cc3d and scikit-image, in one run, and compares the labels.
# usage: cells_peers.sh [SIDE] [REPEATS]     default: 256 3
# They are installed into build/peers, a virtual environment; the program does not need them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
resources/setup/build.sh headless aprscope-cli
if [ ! -x build/peers/bin/python3 ]; then
  python3 -m venv build/peers
fi
build/peers/bin/python3 -m pip install --quiet numpy scipy connected-components-3d scikit-image tifffile
exec build/peers/bin/python3 resources/setup/cells_peers.py build/headless/app/cli/aprscope-cli "$@"
