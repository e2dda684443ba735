#!/usr/bin/env bash
# Puts the programs and the libraries that they need into one archive: unpack it anywhere and run
# bin/aprscope or bin/aprscope-cli. It needs glibc as old as that of the machine that made it, and for
# the window a display with OpenGL.
# usage: tarball.sh BUILD_FOLDER OUT_FOLDER
set -euo pipefail
build="$1"
out="$2"
version="$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$build/CMakeCache.txt")"
name="aprscope-$version-linux-$(uname -m)"
stage="$(mktemp -d)"
trap 'rm -rf "$stage"' EXIT
root="$stage/$name"
for component in cli mpi window; do
  cmake --install "$build" --prefix "$root" --component "$component" --strip >/dev/null
done

libraries="$root/lib/aprscope"
mkdir -p "$libraries/plugins"
programs=("$root"/bin/* "$root/libexec/aprscope/aprscope-hdf5")
plugins=()
if [ -e "$root/bin/aprscope" ]; then
  from="$(qmake6 -query QT_INSTALL_PLUGINS)"
  for plugin in platforms xcbglintegrations imageformats iconengines platforminputcontexts wayland-shell-integration; do
    [ ! -d "$from/$plugin" ] || cp -rL "$from/$plugin" "$libraries/plugins/"
  done
  printf '[Paths]\nPlugins = ../lib/aprscope/plugins\n' >"$root/bin/qt.conf"
  while IFS= read -r plugin; do plugins+=("$plugin"); done < <(find "$libraries/plugins" -name '*.so')
fi
# What every Linux has, and what must be the machine's: the C library, the display and its drivers.
machine='/(ld-linux[^/]*|libc|libm|libdl|libpthread|librt|libresolv|libutil|libGL|libEGL|libGLX|libGLdispatch|libOpenGL|libdrm|libgbm|libX11|libX11-xcb|libxcb)\.so'
licences="$root/share/doc/aprscope/licences"
mkdir -p "$licences"
ldd "${programs[@]}" "${plugins[@]}" | awk '$3 ~ /^\// {print $3}' | sort -u | grep -vE "$machine" |
  while read -r library; do
    cp -L "$library" "$libraries/"
    # Under which terms it may be passed on.
    # By name: packages from before /lib became a link say /lib.
    package="$(dpkg -S "*/$(basename "$(realpath "$library")")" | cut -d: -f1 | sed -n 1p)"
    cp -L "/usr/share/doc/$package/copyright" "$licences/$package.txt"
  done
cp -L /usr/share/common-licenses/GPL-3 "$licences/GPL-3.txt"
cp LICENSE "$licences/Apache-2.0.txt"
chmod u+w "$libraries"/*.so*
strip --strip-unneeded "$libraries"/*.so* 2>/dev/null || true
patchelf --set-rpath '$ORIGIN' "$libraries"/*.so*
for program in "$root"/bin/aprscope*; do patchelf --set-rpath '$ORIGIN/../lib/aprscope' "$program"; done
patchelf --set-rpath '$ORIGIN/../../lib/aprscope' "$root/libexec/aprscope/aprscope-hdf5"
for plugin in "${plugins[@]}"; do patchelf --set-rpath '$ORIGIN/../..' "$plugin"; done
# MPI must be that of the cluster: its module takes the machine's.

mkdir -p "$out"
tar --sort=name --owner=0 --group=0 --numeric-owner -C "$stage" -czf "$out/$name.tar.gz" "$name"
echo "$out/$name.tar.gz"
