#!/usr/bin/env bash
# Takes the README's pictures with the program itself.
# usage: screenshots.sh [FILE]     default: the built-in demo image
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
settings="$(mktemp -d)"
trap 'rm -rf "$settings"' EXIT
shoot() {
  xvfb-run -a -s "-screen 0 1600x1000x24" env LIBGL_ALWAYS_SOFTWARE=1 XDG_CONFIG_HOME="$settings" \
    build/release/app/gui/aprscope "$@"
}
shoot "$@" --convert --screenshot resources/screenshots/window.png
shoot "$@" --panel convert --screenshot resources/screenshots/convert.png
shoot "$@" --convert --filter gaussian:sigma=2 --compare three --screenshot resources/screenshots/compare.png
shoot "$@" --convert --filter gaussian:sigma=2 --compare reveal --screenshot resources/screenshots/reveal.png
shoot "$@" --convert --panel filter --screenshot resources/screenshots/filter.png
