#!/usr/bin/env bash
# How well cells of tissues with known ones are found with the defaults, on pixels and on particles:
# prints a table. Truths of the data of PlantSeg and Cellpose are not in this repository.
# usage: cells_accuracy.sh IMAGE TRUTH [IMAGE TRUTH …]
#   e.g. cells_accuracy.sh sample_ovule.h5:/raw sample_ovule.h5:/label maize.tif maize_labels.tif
# APRSCOPE_CLI: the program; default: build/release/app/cli/aprscope-cli
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
cli="${APRSCOPE_CLI:-$root/build/release/app/cli/aprscope-cli}"
[ $# -ge 2 ] && [ $(($# % 2)) -eq 0 ] || { sed -n '2,6s/^# //p' "$0" >&2; exit 2; }
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT

echo "| image | on | true cells | found | mean best IoU | of cells of ≥ 500 pixels | F1 at IoU .5 |"
echo "|---|---|---|---|---|---|---|"
row() {
  local name="$1" on="$2" image="$3" truth="$4"
  "$cli" cells "$image" --method watershed --truth "$truth" --json | python3 -c '
import json, sys
r = json.load(sys.stdin)
number = lambda v: "–" if v is None else f"{v:.3f}"
print("|", " | ".join([sys.argv[1], sys.argv[2], str(r["truths"]), str(r["found"]),
      number(r["mean_best_iou"]), number(r["mean_best_iou_large"]), number(r["iou_50"]["f1"])]), "|")
' "$name" "$on"
}
while [ $# -gt 0 ]; do
  image="$1" truth="$2"
  shift 2
  name="$(basename "${image%%:*}")"
  row "$name" pixels "$image" "$truth"
  "$cli" convert "$image" -o "$folder/particles.apr" --force >/dev/null
  row "$name" particles "$folder/particles.apr" "$truth"
done
