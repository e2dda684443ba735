#!/usr/bin/env bash
# Kills, starves and disturbs the programs thousands of times and prints what became of the files.
# usage: faults.sh [--most N] [SECTION…]     kills allocations calls memory truncation; default: all
#   --most   no more than N of the allocations of each command (all: 50,000, and 600,000 of saving a workspace)
# The short form of it is one of the tests.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
resources/setup/build.sh headless aprscope-cli fault_tool aprscope_fail_calls
exec python3 tests/faults/faults.py --long --cli build/headless/app/cli/aprscope-cli \
  --tool build/headless/tests/faults/fault_tool \
  --preload build/headless/tests/faults/libaprscope_fail_calls.so "$@"
