#!/usr/bin/env bash
# Puts the headless programs, the libraries they need and their source's commit into a folder that
# runs on a GPU machine which has a driver but none of these libraries.
# usage: gpu_bundle.sh BUILD_FOLDER BUNDLE_FOLDER
set -euo pipefail
build="$1"
bundle="$2"
mkdir -p "$bundle/lib"
cp "$build/app/cli/aprscope-cli" "$build/tests/gpu/gpu_tests" \
  "$build/libexec/aprscope/aprscope-hdf5" "$bundle/"
# The C and C++ libraries stay those of the machine, and so does cuFFT, which is very large:
# gpu_check.sh looks for it there.
ldd "$bundle/aprscope-cli" "$bundle/gpu_tests" "$bundle/aprscope-hdf5" | awk '$3 ~ /^\// {print $3}' | sort -u |
  grep -vE '/(libstdc\+\+|libgcc_s|libgomp|libc|libm|libdl|libpthread|librt|libresolv|libcufft)\.so' |
  while read -r library; do cp -L "$library" "$bundle/lib/"; done
cp "$(dirname "$0")"/gpu_check.sh "$(dirname "$0")"/gpu_table.py "$bundle/"
