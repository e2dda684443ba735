"""Watersheds from markers on one image: this program, scikit-image and ITK.

usage: watershed_peers.py BENCH_WATERSHED [SIDE] [REPEATS]
Runs take turns, the best of each counts. Overlap: share of voxels whose label is the same."""

import os
import subprocess
import sys
import tempfile
import time

import numpy as np
import SimpleITK
from scipy import ndimage
from skimage.segmentation import watershed

THREADS = 2


def tissue(side, seed=1):
    """Walls half way between random points, blurred, with noise; and a marker in each cell."""
    random = np.random.default_rng(seed)
    points = random.uniform(0, side, (max(8, side**3 // 30000), 3)).astype(int)
    marks = np.zeros((side,) * 3, np.uint32)
    marks[tuple(points.T)] = np.arange(1, len(points) + 1)
    nearest = ndimage.distance_transform_edt(marks == 0, return_distances=False, return_indices=True)
    cells = marks[tuple(nearest)]
    walls = np.zeros(cells.shape, np.float32)
    for axis in range(3):
        walls += np.abs(np.diff(cells.astype(np.int64), axis=axis, append=-1)) > 0
    light = 20 + 400 * ndimage.gaussian_filter(np.minimum(walls, 1), 1.2)
    image = random.poisson(light * 20).astype(np.uint16)
    present = np.unique(cells)
    print(f"{side}^3 u16, {len(present)} cells")
    return image, marks


def ours(program, image, marks, folder):
    paths = [os.path.join(folder, name) for name in ("image", "marks", "labels")]
    image.tofile(paths[0])
    marks.tofile(paths[1])

    def run():
        words = [program, paths[0], *map(str, image.shape), paths[1], paths[2]]
        quiet = os.environ | {"OMP_WAIT_POLICY": "passive"}
        done = subprocess.run(words, check=True, capture_output=True, text=True, env=quiet)
        took = float(done.stdout)
        return took, np.fromfile(paths[2], np.uint32).reshape(image.shape)

    return run


def itk(image, marks):
    SimpleITK.ProcessObject.SetGlobalDefaultNumberOfThreads(THREADS)
    grey, seeds = SimpleITK.GetImageFromArray(image), SimpleITK.GetImageFromArray(marks)

    def run():
        found = SimpleITK.MorphologicalWatershedFromMarkers(grey, seeds, markWatershedLine=False)
        return SimpleITK.GetArrayFromImage(found)

    return run


def main():
    program = sys.argv[1]
    side = int(sys.argv[2]) if len(sys.argv) > 2 else 96
    repeats = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    image, marks = tissue(side)
    with tempfile.TemporaryDirectory() as folder:
        run = ours(program, image, marks, folder)
        runs = {
            "scikit-image": lambda: watershed(image, marks.astype(np.int32), connectivity=1),
            "ITK": itk(image, marks),
        }
        times = {"here": []} | {name: [] for name in runs}
        labels = {}
        for _ in range(repeats):
            took, labels["here"] = run()
            times["here"].append(took)
            for name, peer in runs.items():
                start = time.perf_counter()
                labels[name] = peer()
                times[name].append(time.perf_counter() - start)
    fastest = min(times["here"])
    for name, took in times.items():
        same = np.mean(labels[name] == labels["here"])
        print(
            f"{name:13s} {min(took):8.3f} s {image.size / min(took) / 1e6:7.2f} MVoxel/s"
            f"  {min(took) / fastest:6.1f} x  overlap {same:.4f}"
        )
    print(f"overlap of the peers {np.mean(labels['scikit-image'] == labels['ITK']):.4f}")


if __name__ == "__main__":
    main()
