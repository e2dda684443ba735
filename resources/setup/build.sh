#!/usr/bin/env bash
# Configures a preset and builds targets of it. On a terminal it shows how far it is; else it is quiet
# unless something fails.
# usage: build.sh PRESET [TARGET…]
# APRSCOPE_CUDA=OFF or ON: without kernels, which take longest of all, or with them; as it was before
# where it is not set, and at first with them where nvcc is.
# APRSCOPE_WINDOW_TESTS=OFF or ON: whether the tests of the window are among what is built.
# APRSCOPE_PYTHON=OFF or ON: whether the Python module is built, too (python.sh makes what it needs).
# APRSCOPE_UNITY=OFF or ON: whether sources of a folder are compiled together (AprscopeUnity.cmake).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
preset="$1"
shift
mkdir -p "build/$preset"
log="build/$preset/configure.log"
settings=(${APRSCOPE_CUDA:+"-DAPRSCOPE_CUDA=$APRSCOPE_CUDA"}
  ${APRSCOPE_WINDOW_TESTS:+"-DAPRSCOPE_WINDOW_TESTS=$APRSCOPE_WINDOW_TESTS"}
  ${APRSCOPE_PYTHON:+"-DAPRSCOPE_PYTHON=$APRSCOPE_PYTHON"}
  ${APRSCOPE_UNITY:+"-DAPRSCOPE_UNITY=$APRSCOPE_UNITY"})
if ! cmake --preset "$preset" "${settings[@]}" >"$log" 2>&1; then
  cat "$log" >&2
  exit 1
fi
targets=()
[ $# -eq 0 ] || targets=(--target "$@")
echo "Building ($preset) …"
# What is left out is said.
sed -n 's/^-- \(CUDA: .*\)/\1/p' "$log"
quiet=(--quiet)
[ ! -t 1 ] || quiet=()
NINJA_STATUS="[%f of %t, %es] " cmake --build "build/$preset" "${targets[@]}" -- "${quiet[@]}"
