#!/usr/bin/env bash
# Times what a newcomer waits for: on a bare Debian in a folder, from a fresh clone to the first
# picture of ./run.sh. Prints the seconds of packages, of the window and its picture, and of the rest.
# What is not committed is left out.
# usage: first_picture.sh      as root; needs debootstrap and some 5 GB below TMPDIR
set -euo pipefail
source="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
[ "$(id -u)" -eq 0 ] || { echo "first_picture.sh: only root may enter a system in a folder" >&2; exit 1; }
work="$(mktemp -d)"
root="$work/root"
trap 'umount "$root/dev/shm" "$root/proc" 2>/dev/null || true; rm -rf --one-file-system "$work"' EXIT
suite="$(. /etc/os-release && echo "$VERSION_CODENAME")"
debootstrap --variant=minbase "$suite" "$root" >"$work/debootstrap.log" 2>&1 || { tail "$work/debootstrap.log" >&2; exit 1; }
mount -t proc proc "$root/proc"
mkdir -p "$root/dev/shm"
mount -t tmpfs tmpfs "$root/dev/shm"
git -c safe.directory="*" clone -q "$source" "$root/root/aprscope"

within() {
  chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 "$@" >"$work/step.log" 2>&1 ||
    { tail -n 30 "$work/step.log" >&2; exit 1; }
}
lap() {
  printf '%-32s %4d s\n' "$1" "$(($2 - from))"
  from=$2
}
begun=$(date +%s)
from=$begun
within /root/aprscope/resources/setup/packages.sh
lap "packages" "$(date +%s)"
within sh -c 'cd /root && aprscope/run.sh'
lap "window, built and its picture" "$(stat -c %Y "$root/root/out/aprscope.png")"
echo "first picture after $((from - begun)) s"
lap "command line" "$(date +%s)"
echo "$(nproc) cores, $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)"
