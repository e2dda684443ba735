#!/usr/bin/env bash
# Installs the packages on a Debian of their own, in a folder, and runs what they bring; unpacks the
# tarball there before anything else is installed, and runs that. Prints a table; exit code 1 where
# something does not work.
# usage: package_bare.sh [--where-possible] PACKAGES_FOLDER      as root
#   --where-possible   says why and ends well where no system in a folder can be entered
set -euo pipefail
cannot=1
if [ "$1" = --where-possible ]; then
  cannot=0
  shift
fi
packages="$(cd "$1" && pwd)"
give_up() {
  [ "$cannot" -eq 1 ] || printf 'SKIPPED, packages were not installed: ' >&2
  echo "package_bare.sh: $1" >&2
  exit "$cannot"
}
[ "$(id -u)" -eq 0 ] || give_up "only root may enter a system in a folder"
work="$(mktemp -d)"
root="$work/root"
trap 'umount "$root/proc" 2>/dev/null || true; rm -rf --one-file-system "$work"' EXIT
# A Debian in a folder needs devices, and its programs look themselves up in /proc.
mknod "$work/null" c 1 3 2>/dev/null || give_up "no device may be made here"
mkdir "$work/probe"
mount -t proc proc "$work/probe" 2>/dev/null || give_up "nothing may be mounted here"
umount "$work/probe"
suite="$(. /etc/os-release && echo "$VERSION_CODENAME")"
if ! debootstrap --variant=minbase "$suite" "$root" >"$work/debootstrap.log" 2>&1; then
  tail -n 5 "$work/debootstrap.log" >&2
  give_up "debootstrap makes no Debian here; is its server out of reach?"
fi
# Programs look themselves up in it.
mount -t proc proc "$root/proc"
cp "$packages"/*.deb "$packages"/*.tar.gz "$root/root/" 2>/dev/null || true
cp "$(dirname "${BASH_SOURCE[0]}")/../../tests/app/python/try_wheel.py" "$root/root/"

failed=0
step() {
  local words="$1"
  shift
  if chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 "$@" >"$work/step.log" 2>&1; then
    printf '%-60s works\n' "$words"
  else
    printf '%-60s FAILS\n' "$words"
    tail -n 15 "$work/step.log" >&2
    failed=1
  fi
}
make_and_filter='set -e; cd "$(mktemp -d)"; C="$1"; "$C" --version
  "$C" synth spheres --size 64,64,64 -o a.tif; "$C" convert a.tif -o a.apr; "$C" filter a.apr --stencil gaussian:sigma=1.5 -o b.apr
  "$C" info b.apr | grep -q "^particles: "'
picture='set -e; cd "$(mktemp -d)"; LIBGL_ALWAYS_SOFTWARE=1 timeout 120 xvfb-run -a -s "-screen 0 1600x1000x24" "$1" --demo --convert --screenshot a.png; test -s a.png'

if ls "$root"/root/*.tar.gz >/dev/null 2>&1; then
  step "the tarball unpacks" sh -c 'mkdir /opt/t && tar -xzf /root/*.tar.gz -C /opt/t --strip-components=1'
  step "tarball: make, convert, filter, with nothing installed" sh -c "$make_and_filter" - /opt/t/bin/aprscope-cli
fi
if ls "$root"/root/*.deb >/dev/null 2>&1; then
  step "lists of packages" apt-get update -qq
  step "aprscope-cli installs" sh -c 'DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends /root/aprscope-cli_*.deb'
  step "aprscope-cli brings no Qt and no VTK" sh -c '! dpkg -l | grep -E "^ii +lib(qt|vtk)"'
  step "aprscope-cli: make, convert, filter" sh -c "$make_and_filter" - aprscope-cli
  step "python3-aprscope installs, without the others" sh -c 'DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends /root/python3-aprscope_*.deb'
  step "python3-aprscope: convert, filter, write, read" sh -c 'cd /tmp && python3 /root/try_wheel.py'
  step "aprscope installs" sh -c 'DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends /root/aprscope_*.deb xvfb xauth'
  step "aprscope: a picture of the demo image" sh -c "$picture" - aprscope
  step "desktop entry, icon, MIME type, manual" sh -c 'set -e; cd /usr/share
    test -s applications/aprscope.desktop -a -s icons/hicolor/scalable/apps/aprscope.svg -a -s mime/packages/aprscope.xml
    test -e doc/aprscope/copyright'
  if ls "$root"/root/*.tar.gz >/dev/null 2>&1; then
    step "both go, with Qt" sh -c 'DEBIAN_FRONTEND=noninteractive apt-get purge -y -qq --auto-remove aprscope aprscope-cli &&
    ! command -v aprscope-cli && ! dpkg -l | grep "^ii *libqt6"'
    step "a display with OpenGL" sh -c 'DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends libgl1-mesa-dri libgl1 libegl1 libopengl0 libx11-xcb1'
    step "tarball: a picture of the demo image" sh -c "$picture" - /opt/t/bin/aprscope
  fi
fi
exit "$failed"
