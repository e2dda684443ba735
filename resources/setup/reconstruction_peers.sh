#!/usr/bin/env bash
# Times reconstruction beside RELION's relion_reconstruct, whole commands in turn on one thread each,
# and compares both maps with the truth.
# usage: reconstruction_peers.sh [IMAGES] [REPEATS]     default: 1000 7
# RELION (Debian's package) is installed, numpy into build/peers; the program needs neither.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
resources/setup/packages.sh --tests
resources/setup/build.sh headless aprscope-cli
if ! build/peers/bin/python3 -c 'import numpy' 2> /dev/null; then
  python3 -m venv build/peers
  build/peers/bin/python3 -m pip install --quiet numpy
fi
exec build/peers/bin/python3 resources/setup/reconstruction_peers.py build/headless/app/cli/aprscope-cli "$@"
