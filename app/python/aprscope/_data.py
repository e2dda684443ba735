"""Images and particles, and what is made of them without an operation."""
from __future__ import annotations

import os
from typing import Any, Callable, Optional, Sequence, Union

import numpy as np

from . import _core
from ._error import Error
from ._regions import region_of

Path = Union[str, bytes, "os.PathLike[str]"]
Voxel = Union[float, Sequence[float]]
Progress = Optional[Callable[[float, str], Any]]


def voxel_of(voxel: Voxel) -> tuple[float, float, float]:
    """Three sizes in the order z, x, y; one number stands for all."""
    sizes = np.atleast_1d(np.asarray(voxel, dtype=float))
    if sizes.size == 1:
        sizes = np.repeat(sizes, 3)
    if sizes.shape != (3,) or not np.all((sizes >= 1e-9) & (sizes <= 1e9)):
        raise Error(f"{voxel!r} is not three sizes from 1e-9 to 1e9", "voxel",
                    "give (z, x, y), or one number for all")
    return (float(sizes[0]), float(sizes[1]), float(sizes[2]))


class Data:
    """An image or particles. It never changes: what is done to it gives another one."""

    __slots__ = ("_held", "__weakref__")

    def __init__(self, held: _core.Held):
        self._held = held

    @property
    def shape(self) -> tuple[int, int, int]:
        """Pixels in z, x (rows) and y (columns)."""
        return self._held.shape

    @property
    def ndim(self) -> int:
        """3."""
        return 3

    @property
    def voxel(self) -> tuple[float, float, float]:
        """Distance of pixel centres in z, x, y, in `unit`."""
        return self._held.voxel

    @property
    def unit(self) -> str:
        """Unit of `voxel`: "µm", "nm", …, or "px" where nobody said."""
        return self._held.unit

    @property
    def name(self) -> str:
        """What the file, or whoever made it, calls it."""
        return self._held.name

    @property
    def channel(self) -> str:
        """The channel's name; may be empty."""
        return self._held.channel

    @property
    def nbytes(self) -> int:
        """Bytes in memory, with all that was derived so far."""
        return self._held.nbytes

    @property
    def labels(self) -> Optional[np.ndarray]:
        """Its objects, which share memory: one label a pixel (shape z, x, y) or a particle; 0 is none.
        None where none were looked for."""
        return self._held.labels

    def with_labels(self, labels: np.ndarray) -> "Data":
        """The same data with these labels, one a pixel or a particle, as of another program."""
        labels = np.asarray(labels)
        if labels.dtype.kind not in "uib" or (labels.size and int(labels.min()) < 0) or (
                labels.size and int(labels.max()) > 0xFFFFFFFF):
            raise Error("are not whole numbers from 0 to 2^32 - 1", "labels",
                        "0 stands for the background")
        labels = np.ascontiguousarray(labels, dtype=np.uint32)
        return wrapped(_core.with_labels(self._held, labels))

    def with_voxel(self, voxel: Voxel, unit: str = "µm") -> "Data":
        """The same data with another voxel size."""
        return wrapped(_core.with_voxel(self._held, voxel_of(voxel), unit))

    def save(self, path: Path, *, tree: Optional[bool] = None, ome_zarr: str = "0.4",
             tiff_packing: str = "deflate", progress: Progress = None) -> None:
        """Writes a file, whole or not at all.

        Particles become an .apr, or an OME-Zarr with their levels; an image a .tif, .mrc or OME-Zarr,
        by the name's ending.

        Parameters
        ----------
        tree : bool, optional
            Write the tree and its means into an .apr, too; by default if the image has more than
            2^27 pixels.
        ome_zarr : str
            "0.4" or "0.5".
        tiff_packing : str
            "deflate", "zstd" or "none".
        """
        for name, word, words in (("ome_zarr", ome_zarr, ("0.4", "0.5")),
                                  ("tiff_packing", tiff_packing, ("deflate", "zstd", "none"))):
            if word not in words:
                raise Error(f"{word!r} is no choice", name, "use " + ", ".join(words))
        _core.save_file(self._held, os.fsencode(path), tree, ome_zarr, tiff_packing, progress)

    def save_labels(self, path: Path) -> None:
        """Writes the labels as an image of whole numbers (.tif, .mrc)."""
        _core.save_labels(self._held, os.fsencode(path))

    def __len__(self) -> int:
        return self.shape[0]


