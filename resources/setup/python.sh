#!/usr/bin/env bash
# Builds the Python module, tests it, makes its wheel, and tries that in an environment of its own.
# usage: python.sh [--venv | --test | --pack | --stubs | --wheel]
#   --venv   only the environment build/python/venv-… with what building and testing need; says where
#   --test   builds and tests, without a wheel
#   --pack   builds, packs a wheel of that and tries it, without the tests
#   --stubs  writes the stubs anew, of what was built
#   --wheel  only a wheel to give away, in build/python/dist, as pip makes it: compiled anew, for 3.12
#            and all that follow, or for 3.11
# APRSCOPE_PYTHON_EXECUTABLE: another Python than python3, from 3.11 on. Without an argument the wheel is
# packed of what was built in build/headless, for this Python. build.sh says what else can be set.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
python="${APRSCOPE_PYTHON_EXECUTABLE:-python3}"
version="$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')"
folder="$PWD/build/python"
venv="$folder/venv-$version"
dist="$folder/dist"

make_venv() {
  if [ ! -x "$venv/bin/python" ]; then
    mkdir -p "$folder"
    "$python" -m venv "$venv"
  fi
  # The plugin is tested in napari, offscreen.
  "$venv/bin/python" -c 'import nanobind, pytest, numpy, scipy, npe2, PyQt6; from importlib.util import find_spec
assert find_spec("napari")' 2>/dev/null ||
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check \
      nanobind==3.1.0 scikit-build-core==1.1.2 pytest numpy scipy napari==0.9.2 pyqt6==6.11.0
}

build() {
  # CMake takes the Python of the environment that is said to be active.
  export APRSCOPE_PYTHON=ON VIRTUAL_ENV="$venv"
  resources/setup/build.sh headless aprscope-python aprscope-hdf5 aprscope-cli
}

run_tests() {
  "$venv/bin/python" tests/app/python/run.py --module build/headless/app/python \
    --cli build/headless/app/cli/aprscope-cli
}

make_wheel() {
  rm -rf "$dist"
  "$venv/bin/python" -m pip wheel --quiet --disable-pip-version-check --no-deps \
    --wheel-dir "$dist" "$@" ./app/python
  ls "$dist"
}

# Nothing is compiled again: with the CMake, the compilers and the settings of the build.
pack_wheel() {
  local settings=(-C build-dir="$PWD/build/headless" -C cmake.version='>=3.25' -C wheel.py-api=)
  local name value
  while IFS='=' read -r name value; do
    settings+=(-C "cmake.define.${name%%:*}=$value")
  done < <(grep -E '^APRSCOPE_(CUDA|TESTS|BENCHMARKS|MPI|UNITY):BOOL=' build/headless/CMakeCache.txt)
  make_wheel --no-build-isolation "${settings[@]}"
}

# In a bare environment, far from the sources.
try_wheel() {
  local bare="$folder/bare-$version"
  rm -rf "$bare"
  "$python" -m venv "$bare"
  "$bare/bin/python" -m pip install --quiet --disable-pip-version-check "$dist"/*.whl
  (cd "$bare" && ./bin/python "$OLDPWD/tests/app/python/try_wheel.py")
}

resources/setup/packages.sh --python >&2
make_venv
case "${1:-}" in
  --venv) echo "$venv/bin/python" ;;
  --stubs) "$venv/bin/python" resources/setup/python_stubs.py --module build/headless/app/python ;;
  --test)
    build
    run_tests
    ;;
  --wheel) make_wheel ;;
  --pack)
    build
    pack_wheel
    try_wheel
    ;;
  '')
    build
    run_tests
    pack_wheel
    try_wheel
    ;;
  *)
    sed -n '3,9p' "$0" >&2
    exit 2
    ;;
esac
