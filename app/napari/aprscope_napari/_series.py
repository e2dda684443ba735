"""Time points of a file as one array, each opened where it is looked at."""
from __future__ import annotations

import os
import threading
from collections import OrderedDict
from typing import Any, Union

import numpy as np

import aprscope as ap

# Who plays looks at one after the other: more than two would be memory for nothing.
HELD = 2


class Series:
    """The time points of a channel."""

    def __init__(self, path: Union[str, "os.PathLike[str]"], channel: int, times: int):
        self._path = path
        self._channel = channel
        self._held: OrderedDict[int, ap.Data] = OrderedDict()
        # Viewers slice in threads.
        self._lock = threading.Lock()
        self.times = times

    def at(self, time: int) -> ap.Data:
        """The data of a time point, from 0."""
        with self._lock:
            if time not in self._held:
                self._held[time] = ap.open(self._path, channel=self._channel, time=time)
                if len(self._held) > HELD:
                    self._held.popitem(last=False)
            self._held.move_to_end(time)
            return self._held[time]


class OverTime:
    """One level of all time points, as an array of t, z, x, y."""

    ndim = 4

    def __init__(self, series: Series, shape: tuple[int, int, int], dtype: np.dtype):
        self._series = series
        self.shape = (series.times, *shape)
        self.dtype = dtype
        self.size = int(np.prod(self.shape))

    def __len__(self) -> int:
        return self.shape[0]

    def _at(self, time: int, key: tuple[Any, ...]) -> np.ndarray:
        for level in self._series.at(time).pyramid():
            if level.shape == self.shape[1:]:
                return np.asarray(level[key], dtype=self.dtype)
        raise ap.Error("has another size than the first time point", f"time point {time}",
                       "convert all time points from stacks of one size")

    def __getitem__(self, key: Any) -> np.ndarray:
        key = key if isinstance(key, tuple) else (key,)
        if Ellipsis in key:
            at = key.index(Ellipsis)
            key = key[:at] + (slice(None),) * (5 - len(key)) + key[at + 1:]
        time, rest = key[0], key[1:] or (slice(None),)
        if isinstance(time, slice):
            return np.stack([self._at(t, rest) for t in range(*time.indices(len(self)))])
        if not -len(self) <= int(time) < len(self):
            raise IndexError(f"there is no time point {time} among {len(self)}")
        return self._at(int(time) % len(self), rest)

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return np.asarray(self[:], dtype=dtype)
