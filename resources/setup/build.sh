#!/usr/bin/env bash
# Configures a preset and builds targets of it; quiet unless something fails.
# usage: build.sh PRESET [TARGET…]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
preset="$1"
shift
mkdir -p "build/$preset"
log="build/$preset/configure.log"
if ! cmake --preset "$preset" >"$log" 2>&1; then
  cat "$log" >&2
  exit 1
fi
targets=()
[ $# -eq 0 ] || targets=(--target "$@")
echo "Building ($preset) …"
cmake --build "build/$preset" "${targets[@]}" -- --quiet
