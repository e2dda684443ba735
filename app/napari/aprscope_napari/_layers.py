"""Data of aprscope as layers, and layers as data of aprscope."""
from __future__ import annotations

from typing import Any, Union

import numpy as np

import aprscope as ap

from ._series import OverTime, Series

# Where a layer keeps the particles that it shows.
KEY = "aprscope"
# What images are kept in.
KEPT = (np.dtype(np.uint8), np.dtype(np.uint16), np.dtype(np.float32))


class LabelPixels:
    """Labels of particles as pixels, painted where they are looked at."""

    ndim = 3
    dtype = np.dtype(np.uint32)

    def __init__(self, apr: ap.Apr):
        # Exact up to 2^24 of them.
        self._painted = apr.with_particles(apr.labels.astype(np.float32))
        self.shape = apr.shape
        self.size = int(np.prod(self.shape))

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, key: Any) -> np.ndarray:
        return self._painted[key].astype(self.dtype)

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return np.asarray(self[...], dtype=dtype)


def label_pixels(apr: ap.Apr) -> Union[LabelPixels, np.ndarray]:
    """Labels of particles as whole numbers of pixels. Painted as particles, whose values are floats,
    as long as these hold them; else all at once, in two halves."""
    if apr.labels.max(initial=0) < 1 << 24:
        return LabelPixels(apr)
    low = apr.with_particles((apr.labels & 0xFFFF).astype(np.float32))
    high = apr.with_particles((apr.labels >> 16).astype(np.float32))
    return np.asarray(high).astype(np.uint32) << 16 | np.asarray(low).astype(np.uint32)


def shown_levels(apr: ap.Apr) -> list[Any]:
    """The pyramid, down to the coarsest level that is worth a picture."""
    return [level for level in apr.pyramid() if max(level.shape) >= 64] or apr.pyramid()[:1]


def layers_of(data: Union[ap.Data, Series], name: str) -> list[tuple[Any, dict[str, Any], str]]:
    """Layers as readers of napari give them: the image, and its labels where it has some. Of a series
    the image alone: its labels would have to be numbered alike."""
    first = data.at(0) if isinstance(data, Series) else data
    place = {"scale": first.voxel, "metadata": {KEY: data}}
    if isinstance(first, ap.Apr):
        values = first.particles
        low, high = float(values.min()), float(values.max())
        levels = shown_levels(first)
        if isinstance(data, Series):
            levels = [OverTime(data, level.shape, level.dtype) for level in levels]
            place["scale"] = (1.0, *first.voxel)
        layers = [(levels, {"name": name, "multiscale": True,
                            "contrast_limits": (low, high if high > low else low + 1.0), **place},
                   "image")]
        labels = None if first.labels is None else label_pixels(first)
    else:
        layers = [(first.pixels, {"name": name, **place}, "image")]
        labels = None if first.labels is None else first.labels.copy()  # to paint in
    if labels is not None and not isinstance(data, Series):
        layers.append((labels, {"name": f"{name} labels", "scale": first.voxel}, "labels"))
    return layers


def data_of(layer: Any, time: int = 0) -> ap.Data:
    """The particles that a layer shows, or its pixels with its scale as the voxel size in µm; of
    several time points the one that is named. Errors: colours, more than four axes."""
    kept = layer.metadata.get(KEY)
    if kept is not None:
        return kept.at(time) if isinstance(kept, Series) else kept
    pixels = layer.data[0] if getattr(layer, "multiscale", False) else layer.data
    if getattr(layer, "rgb", False) or pixels.ndim not in (2, 3, 4):
        raise ap.Error("is no image of two or three axes, and time points", layer.name,
                       "split its channels into layers first")
    pixels = np.asarray(pixels[time] if pixels.ndim == 4 else pixels)
    scale = tuple(float(step) for step in layer.scale)[-3:]
    if pixels.dtype not in KEPT:
        pixels = pixels.astype(np.float32)
    return ap.image(pixels, voxel=(1.0,) * (3 - len(scale)) + scale)
