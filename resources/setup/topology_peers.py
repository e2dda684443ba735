"""Times topology curves beside scikit-image and GUDHI, and compares the numbers.

usage: topology_peers.py APRSCOPE_CLI [SIDE] [REPEATS]

Each of the programs gets the same image (u8, SIDE³, default 96; noise, and cells), in turn; what is
timed is computing, without reading files. Exit code 1 where a number differs. Needs numpy, tifffile,
scikit-image and gudhi: topology_peers.sh installs them.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

import gudhi
import numpy
import skimage.measure
import tifffile


def ours(cli, path, betti):
    """Seconds, thresholds, and the columns of our table."""
    command = [cli, "topology", path, "--json"] + (["--betti"] if betti else [])
    report = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    columns = {c["id"]: c["cells"] for c in report["measured"][0]["tables"][0]["columns"]}
    return report["seconds"]["measure"], columns


def by_scikit_image(image, thresholds):
    """Euler characteristic of every superlevel set, one after the other (26-connected)."""
    begin = time.perf_counter()
    euler = [skimage.measure.euler_number(image >= t, connectivity=3) for t in thresholds]
    return time.perf_counter() - begin, euler


def by_gudhi(image, thresholds):
    """Betti numbers of every superlevel set, from the persistence of closed voxels."""
    begin = time.perf_counter()
    cells = gudhi.CubicalComplex(top_dimensional_cells=-image.astype(numpy.float64))
    pairs = cells.persistence(homology_coeff_field=2, min_persistence=0.0)
    seconds = time.perf_counter() - begin
    betti = numpy.zeros((3, len(thresholds)), dtype=numpy.int64)
    levels = numpy.asarray(thresholds, dtype=numpy.float64)
    for dimension, (birth, death) in pairs:
        # −t from birth on, before death.
        betti[dimension] += (-levels >= birth) & (-levels < death)
    return seconds, betti


def images(cli, folder, side):
    random = numpy.random.default_rng(1)
    yield "noise", random.integers(0, 256, (side, side, side), dtype=numpy.uint8)
    path = os.path.join(folder, "synthetic.tif")
    subprocess.run([cli, "synth", "cells", "-o", path, "--size", f"{side},{side},{side}"],
                   check=True, capture_output=True)
    values = tifffile.imread(path).astype(numpy.float64)
    yield "cells", numpy.clip(255 * values / values.max(), 0, 255).astype(numpy.uint8)


def main():
    cli = sys.argv[1]
    side = int(sys.argv[2]) if len(sys.argv) > 2 else 96
    repeats = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    print(f"{side}³ u8, seconds (medians of {repeats}, in turn); scikit-image "
          f"{skimage.__version__}, GUDHI {gudhi.__version__}\n")
    print("| image | thresholds | aprscope | with Betti | scikit-image | ratio | GUDHI | ratio |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|")
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, image in images(cli, folder, side):
            path = os.path.join(folder, name + ".tif")
            tifffile.imwrite(path, image)
            times = {"curve": [], "betti": [], "skimage": [], "gudhi": []}
            for _ in range(repeats):
                seconds, columns = ours(cli, path, False)
                times["curve"].append(seconds)
                thresholds = columns["threshold"]
                seconds, with_betti = ours(cli, path, True)
                times["betti"].append(seconds)
                seconds, euler = by_scikit_image(image, thresholds)
                times["skimage"].append(seconds)
                seconds, betti = by_gudhi(image, thresholds)
                times["gudhi"].append(seconds)
            wrong += euler != columns["ecc"]
            for dimension, column in enumerate(("b0", "b1", "b2")):
                wrong += betti[dimension].tolist() != with_betti[column]
            t = {key: statistics.median(value) for key, value in times.items()}
            print(f"| {name} | {len(thresholds)} | {t['curve']:.4f} | {t['betti']:.3f} "
                  f"| {t['skimage']:.2f} | {t['skimage'] / t['curve']:.0f} "
                  f"| {t['gudhi']:.2f} | {t['gudhi'] / t['betti']:.0f} |")
    print("\nNumbers agree." if wrong == 0 else f"\n{wrong} curves differ.")
    return 1 if wrong else 0


sys.exit(main())