class Image(Data):
    """Pixels. `numpy.asarray(image)` and `image.pixels` share its memory and cannot be written to."""

    __slots__ = ()

    @property
    def pixels(self) -> np.ndarray:
        """Its pixels (z, x, y), which share memory."""
        return self._held.pixels

    @property
    def dtype(self) -> np.dtype:
        """Type of the pixels: uint8, uint16 or float32."""
        return self.pixels.dtype

    def save_half_maps(self, path: Path) -> None:
        """Writes both half maps of a map that backproject() made, beside `path`."""
        _core.save_half_maps(self._held, os.fsencode(path))

    def __getitem__(self, key: Any) -> np.ndarray:
        return self.pixels[key]

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> np.ndarray:
        return as_wanted(self.pixels, dtype, copy, shared=True)

    def __repr__(self) -> str:
        return (f"<aprscope.Image {self.name!r} {' × '.join(map(str, self.shape))} {self.dtype}, "
                f"voxel {words_of(self.voxel)} {self.unit}>")


class Apr(Data):
    """Particles. Slices of it are pixels: `apr[z0:z1, x0:x1, y0:y1]` reconstructs that part only."""

    __slots__ = ()

    @property
    def particles(self) -> np.ndarray:
        """The values, one a particle, in the order of `y`; they share memory."""
        return _core.field(self._held, "")

    @property
    def fields(self) -> list[str]:
        """Names of all fields of values."""
        return _core.fields(self._held)

    def field(self, name: str) -> np.ndarray:
        """The values of a field, one a particle; they share memory."""
        return _core.field(self._held, name)

    @property
    def y(self) -> np.ndarray:
        """The y of each cell on its level (uint16), level after level from the coarsest, then z, x and
        y; shares memory."""
        return _core.y(self._held)

    @property
    def xz_end(self) -> np.ndarray:
        """Where rows (level, z, x) end in `y` (uint64): 0, then one past the last cell of each row;
        shares memory."""
        return _core.xz_end(self._held)

    @property
    def levels(self) -> list["Level"]:
        """The levels from the coarsest to the finest, with the particles of each."""
        return [Level(*one) for one in _core.levels(self._held)]

    @property
    def level_max(self) -> int:
        """The finest level, where a cell is a pixel."""
        return self.levels[-1].level

    @property
    def cr(self) -> float:
        """Computational ratio: pixels ÷ particles."""
        return _core.cr(self._held)

    @property
    def dtype(self) -> np.dtype:
        """Type of reconstructed pixels: that of the particles where images have it, else float32."""
        own = np.dtype(self.particles.dtype)
        return own if own in (np.dtype(np.uint8), np.dtype(np.uint16)) else np.dtype(np.float32)

    @property
    def history(self) -> list[str]:
        """What was done to it, one line a step."""
        return self._held.history

    def with_particles(self, values: np.ndarray) -> "Apr":
        """The same structure with other values, one a particle."""
        made = wrapped(_core.with_particles(self._held, np.ascontiguousarray(values)))
        assert isinstance(made, Apr)
        return made

    def reconstruct_region(self, begin: Sequence[int], end: Sequence[int],
                           mode: str = "constant") -> np.ndarray:
        """Pixels from `begin` to before `end` (z, x, y); `mode` as in reconstruct(): "constant",
        "smooth" or "level"."""
        if mode not in ("constant", "smooth", "level"):
            raise Error(f"{mode!r} is no choice", "mode", "use constant, smooth, level")
        begin = [int(n) for n in begin]
        end = [int(n) for n in end]
        if len(begin) != 3 or len(end) != 3 or any(
                b < 0 or e < b or e > n for b, e, n in zip(begin, end, self.shape)):
            raise Error("has no such region", "region", f"choose one inside {self.shape}")
        if any(b == e for b, e in zip(begin, end)):
            return np.empty([e - b for b, e in zip(begin, end)], dtype=self.dtype)
        return _core.region(self._held, begin, end, mode)

    def pyramid(self) -> list["Pixels"]:
        """The image at each level from the finest to the coarsest, as arrays that are computed where
        they are looked at (for viewers)."""
        return [Pixels(self, level) for level in reversed(self.levels)]

    def __getitem__(self, key: Any) -> np.ndarray:
        begin, end, rest = region_of(key, self.shape)
        return self.reconstruct_region(begin, end)[rest]

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> np.ndarray:
        return as_wanted(self.reconstruct_region((0, 0, 0), self.shape), dtype, copy, shared=False)

    def __repr__(self) -> str:
        return (f"<aprscope.Apr {self.name!r} {' × '.join(map(str, self.shape))}, "
                f"{_core.count(self._held)} particles ({self._held.dtype or 'no values'}), "
                f"CR {self.cr:.3g}, voxel {words_of(self.voxel)} {self.unit}>")


