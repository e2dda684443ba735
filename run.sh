#!/usr/bin/env bash
# Installs what is missing, builds aprscope and opens it.
# usage: ./run.sh [FILE…]     without a FILE: the built-in demo image
# Without a display it shows the same on a virtual one and leaves a screenshot, the converted and
# the filtered .apr in out/.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"

"$here/resources/setup/packages.sh"
# Kernels take longer to compile than all the rest: only those for the GPU that is here, none without
# one. APRSCOPE_CUDA=ON compiles them all the same, for the generations that CUDAARCHS names.
if generation="$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null)"; then
  generation="$(head -n 1 <<<"$generation" | tr -d '. ')"
  nvcc="$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)"
  if "$nvcc" --list-gpu-arch 2>/dev/null | grep -qx "compute_$generation"; then
    export CUDAARCHS="${CUDAARCHS:-$generation}"
  fi
  export APRSCOPE_CUDA="${APRSCOPE_CUDA:-ON}"
else
  export APRSCOPE_CUDA="${APRSCOPE_CUDA:-OFF}"
fi
# Sources of a folder together: a first build is over sooner.
export APRSCOPE_UNITY="${APRSCOPE_UNITY:-ON}"
# Compilers say which headers they read: the compiler cache need not run the preprocessor for it.
export CCACHE_DEPEND="${CCACHE_DEPEND:-1}"
# The window first, so that it is seen early.
"$here/resources/setup/build.sh" release aprscope
window="$here/build/release/app/gui/aprscope"
command_line() { nice -n 19 "$here/resources/setup/build.sh" release aprscope-cli; }

# Threads that wait must not spin: the window needs the cores too.
export OMP_WAIT_POLICY="${OMP_WAIT_POLICY:-passive}"
if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
  [ $# -gt 0 ] || set -- --demo
  command_line &
  built=$!
  status=0
  "$window" "$@" || status=$?
  if kill -0 "$built" 2>/dev/null; then
    echo "aprscope-cli is still being built; Ctrl + C leaves it for later." >&2
  fi
  wait "$built" || echo "run.sh: aprscope-cli is not built" >&2
  exit "$status"
fi

out="$PWD/out"
mkdir -p "$out"
echo "No display: working on a virtual one."
xvfb-run -a -s "-screen 0 1600x1000x24" env LIBGL_ALWAYS_SOFTWARE=1 \
  "$window" "$@" --convert --filter gaussian:sigma=1.5 \
  --export-converted "$out/converted.apr" --export "$out/filtered.apr" \
  --screenshot "$out/aprscope.png"
command_line
cli="$here/build/release/app/cli/aprscope-cli"
{
  echo "screenshot    $out/aprscope.png"
  echo "converted     $out/converted.apr"
  echo "filtered      $out/filtered.apr"
  echo
  "$cli" info "$out/filtered.apr"
} | tee "$out/summary.txt"
