#!/usr/bin/env bash
# Installs the Debian packages that aprscope is built from, and nothing that is there already.
# usage: packages.sh [--headless | --fuzz | --tests | --package | --python | --site]
#   --site    only what the site is made with, beside Python's packages (resources/site/requirements.txt)
#   --python  only what environments of Python and modules are made with
#   --package  only what packages are made with
#   --tests  only the programs that tests compare with
#   --fuzz   also clang, its sanitizers and its OpenMP, for the presets "fuzz" and "tsan"
set -euo pipefail

core=(g++ cmake ninja-build ccache mold pkg-config git python3
  libhdf5-dev libblosc-dev liblz4-dev libzstd-dev libaec-dev libtiff-dev libpng-dev libfreetype-dev fonts-dejavu-core libpugixml-dev zlib1g-dev libbz2-dev libisal-dev libfftw3-dev libcli11-dev
  libopenmpi-dev openmpi-bin nlohmann-json3-dev libspdlog-dev libgtest-dev libbenchmark-dev)
window=(qt6-base-dev libqt6opengl6-dev qt6-svg-dev qt6-qpa-plugins libqcustomplot-dev libvtk9-dev
  libimgui-dev libgl1-mesa-dri libegl1 libgl-dev libegl-dev libxkbcommon-dev
  xvfb xauth xdotool)

# Programs that tests compare with, and skip without.
references=(relion snakemake)
# What makes packages and looks at them.
package=(dpkg-dev lintian debootstrap patchelf desktop-file-utils appstream)
# Environments of Python, and modules for it.
python=(python3-dev python3-venv)
# What makes the site of the pages.
site=(doxygen python3 python3-venv)
clang=(clang llvm libclang-rt-dev libomp-dev)

wanted=("${core[@]}")
case "${1:-}" in
  --headless) ;;
  --fuzz) wanted+=("${clang[@]}") ;;
  --package) wanted=("${package[@]}") ;;
  --python) wanted=("${python[@]}") ;;
  --tests) wanted=("${references[@]}") ;;
  --site) wanted=("${site[@]}") ;;
  *) wanted+=("${window[@]}") ;;
esac

missing=()
for package in "${wanted[@]}"; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

echo "Installing: ${missing[*]}"
become=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || {
    echo "packages.sh: ${#missing[@]} packages are missing and sudo is not there; as root, run: apt-get install ${missing[*]}" >&2
    exit 1
  }
  become=(sudo)
fi
"${become[@]}" apt-get update -qq
"${become[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