class Level:
    """A level of an APR: its number, its grid of cells (z, x, y), the first of its rows among those of
    `xz_end`, and its particles as a slice of all."""

    __slots__ = ("level", "grid", "first_row", "particles")

    def __init__(self, level: int, grid: tuple[int, int, int], first_row: int, begin: int, end: int):
        self.level = level
        self.grid = grid
        self.first_row = first_row
        self.particles = slice(begin, end)

    @property
    def count(self) -> int:
        """Particles of this level."""
        return self.particles.stop - self.particles.start

    def __repr__(self) -> str:
        return f"<aprscope.Level {self.level} of {' × '.join(map(str, self.grid))}, {self.count} particles>"


class Pixels:
    """The image of an APR at one level, computed where it is looked at. The finest one only in the part
    that is asked for; the others, means of the particles, an eighth of it in all, once and whole."""

    __slots__ = ("_apr", "_level", "_whole")
    ndim = 3

    def __init__(self, apr: Apr, level: Level):
        self._apr = apr
        self._level = level
        self._whole: Optional[np.ndarray] = None

    @property
    def shape(self) -> tuple[int, int, int]:
        """Cells in z, x and y."""
        return self._level.grid

    @property
    def dtype(self) -> np.dtype:
        """As that of the APR."""
        return self._apr.dtype

    @property
    def size(self) -> int:
        """All of them."""
        return int(np.prod(self.shape))

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, key: Any) -> np.ndarray:
        if self._level.level == self._apr.level_max:
            return self._apr[key]
        if self._whole is None:
            means = _core.level(self._apr._held, self._level.level)
            whole_numbers = np.issubdtype(self.dtype, np.integer)
            self._whole = np.rint(means).astype(self.dtype) if whole_numbers else means
        return self._whole[key]

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> np.ndarray:
        return as_wanted(self[...], dtype, copy, shared=self._whole is not None)

    def __repr__(self) -> str:
        return f"<aprscope.Pixels {' × '.join(map(str, self.shape))} {self.dtype}>"


def as_wanted(array: np.ndarray, dtype: Any, copy: Optional[bool], shared: bool) -> np.ndarray:
    """What __array__ has to give, for NumPy 1 and 2."""
    wanted = array.dtype if dtype is None else np.dtype(dtype)
    if copy is False and (not shared or wanted != array.dtype):
        raise ValueError("a copy is needed")
    if wanted != array.dtype:
        return array.astype(wanted)
    return array.copy() if copy and shared else array


def words_of(voxel: tuple[float, float, float]) -> str:
    """ "2 × 0.5 × 0.5"."""
    return " × ".join(f"{size:g}" for size in voxel)


def wrapped(held: _core.Held) -> Data:
    """An Image or an Apr."""
    return Apr(held) if held.is_apr else Image(held)


