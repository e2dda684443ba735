#!/usr/bin/env bash
# Times how long the window takes from its start to the first picture of each file: until the slice
# view at the top left shows something bright. Files are opened in turn, three times; what a small
# image takes is the start of the program itself.
# usage: opening.sh [--running] FILE…      needs xvfb and imagemagick (--running: and xdotool); opens
#   windows on a display of its own
#   --running  times from Enter in the dialog of files of a program that runs already
set -euo pipefail
running=
if [ "${1:-}" = --running ]; then
  running=1
  command -v xdotool >/dev/null || { echo "opening.sh: needs xdotool" >&2; exit 1; }
  shift
fi
[ $# -gt 0 ] || { sed -n 's/^# usage: //p' "$0" >&2; exit 2; }
for program in xvfb-run import; do
  command -v "$program" >/dev/null || [ -x "/usr/bin/$program" ] ||
    { echo "opening.sh: needs $program" >&2; exit 1; }
done
here="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
window="${APRSCOPE_WINDOW:-$here/build/release/app/gui/aprscope}"
[ -x "$window" ] || { echo "opening.sh: $window is not built: run ./run.sh" >&2; exit 1; }
if [ "${APRSCOPE_OPENING:-}" != inside ]; then
  APRSCOPE_OPENING=inside exec xvfb-run -a -s "-screen 0 1440x900x24" \
    "$0" ${running:+--running} "$@"
fi

settings="$(mktemp -d)"
trap 'rm -rf "$settings"' EXIT
export XDG_CONFIG_HOME="$settings" LIBGL_ALWAYS_SOFTWARE=1
if [ -n "$running" ]; then
  export APRSCOPE_SETTINGS="$settings/settings.ini"
  printf '[tour]\nshown=true\n' >"$APRSCOPE_SETTINGS"
fi

seen=310x290+310+120 enough=300
[ -z "$running" ] || { seen=310x140+310+640 enough=60; }

# Pixels of a slice view that are bright; below the words of an empty window.
bright() {
  /usr/bin/import -window root -crop "$seen" +repage -depth 8 gray:- 2>/dev/null |
    od -An -v -tu1 -w1 | awk '$1 > 120 { count++ } END { print count + 0 }'
}

time_one() {
  local begun ended program
  if [ -n "$running" ]; then
    "$window" >/dev/null 2>&1 &
    program=$!
    sleep 8
    [ "$(bright)" -le 0 ] || { echo "opening.sh: something is seen before" >&2; return 1; }
    # There is no window manager that would give windows the focus.
    xdotool mousemove 700 30 click 1 key Escape key ctrl+o
    sleep 2
    xdotool search --onlyvisible --name '^Open' windowfocus
    sleep 1
    xdotool type --delay 20 "$(realpath "$1")"
    sleep 1
    begun=$(date +%s%N)
    xdotool key Return
  else
    begun=$(date +%s%N)
    "$window" "$1" >/dev/null 2>&1 &
    program=$!
  fi
  for _ in $(seq 1 300); do
    if [ "$(bright)" -gt "$enough" ]; then
      ended=$(date +%s%N)
      printf '%6.2f s  %s\n' "$(awk "BEGIN { print ($ended - $begun) / 1e9 }")" "$1"
      kill "$program"
      wait "$program" 2>/dev/null || true
      return
    fi
  done
  kill "$program"
  wait "$program" 2>/dev/null || true
  echo "opening.sh: no picture of $1 was seen" >&2
  return 1
}

for _ in 1 2 3; do
  for file in "$@"; do time_one "$file"; done
done
