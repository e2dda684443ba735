"""Particles of pyapr, which is needed only where somebody calls these."""
from __future__ import annotations

import os
import tempfile
from typing import Any, Optional

from ._data import Apr, Data, Voxel, held_of, open as open_file
from ._error import Error


def library() -> Any:
    """pyapr."""
    try:
        import pyapr
    except ImportError:
        raise Error("is not installed", "pyapr", "install it, or exchange .apr files") from None
    return pyapr


def from_pyapr(apr: Any, parts: Any, *, voxel: Optional[Voxel] = None) -> Apr:
    """Particles of pyapr, through a temporary .apr file: its structure has no arrays."""
    with tempfile.TemporaryDirectory(prefix="aprscope-") as folder:
        path = os.path.join(folder, "exchange.apr")
        library().io.write(path, apr, parts)
        made: Data = open_file(path)
    if voxel is not None:
        made = Apr(held_of(made, voxel))
    assert isinstance(made, Apr)
    return made


def to_pyapr(apr: Apr) -> tuple[Any, Any]:
    """(pyapr.APR, particles), through a temporary .apr file."""
    with tempfile.TemporaryDirectory(prefix="aprscope-") as folder:
        path = os.path.join(folder, "exchange.apr")
        apr.save(path, tree=True)
        return library().io.read(path)
