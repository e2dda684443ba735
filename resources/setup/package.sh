#!/usr/bin/env bash
# Makes Debian packages (aprscope-cli without Qt, aprscope-mpi, python3-aprscope, aprscope with the
# window) and a tarball that runs without anything installed, and checks them.
# usage: package.sh [deb] [tar] [--bare | --bare-where-possible]      default: deb tar
#   --bare   installs and runs them on a Debian of their own, in a folder (as root; some minutes)
#   --bare-where-possible   the same, but says why and goes on where no such folder can be entered
# They lie in build/release/packages.
# APRSCOPE_CUDA=OFF leaves kernels out. With them, the same packages start where there is no GPU.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
cd "$here/../.."
build="$PWD/build/release"
packages="$build/packages"

kinds=()
bare=()
for word in "$@"; do
  case "$word" in
    deb | tar) kinds+=("$word") ;;
    --bare) bare=("$here/package_bare.sh") ;;
    --bare-where-possible) bare=("$here/package_bare.sh" --where-possible) ;;
    *) echo "package.sh: '$word' is not known; say deb, tar or --bare" >&2; exit 1 ;;
  esac
done
[ ${#kinds[@]} -gt 0 ] || kinds=(deb tar)

"$here/packages.sh"
"$here/packages.sh" --package
environment="$("$here/python.sh" --venv)"
# CMake takes the Python of the environment that is said to be active.
export APRSCOPE_PYTHON=ON VIRTUAL_ENV="${environment%/bin/python}"
"$here/build.sh" release aprscope aprscope-cli aprscope-hdf5 aprscope-python manual
targets="$(ninja -C "$build" -t targets all)"
! grep -q '^aprscope-mpi:' <<<"$targets" || "$here/build.sh" release aprscope-mpi
rm -f "$packages"/*.deb "$packages"/*.tar.gz

for kind in "${kinds[@]}"; do
  case "$kind" in
    deb)
      (cd "$build" && cpack -G DEB) >"$packages/cpack.log" 2>&1 || { tail -n 40 "$packages/cpack.log" >&2; exit 1; }
      # Not packages of the archive: no bug that closes, and the guide lies where its links lead.
      lintian --fail-on error,warning --suppress-tags initial-upload-closes-no-bugs "$packages"/*.deb
      ;;
    tar) "$here/tarball.sh" "$build" "$packages" ;;
  esac
done
ls -l "$packages"/*.deb "$packages"/*.tar.gz 2>/dev/null || true
[ ${#bare[@]} -eq 0 ] || "${bare[@]}" "$packages"
