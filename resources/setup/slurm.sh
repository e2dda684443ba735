#!/usr/bin/env bash
# Unpacks Debian's Slurm for tests, without installing it: nothing outside of the folder changes, and
# no daemon is started. tests/app/cli/slurm.py starts one of its own.
# usage: slurm.sh [FOLDER]    build/slurm where none is named
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
folder="$(realpath -m "${1:-build/slurm}")"
[ -x "$folder/usr/sbin/slurmctld-wlm" ] && exit 0

packages=(slurmctld slurmd slurm-client slurm-wlm-basic-plugins)
# Libraries that few machines lack.
libraries=(libmunge2 liblua5.1-0 libjson-c5 libyaml-0-2 libhwloc15 libnuma1 libdbus-1-3 libreadline8)
for library in "${libraries[@]}"; do
  dpkg-query -W -f='${Status}' "$library" 2>/dev/null | grep -q 'ok installed' || packages+=("$library")
done

command -v apt-get >/dev/null || {
  echo "slurm.sh: this is for Debian; elsewhere tests use the Slurm that is installed" >&2
  exit 1
}
mkdir -p "$(dirname "$folder")"
made="$(mktemp -d "$(dirname "$folder")/slurm.XXXXXX")"
trap 'rm -rf "$made"' EXIT
echo "Unpacking: ${packages[*]}"
# Lists that are old, or not there, are renewed.
(cd "$made" && apt-get download -qq "${packages[@]}" 2>/dev/null) || {
  become=()
  [ "$(id -u)" -eq 0 ] || become=(sudo)
  "${become[@]}" apt-get update -qq
  (cd "$made" && apt-get download -qq "${packages[@]}")
}
for package in "$made"/*.deb; do
  dpkg-deb -x "$package" "$made/unpacked"
done
# Whole or not there.
rm -rf "$folder"
mv "$made/unpacked" "$folder"
