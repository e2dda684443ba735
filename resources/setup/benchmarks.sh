#!/usr/bin/env bash
# Renews the pages of resources/benchmarks: measures this machine with the release build.
# usage: benchmarks.sh [FOLDER]    FOLDER holds the cr_*.apr benchmark files, default
#                                  ../shared/data/apr/benchmark; needs 12 GB of memory, minutes
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
data="${1:-../shared/data/apr/benchmark}"
cli=build/release/app/cli/aprscope-cli
pages=resources/benchmarks
mkdir -p "$pages"

inputs=()
for file in $(ls "$data"/cr_*.apr | sort -V); do inputs+=(--input "$file"); done
[ ${#inputs[@]} -gt 0 ] || { echo "no cr_*.apr in $data" >&2; exit 1; }
"$cli" bench convolution "${inputs[@]}" --tile-to 512 --repeats 3 --quiet --page "$pages/convolution.md"
APRSCOPE_ISA=avx2 "$cli" bench convolution --input "$data/cr_3.apr" --input "$data/cr_20.apr" \
  --input "$data/cr_54.apr" --tile-to 512 --repeats 3 --quiet \
  --page "$pages/convolution-avx2.md"
"$cli" bench convolution --input "$data/cr_20.apr" --tile-to 512 --repeats 3 --dense --quiet \
  --page "$pages/convolution-dense.md"
"$cli" bench convolution --input "$data/cr_20.apr" --tile-to 1024 --repeats 3 --quiet \
  --page "$pages/convolution-1024.md"
"$cli" bench deconvolution --input "$data/cr_20.apr" --tile-to 256 --repeats 9 --quiet \
  --page "$pages/deconvolution-speed.md"
"$cli" bench topology --size 256,512,512 --repeats 9 --quiet --page "$pages/topology.md"
"$cli" bench topology "${inputs[@]}" --tile-to 512 --repeats 5 --quiet \
  --page "$pages/topology-particles.md"
"$cli" bench cells --kind cells --size 128,128,128 --repeats 3 --quiet --page "$pages/cells.md"
"$cli" bench cells --input "$data/cr_3.apr" --input "$data/cr_20.apr" --input "$data/cr_54.apr" \
  --tile-to 256 --repeats 3 --quiet --page "$pages/cells-particles.md"
"$cli" bench io --size 256,512,512 --repeats 5 --quiet --page "$pages/files.md"
"$cli" bench raycast --input "$data/cr_20.apr" --tile-to 512 --repeats 9 --quiet \
  --page "$pages/raycast.md"
"$cli" bench conversion --kind spheres --size 512,512,512 --repeats 5 --quiet \
  --page "$pages/conversion.md"
# The papers' experiments: 20 minutes, 2 GB. Left out: the PSF cut to 41³ as a stencil (--method
# apr-41), which takes as long again; apr-41-far is that PSF in the way of the full one.
"$cli" bench deconvolution --experiment microtubules --experiment cylinders --method pixels \
  --method pixels-padded --method apr --method apr-full --method apr-near-3 --method apr-near-5 \
  --method apr-near-7 --method apr-near-9 --method apr-near-11 --method apr-lean --method apr-11 \
  --method apr-21 --method apr-41-far --quiet --page "$pages/deconvolution.md"
