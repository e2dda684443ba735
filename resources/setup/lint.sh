#!/usr/bin/env bash
# Checks style and common defects.
# usage: lint.sh format    clang-format, changes nothing
#        lint.sh tidy      clang-tidy on the folders listed below, with the compile commands of build/release
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

missing=()
for tool in clang-format clang-tidy; do
  command -v "$tool" >/dev/null || missing+=("$tool")
done
if [ ${#missing[@]} -gt 0 ]; then
  become=()
  [ "$(id -u)" -eq 0 ] || become=(sudo)
  "${become[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    "${missing[@]}" >/dev/null
fi

# Passes on the files that build/release compiles: without nvcc those are fewer.
compiled_here() {
  local file
  while read -r file; do
    if grep -qF "/$file\"" build/release/compile_commands.json; then
      echo "$file"
    else
      echo "not compiled here, not checked: $file" >&3
    fi
  done
}
exec 3>&1

case "${1:-}" in
  format)
    git ls-files '*.cpp' '*.hpp' '*.cu' '*.cuh' | xargs clang-format --dry-run --Werror
    echo "clang-format: clean"
    ;;
  tidy)
    # The folders that are clean so far; widen the list as others become so.
    git ls-files 'core/*.cpp' \
      'app/cli/*.cpp' 'gpu/*.cpp' 'tests/core/base/*.cpp' 'tests/core/image/*.cpp' 'tests/core/apr/*.cpp' \
      'tests/core/io/*.cpp' 'tests/core/pipeline/*.cpp' |
      compiled_here |
      xargs -P "$(nproc)" -n 2 clang-tidy --quiet -p build/release \
        --extra-arg=-Wno-unknown-warning-option 2>build/release/tidy.log ||
      { grep -v 'warnings generated' build/release/tidy.log >&2 || true; exit 1; }
    echo "clang-tidy: clean"
    ;;
  *)
    echo "usage: lint.sh format | tidy" >&2
    exit 2
    ;;
esac
