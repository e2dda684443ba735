"""How far a few corrections take cells that were found with the defaults, where the true ones are
known: prints a table, a row a correction. What is corrected is chosen as by somebody who knows the
truth: of all merges and splits the one after which the true cells are met best. A merge has a point
in each piece of a true cell, a split a point in the middle of each true cell within one that was
found; boundaries are what the program makes of them.

usage: cells_corrected.py IMAGE TRUTH [CORRECTIONS] [--particles]
  e.g. cells_corrected.py sample_ovule.h5:/raw sample_ovule.h5:/label 8
Needs the Python module (python.sh) and SciPy. Truths of the data of PlantSeg and Cellpose are not
in this repository.
"""

import sys

import aprscope as ap
import numpy as np
from scipy import ndimage

LARGE = 500


class Overlaps:
    """Pixels of each pair of a true and a found label, and what follows."""

    def __init__(self, truth, found):
        self.shape = (int(truth.max()) + 1, int(found.max()) + 1)
        pairs = truth.ravel().astype(np.int64) * self.shape[1] + found.ravel()
        codes, counts = np.unique(pairs, return_counts=True)
        keep = (codes >= self.shape[1]) & (codes % self.shape[1] != 0)
        self.true = codes[keep] // self.shape[1]
        self.found = codes[keep] % self.shape[1]
        self.both = counts[keep]
        self.of_true = np.bincount(truth.ravel(), minlength=self.shape[0])
        self.of_found = np.bincount(found.ravel(), minlength=self.shape[1])

    def best(self):
        """By true label: the largest IoU with a found one."""
        out = np.zeros(self.shape[0])
        union = self.of_true[self.true] + self.of_found[self.found] - self.both
        np.maximum.at(out, self.true, self.both / union)
        return out

    def scores(self):
        """The mean over all true labels, and over the large ones."""
        best = self.best()
        there = self.of_true > 0
        there[0] = False
        large = there & (self.of_true >= LARGE)
        return best[there].mean(), best[large].mean() if large.any() else 0.0


def middle(mask):
    """The pixel of a mask that is farthest from what is not of it."""
    box = ndimage.find_objects(mask.astype(np.uint8))[0]
    depth = ndimage.distance_transform_edt(np.pad(mask[box], 1))
    at = np.unravel_index(depth.argmax(), depth.shape)
    return tuple(int(a) - 1 + s.start for a, s in zip(at, box))


def candidates(overlaps, truth, found):
    """Corrections that may help: (action, points)."""
    share = overlaps.both / overlaps.of_found[overlaps.found]
    part = overlaps.both / overlaps.of_true[overlaps.true]
    for label in np.unique(overlaps.true):
        mine = overlaps.found[(overlaps.true == label) & (share > 0.5)]
        if mine.size > 1:
            yield "merge", [middle((truth == label) & (found == one)) for one in mine]
    for one in np.unique(overlaps.found):
        mine = overlaps.true[(overlaps.found == one) & (part > 0.5)]
        if mine.size > 1:
            yield "split", [middle((truth == label) & (found == one)) for label in mine]


def corrected(data, action, points):
    text = "; ".join(",".join(str(c) for c in point) for point in points)
    return ap.correct(data, action=action, points=text)


def pixels_of(data, shape):
    """Labels of pixels, also of particles."""
    if isinstance(data, ap.Image):
        return np.asarray(data.labels).reshape(shape)
    painted = data.with_particles(np.asarray(data.labels, dtype=np.float32))
    return np.asarray(painted).astype(np.uint32).reshape(shape)


def main():
    options = [a for a in sys.argv[1:] if a.startswith("--")]
    words = [a for a in sys.argv[1:] if not a.startswith("--")]
    if len(words) not in (2, 3) or options not in ([], ["--particles"]):
        sys.exit(__doc__)
    image = ap.open(words[0])
    truth = np.asarray(ap.open(words[1])).astype(np.int64)
    most = int(words[2]) if len(words) == 3 else 8
    data = ap.watershed(ap.convert(image) if options else image)
    found = pixels_of(data, truth.shape)
    overlaps = Overlaps(truth, found)
    print("| corrections | the last one | mean best IoU | of cells of ≥ 500 pixels |")
    print("|---|---|---|---|")
    print("| 0 | | {:.3f} | {:.3f} |".format(*overlaps.scores()), flush=True)
    for step in range(1, most + 1):
        best = None
        for action, points in candidates(overlaps, truth, found):
            try:
                after = corrected(data, action, points)
            except ap.Error:
                continue
            labels = pixels_of(after, truth.shape)
            now = Overlaps(truth, labels)
            if best is None or sum(now.scores()) > sum(best[0].scores()):
                best = now, after, labels, f"{action} of {len(points)}"
        if best is None or sum(best[0].scores()) <= sum(overlaps.scores()):
            break
        overlaps, data, found, name = best
        print("| {} | {} | {:.3f} | {:.3f} |".format(step, name, *overlaps.scores()), flush=True)


if __name__ == "__main__":
    main()