def held_of(data: Any, voxel: Optional[Voxel]) -> _core.Held:
    """Whatever a call is given: data, or an array of z, x, y (one slice of x, y)."""
    if isinstance(data, Data):
        if voxel is None:
            return data._held
        unit = "µm" if data.unit == "px" else data.unit
        return _core.with_voxel(data._held, voxel_of(voxel), unit)
    if isinstance(data, Pixels) or not (hasattr(data, "__array__") or hasattr(data, "__dlpack__")):
        raise Error(f"is {type(data).__name__}, no data", "data",
                    "give an Image, an Apr or a NumPy array")
    array = np.asarray(data)
    if array.dtype not in (np.dtype(np.uint8), np.dtype(np.uint16), np.dtype(np.float32)):
        raise Error(f"has values of type {array.dtype}, which images are not kept in", "array",
                    "give uint8, uint16 or float32, as with array.astype(numpy.float32)")
    sizes = (1.0, 1.0, 1.0) if voxel is None else voxel_of(voxel)
    return _core.image_of(np.ascontiguousarray(array), sizes, "px" if voxel is None else "µm",
                          "array")


def image(array: np.ndarray, voxel: Optional[Voxel] = None) -> Image:
    """An image of an array of z, x, y (or of one slice x, y), which is copied.

    Parameters
    ----------
    array : numpy.ndarray
        uint8, uint16 or float32.
    voxel : float or three floats, optional
        Voxel size in µm, in the order z, x, y.
    """
    if isinstance(array, Data):
        raise Error("is data already", "array", "use it as it is")
    return Image(held_of(array, voxel))


def open(path: Path, channel: int = 0, time: int = 0, *, voxel: Optional[Voxel] = None,  # noqa: A001
         progress: Progress = None) -> Data:
    """Reads a file of any format that the program knows: an Image, or an Apr.

    Parameters
    ----------
    path : str or path-like
        The file or folder; "file.h5:/group/volume" picks a volume of an HDF5 file.
    channel, time : int
        Which of them, from 0.
    voxel : float or three floats, optional
        Voxel size instead of the file's, in the order z, x, y, in its unit (µm where it has none).
    progress : callable, optional
        progress(fraction, text).
    """
    held = _core.open_file(os.fsencode(path), int(channel), int(time), progress)
    return wrapped(held) if voxel is None else wrapped(held_of(wrapped(held), voxel))


def info(path: Path) -> dict[str, Any]:
    """What a file holds, known before any pixel is read: format, is_apr, shape, dtype, voxel, unit,
    channels, times, datasets, particles, fields."""
    return _core.info(os.fsencode(path))


def from_arrays(shape: Sequence[int], y: np.ndarray, xz_end: np.ndarray, particles: np.ndarray, *,
                voxel: Optional[Voxel] = None, name: str = "arrays") -> Apr:
    """Particles made of their linear access structure, as `Apr.y`, `Apr.xz_end` and `Apr.particles`
    give it; it is checked.

    Parameters
    ----------
    shape : three ints
        Pixels in z, x, y.
    y : numpy.ndarray
        The y of each cell on its level, level after level from level 1, then z, x and y.
    xz_end : numpy.ndarray
        0, then for each row (level, z, x) one past its last cell.
    particles : numpy.ndarray
        One value each.
    """
    if len(shape) != 3:
        raise Error(f"{shape!r} is no shape", "shape", "give pixels in z, x, y")
    sizes = (1.0, 1.0, 1.0) if voxel is None else voxel_of(voxel)
    return Apr(_core.apr_of([int(n) for n in shape], whole(y, np.uint16, "y"),
                            whole(xz_end, np.uint64, "xz_end"), np.ascontiguousarray(particles),
                            sizes, "px" if voxel is None else "µm", name))


def whole(array: np.ndarray, dtype: Any, where: str) -> np.ndarray:
    """As whole numbers of a type that they fit."""
    array = np.asarray(array)
    limits = np.iinfo(dtype)
    if array.ndim != 1 or array.dtype.kind not in "ui" or (
            array.size and (int(array.min()) < limits.min or int(array.max()) > limits.max)):
        raise Error(f"is no list of whole numbers from 0 to {limits.max}", where,
                    "give it as Apr has it")
    return np.ascontiguousarray(array, dtype=dtype)
