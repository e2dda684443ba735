#!/usr/bin/env bash
# Takes the pictures of README.md and of the pages with the program itself.
# usage: screenshots.sh [FILE]     default: the built-in demo image
# The pictures of real images are renewed where ../shared/data (or $APRSCOPE_DATA_DIR) holds them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
root="$PWD"
settings="$(mktemp -d)"
trap 'rm -rf "$settings"' EXIT
shoot() {
  xvfb-run -a -s "-screen 0 1600x1000x24" env LIBGL_ALWAYS_SOFTWARE=1 XDG_CONFIG_HOME="$settings" \
    "$root/build/release/app/gui/aprscope" "$@"
}
shoot "$@" --convert --screenshot resources/screenshots/window.png
shoot "$@" --panel convert --screenshot resources/screenshots/convert.png
shoot "$@" --convert --export-converted "$settings/converted.apr" --screenshot "$settings/unused.png"
build/release/app/cli/aprscope-cli render "$settings/converted.apr" --quiet --view slice --mode level \
  --colormap levels --size 640,640 -o resources/screenshots/levels.png
# The same particles twice.
cli() { "$root/build/release/app/cli/aprscope-cli" "$@" --quiet; }
cli synth microtubules --size 128,384,384 --voxel-size 0.5,0.25,0.25 -o "$settings/tubules.tif"
cli convert "$settings/tubules.tif" -o "$settings/tubules.apr"
seen=(--camera 35,25,1.7 --size 400,300 --contrast 110,800)
cli render "$settings/tubules.apr" --view mip "${seen[@]}" -o resources/screenshots/mip.png
cli render "$settings/tubules.apr" --view translucent "${seen[@]}" \
  -o resources/screenshots/translucent.png
shoot "$@" --convert --filter gaussian:sigma=2 --compare three --screenshot resources/screenshots/compare.png
shoot "$@" --convert --filter gaussian:sigma=2 --compare reveal --screenshot resources/screenshots/reveal.png
shoot "$@" --convert --panel filter --screenshot resources/screenshots/filter.png
shoot "$@" --convert --panel measure --screenshot resources/screenshots/measure.png
shoot "$@" --convert --measure topology --screenshot resources/screenshots/topology.png
shoot "$@" --convert --deconvolve gaussian:sigma=1 --iterations 400 --watch 12 \
  --screenshot resources/screenshots/deconvolve.png
data="${APRSCOPE_DATA_DIR:-../shared/data}/fluo"
if [ -d "$data" ]; then
  cd "$data"  # the window shows paths as they are given
  shoot DeconvolutionSampleVerticalGrid1AU-crop.tif --iterations 30 --compare side \
    --deconvolve "beads:Bead_Image1_crop.tif,at=23/73/30;24/82/75;24/111/44;24/36/125" \
    --screenshot "$root/resources/screenshots/deconvolve-beads.png"
  shoot flybrain.tif --filter gaussian:sigma=1 --measure topology \
    --screenshot "$root/resources/screenshots/topology-brain.png"
  shoot sample_ovule.h5:/raw --cells watershed --screenshot "$root/resources/screenshots/cells.png"
  shoot --deconvolve "file:lls_psf.tif,size=61,33,33" --iterations 3 \
    --screenshot "$root/resources/screenshots/deconvolve-psf.png"
fi
cryo="${APRSCOPE_DATA_DIR:-$root/../shared/data}/cryo"
if [ -d "$cryo" ]; then
  cd "$cryo"
  shoot ctf.star --panel reconstruct --screenshot "$root/resources/screenshots/projections.png"
  shoot ico.xmd --reconstruct I2 --screenshot "$root/resources/screenshots/reconstruct-symmetry.png"
  shoot ctf.star --reconstruct C1 --screenshot "$root/resources/screenshots/reconstruct.png"
fi
