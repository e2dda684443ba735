"""Keys of arrays: the region that they touch, and what is left to do in it."""
from __future__ import annotations

import operator
from typing import Any, Sequence


def region_of(key: Any, shape: Sequence[int]) -> tuple[list[int], list[int], tuple[Any, ...]]:
    """Begin and end of the region that holds what `key` names, and the key inside of it.

    Whole numbers, slices with any step, and "..." are taken, as NumPy takes them.
    """
    parts = list(key) if isinstance(key, tuple) else [key]
    if Ellipsis in [part for part in parts if part is Ellipsis]:
        at = next(i for i, part in enumerate(parts) if part is Ellipsis)
        parts[at:at + 1] = [slice(None)] * (len(shape) - len(parts) + 1)
    if len(parts) > len(shape):
        raise IndexError(f"{len(parts)} indices for {len(shape)} dimensions")
    parts += [slice(None)] * (len(shape) - len(parts))
    begin, end = [], []
    rest: list[Any] = []
    for part, n in zip(parts, shape):
        if isinstance(part, slice):
            start, stop, step = part.indices(n)
            chosen = range(start, stop, step)
            if len(chosen) == 0:
                low, high, inside = 0, 0, slice(None)
            else:
                low, high = min(chosen[0], chosen[-1]), max(chosen[0], chosen[-1]) + 1
                inside = slice(None, None, step)
            rest.append(inside)
        else:
            index = operator.index(part)
            if not -n <= index < n:
                raise IndexError(f"index {index} is outside of {n}")
            low = index % n
            high = low + 1
            rest.append(0)
        begin.append(low)
        end.append(high)
    return begin, end, tuple(rest)
