#!/usr/bin/env bash
# Builds libhdf5 and libtiff from their Debian sources with clang's address sanitizer and the coverage
# that libFuzzer follows, into build/fuzz-libraries/installed. Does nothing where they are there.
# usage: fuzz_libraries.sh
# Their undefined behaviour is not looked for: shifts and misaligned reads that they rely on would
# stop every run.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

work="$PWD/build/fuzz-libraries"
installed="$work/installed"
[ -e "$installed/done" ] && exit 0
resources/setup/packages.sh --fuzz
become=()
[ "$(id -u)" -eq 0 ] || become=(sudo)
command -v dpkg-source >/dev/null ||
  "${become[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends dpkg-dev >/dev/null

# The sources of the suites that packages come from here, in an apt of its own: the system's lists
# stay as they are.
mkdir -p "$work/apt/lists/partial" "$work/sources"
apt-get indextargets --format '$(REPO_URI) $(CODENAME) $(COMPONENT)' 'Created-By: Packages' |
  sed 's/^/deb-src /' |
  sort -u >"$work/apt/sources.list"
own_apt=(-o "Dir::Etc::sourcelist=$work/apt/sources.list" -o Dir::Etc::sourceparts=/dev/null
  -o "Dir::State::lists=$work/apt/lists" -o APT::Sandbox::User=root)
apt-get "${own_apt[@]}" update -qq
(cd "$work/sources" && apt-get "${own_apt[@]}" source -qq hdf5 tiff)

flags="-O1 -gline-tables-only -fno-omit-frame-pointer -fsanitize=address,fuzzer-no-link"
# The programs that libhdf5 runs while it is built leak.
export ASAN_OPTIONS=detect_leaks=0
build() {
  local name="$1" source
  shift
  source="$(find "$work/sources" -maxdepth 1 -type d -name "$name-*" | head -n 1)"
  mkdir -p "$work/build-$name"
  # From there: libhdf5 looks there for what its checks wrote.
  (cd "$work/build-$name" && cmake "$source" -G Ninja -DCMAKE_BUILD_TYPE=None \
    -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_C_FLAGS="$flags" \
    -DCMAKE_CXX_FLAGS="$flags" -DCMAKE_INSTALL_PREFIX="$installed" -DCMAKE_INSTALL_LIBDIR=lib \
    -DBUILD_SHARED_LIBS=ON -DBUILD_TESTING=OFF "$@") >"$work/$name.log" 2>&1 &&
    cmake --build "$work/build-$name" --target install >>"$work/$name.log" 2>&1
}
# Its check of 128-bit floats takes for granted that quadmath.h of GCC is there.
build hdf5 -DHDF5_BUILD_TOOLS=OFF -DHDF5_BUILD_EXAMPLES=OFF -DHDF5_BUILD_HL_LIB=OFF \
  -DHDF5_BUILD_CPP_LIB=OFF -DHDF5_ENABLE_Z_LIB_SUPPORT=ON -DHDF5_BUILD_UTILS=OFF \
  -DH5_HAVE_QUADMATH_H=0 || { tail -n 30 "$work/hdf5.log" >&2; exit 1; }
build tiff -Dtiff-tools=OFF -Dtiff-tests=OFF -Dtiff-contrib=OFF -Dtiff-docs=OFF -Dtiff-cxx=OFF ||
  { tail -n 30 "$work/tiff.log" >&2; exit 1; }
touch "$installed/done"
echo "libhdf5 and libtiff for fuzzing: $installed"
