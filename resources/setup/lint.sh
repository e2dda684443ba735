#!/usr/bin/env bash
# Checks style and common defects.
# usage: lint.sh format    clang-format, changes nothing
#        lint.sh tidy      clang-tidy on what changed in the last commits, with the compile commands of build/release
#        lint.sh tidy all  the same on all files (hours of processor time, what is remembered as clean aside)
#        lint.sh parallel  parallel regions and threads only where they were looked at
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

# An exception that leaves a parallel region or the function of a thread ends the program, and the
# OpenMP library ends it where a thread cannot be started. So regions are made by
# core/base/parallel.hpp, and each place below that starts threads was seen to catch everything.
if [ "${1:-}" = parallel ]; then
  region='#[[:space:]]*pragma[[:space:]]+omp[[:space:]]+(parallel|sections|task|taskloop|teams|target)'
  start='std::j?thread|std::async|pthread_create|QThread::create|QtConcurrent|QRunnable|omp_set_'
  code=(core/ gpu/ app/ render/)
  found=0
  check() {  # check PATTERN WHAT FILE…: lines of the code that match, outside of the files
    local pattern=$1 what=$2 hits
    shift 2
    hits=$(git grep -nIE "$pattern" -- "${code[@]}" "${@/#/:!}" | grep -v 'this_thread\|hardware_concurrency' || true)
    [ -z "$hits" ] || { echo "$hits" >&2; echo "$what" >&2; found=1; }
  }
  check "$region" "parallel regions outside of core/base/parallel.cpp: use core/base/parallel.hpp" \
    core/base/parallel.cpp core/base/parallel.hpp
  check "$start" "threads started where nobody looked yet: catch everything in them, then list them in lint.sh" \
    core/base/parallel.cpp core/base/startable_threads.cpp core/base/jobs.cpp core/base/side_thread.cpp \
    core/base/side_thread.hpp core/ranks/funnel.cpp app/cli/shared/interrupt.cpp \
    app/cli/shared/interrupt.hpp app/gui/document/release.cpp core/topology/streamed_strata.cpp render/mip_worker.cpp \
    app/python/bind/workers.cpp
  [ "$found" -eq 0 ] && echo "parallel regions and threads: reviewed"
  exit "$found"
fi

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

# Passes on the files that have a compile command: without nvcc or the Python module those are fewer.
compiled_here() {
  local file
  while read -r file; do
    if grep -qF "/$file\"" build/tidy/compile_commands.json; then
      echo "$file"
    else
      echo "not compiled here, not checked: $file" >&3
    fi
  done
}
exec 3>&1

# What differs from a commit, without files that moved, include what moved, or have other comments (NOLINT
# aside), and are else the same.
changed_since() {
  local status old new
  git diff --name-status -M -l5000 "$1" | while IFS=$'\t' read -r status old new; do
    case "$status" in
      D) continue ;;
      A) echo "$old" ;;
      *)
        new="${new:-$old}"
        cmp -s <(git show "$1:$old" | code_alone) <(code_alone <"$new") || echo "$new"
        ;;
    esac
  done
}
code_alone() {
  sed -E '/NOLINT/!s@(^|[[:space:]])//.*$@@; s/[[:space:]]+$//' | grep -avE '^[[:space:]]*(#[[:space:]]*include.*)?$' || true
}

# Of the files on stdin those that the latest commits changed or that are not committed, and for a
# header, whose defects show wherever it is included, one file that includes it.
commits=12
changed_lately() {
  local since changes
  since="$(git rev-list --first-parent --max-count=$((commits + 1)) HEAD | tail -n 1)"
  if [ "$(git rev-list --first-parent --count HEAD)" -le "$commits" ]; then
    cat  # also where the history is cut
    return
  fi
  changes="$({ changed_since "$since"; git ls-files --others --exclude-standard; } | sort -u)"
  local file header
  while read -r file; do
    if grep -qxF "$file" <<<"$changes"; then
      echo "$file"
    else
      echo "$file" >>"$unchanged"
    fi
  done
  { grep -E '\.hpp$' <<<"$changes" || true; } | while read -r header; do
    [ -e "$header" ] || continue
    # Its own source comes first where there is one.
    { grep -xF "${header%.hpp}.cpp" "$unchanged" || xargs grep -lF "\"$header\"" <"$unchanged"; } | head -n 1 || true
  done | sort -u
}

case "${1:-}" in
  format)
    git ls-files '*.cpp' '*.hpp' '*.cu' '*.cuh' | xargs clang-format --dry-run --Werror
    echo "clang-format: clean"
    ;;
  tidy)
    unchanged="$(mktemp)"
    trap 'rm -f "$unchanged"' EXIT
    # Each source by itself, where build/release compiles several together; the tests of the window,
    # too, where build/release leaves them out: their commands are known all the same.
    mkdir -p build/tidy
    log=build/tidy/configure.log
    builds=(build/release build/fuzz)
    if ! grep -qF '/core/io/formats.cpp"' build/release/compile_commands.json; then
      settings=(-DAPRSCOPE_UNITY=OFF)
      if grep -qx 'APRSCOPE_PYTHON:BOOL=ON' build/release/CMakeCache.txt; then
        settings+=(-DAPRSCOPE_PYTHON=ON)
        environment="$(resources/setup/python.sh --venv)"
        export VIRTUAL_ENV="${environment%/bin/python}"
      fi
      cmake --preset release -B build/alone "${settings[@]}" >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
      builds[0]=build/alone
    fi
    resources/setup/packages.sh --fuzz
    cmake --preset fuzz >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
    python3 resources/setup/tidy_commands.py build/tidy "${builds[@]}"
    choose=changed_lately
    [ "${2:-}" != all ] || choose=cat
    git ls-files 'core/*.cpp' 'app/*.cpp' 'gpu/*.cpp' 'render/*.cpp' 'tests/*.cpp' |
      $choose |
      compiled_here |
      xargs -r python3 resources/setup/tidy_cached.py build/tidy
    ;;
  *)
    echo "usage: lint.sh format | tidy [all] | parallel" >&2
    exit 2
    ;;
esac
