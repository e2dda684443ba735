"""Times labels of masks beside SciPy, cc3d and scikit-image, and compares the labels.

usage: cells_peers.py APRSCOPE_CLI [SIDE] [REPEATS]

Each of the programs gets the same mask (u8, SIDE³, default 256; noise of two densities, and a smooth
field), in turn; what is timed is labelling, without reading files. The labels of SciPy and those of
the program must be the same to the number, those of the others the same objects. Exit code 1 where
they differ. Needs numpy, tifffile, scipy, connected-components-3d and scikit-image: cells_peers.sh
installs them.
"""

import importlib.metadata
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

import cc3d
import numpy
import scipy.ndimage
import skimage.measure
import tifffile


def checksum(labels):
    """Of `bench cells`: changes with any label and any place of one."""
    values = labels.ravel().astype(numpy.uint64)
    return str(int((values * numpy.arange(1, values.size + 1, dtype=numpy.uint64)).sum(
        dtype=numpy.uint64)))


def ours(cli, path):
    """Seconds and checksums by connectivity: one run, after one to warm up."""
    command = [cli, "bench", "cells", "--input", path, "--repeats", "1", "--json"]
    report = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    seconds = {row["mode"]: row["seconds_median"] for row in report["rows"] if row["op"] == "label"}
    return seconds, next(iter(report["checksums"].values()))


def timed(label, mask):
    begin = time.perf_counter()
    labels = label(mask)
    return time.perf_counter() - begin, labels


def peers(connectivity):
    rank = {"6": 1, "26": 3}[connectivity]
    structure = scipy.ndimage.generate_binary_structure(3, rank)
    yield "SciPy", lambda mask: scipy.ndimage.label(mask, structure)[0]
    yield "cc3d", lambda mask: cc3d.connected_components(mask, connectivity=int(connectivity))
    yield "scikit-image", lambda mask: skimage.measure.label(mask, connectivity=rank)


def masks(side):
    random = numpy.random.default_rng(1)
    shape = (side, side, side)
    for percent in (50, 10):
        yield f"noise {percent} %", (random.random(shape) < percent / 100).astype(numpy.uint8)
    field = scipy.ndimage.gaussian_filter(random.standard_normal(shape).astype(numpy.float32), 6)
    yield "smooth", (field > 0).astype(numpy.uint8)


def same_objects(a, b):
    pairs = numpy.unique((a.astype(numpy.uint64) << numpy.uint64(32)) | b.astype(numpy.uint64))
    return len(pairs) == int(a.max()) + 1 == int(b.max()) + 1 or len(pairs) == len(
        numpy.unique(a)) == len(numpy.unique(b))


def main():
    cli = sys.argv[1]
    side = int(sys.argv[2]) if len(sys.argv) > 2 else 256
    repeats = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    version = importlib.metadata.version("connected-components-3d")
    print(f"{side}³ u8, seconds (medians of {repeats}, in turn); SciPy {scipy.__version__}, cc3d "
          f"{version}, scikit-image {skimage.__version__}; ratios: of medians\n")
    print("| mask | neighbours | aprscope | MVox/s | SciPy | ratio | cc3d | ratio | scikit-image "
          "| ratio |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, mask in masks(side):
            path = os.path.join(folder, "mask.tif")
            tifffile.imwrite(path, mask)
            own = {"6": [], "26": []}
            theirs = {(c, p): [] for c in own for p, _ in peers(c)}
            for _ in range(repeats):
                seconds, sums = ours(cli, path)
                for connectivity in own:
                    own[connectivity].append(seconds[connectivity])
                    first = None
                    for peer, label in peers(connectivity):
                        taken, labels = timed(label, mask)
                        theirs[connectivity, peer].append(taken)
                        if first is None:
                            first = labels
                            wrong += checksum(labels) != sums[connectivity]
                        elif len(theirs[connectivity, peer]) == 1:
                            wrong += not same_objects(first, labels)
            for connectivity, runs in own.items():
                t = statistics.median(runs)
                line = f"| {name} | {connectivity} | {t:.4f} | {mask.size / t / 1e6:.0f} "
                for peer, _ in peers(connectivity):
                    other = statistics.median(theirs[connectivity, peer])
                    line += f"| {other:.3f} | {other / t:.1f} "
                print(line + "|", flush=True)
    print("\nLabels agree." if wrong == 0 else f"\n{wrong} labellings differ.")
    return 1 if wrong else 0


sys.exit(main())
