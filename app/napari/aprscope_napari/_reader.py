"""Opens .apr files as pyramids whose pixels are computed where they are looked at."""
from __future__ import annotations

import os
from typing import Any, Callable, Optional, Union

import aprscope as ap

from ._layers import layers_of
from ._series import Series

Paths = Union[str, list[str]]


def listed(path: Paths) -> list[str]:
    """One or several."""
    return [path] if isinstance(path, (str, os.PathLike)) else list(path)


def reader_of(path: Paths) -> Optional[Callable[[Paths], list[tuple[Any, dict[str, Any], str]]]]:
    """The reader of these files; None where one of them is not particles."""
    paths = listed(path)
    if not paths or not all(os.fspath(one).lower().endswith(".apr") for one in paths):
        return None
    return read


def read(path: Paths) -> list[tuple[Any, dict[str, Any], str]]:
    """A layer for each channel, with all its time points, and one for its labels."""
    layers = []
    for one in listed(path):
        stem = os.path.splitext(os.path.basename(os.fspath(one)))[0]
        known = ap.info(one)
        for number, channel in enumerate(known["channels"]):
            name = stem if len(known["channels"]) == 1 else f"{stem} {channel or number + 1}"
            data = (ap.open(one, channel=number) if known["times"] == 1
                    else Series(one, number, known["times"]))
            layers += layers_of(data, name)
    return layers
