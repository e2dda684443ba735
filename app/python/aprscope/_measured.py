"""What was measured: tables and curves."""
from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any, Union

import numpy as np

from . import _core

Path = Union[str, bytes, "os.PathLike[str]"]
Cells = Union[np.ndarray, list]


class Table(Mapping[str, Cells]):
    """Columns by id: NumPy arrays of numbers (float64, int64; NaN is not known), lists of words.

    `pandas.DataFrame(dict(table))` makes a data frame of it.
    """

    def __init__(self, measured: _core.Measured, index: int, id_: str, label: str, columns: list):
        self._measured = measured
        self._index = index
        self.id = id_
        self.label = label
        #: Unit of each column; "" for none.
        self.units: dict[str, str] = {column: unit for column, _, unit, _ in columns}
        #: How people call each column.
        self.labels: dict[str, str] = {column: label for column, label, _, _ in columns}
        self._cells: dict[str, Cells] = {column: cells for column, _, _, cells in columns}

    def __getitem__(self, column: str) -> Cells:
        return self._cells[column]

    def __iter__(self) -> Iterator[str]:
        return iter(self._cells)

    def __len__(self) -> int:
        return len(self._cells)

    @property
    def rows(self) -> int:
        """How many there are."""
        return len(next(iter(self._cells.values()))) if self._cells else 0

    def to_csv(self, path: Path) -> None:
        """Writes it with a head line of ids and units."""
        _core.save_table(self._measured, self._index, os.fsencode(path))

    def __repr__(self) -> str:
        return f"<aprscope.Table {self.id!r}: {self.rows} rows of {', '.join(self)}>"


class Curve(Mapping[str, np.ndarray]):
    """Values over a common x, by id; the first is x."""

    def __init__(self, measured: _core.Measured, index: int, id_: str, label: str, x: tuple, ys: list,
                 marks: list):
        self._measured = measured
        self._index = index
        self.id = id_
        self.label = label
        lines = [x, *ys]
        #: Id of the x axis.
        self.x_id: str = x[0]
        #: Unit of each line; "" for none.
        self.units: dict[str, str] = {line: unit for line, _, unit, _ in lines}
        #: How people call each line.
        self.labels: dict[str, str] = {line: label for line, label, _, _ in lines}
        #: Places on the x axis that have a name: (x, words).
        self.marks: list[tuple[float, str]] = marks
        self._values: dict[str, np.ndarray] = {line: values for line, _, _, values in lines}

    @property
    def x(self) -> np.ndarray:
        """The common x."""
        return self._values[self.x_id]

    def __getitem__(self, line: str) -> np.ndarray:
        return self._values[line]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def to_csv(self, path: Path) -> None:
        """Writes it with a head line of ids and units."""
        _core.save_curve(self._measured, self._index, os.fsencode(path))

    def __repr__(self) -> str:
        return f"<aprscope.Curve {self.id!r}: {self.x.size} points of {', '.join(self)}>"


class Measurement:
    """Curves and tables that were measured on data, which stays as it is."""

    def __init__(self, measured: _core.Measured):
        self._measured = measured
        #: By id.
        self.tables: dict[str, Table] = {
            table[0]: Table(measured, i, *table) for i, table in enumerate(_core.tables(measured))}
        #: By id.
        self.curves: dict[str, Curve] = {
            curve[0]: Curve(measured, i, *curve) for i, curve in enumerate(_core.curves(measured))}

    @property
    def name(self) -> str:
        """Of the data that it was measured on."""
        return self._measured.name

    @property
    def history(self) -> list[str]:
        """What was done to come here, one line a step."""
        return self._measured.history

    @property
    def notes(self) -> list[str]:
        """What one has to know of how the numbers came about."""
        return self._measured.notes

    def __getitem__(self, id_: str) -> Any:
        """A table or a curve."""
        return self.tables[id_] if id_ in self.tables else self.curves[id_]

    def to_csv(self, path: Path) -> list[str]:
        """Writes what `aprscope-cli` writes: `path`, or NAME-ID.csv each where there are several
        curves and tables. Returns the names."""
        return _core.save_measured(self._measured, os.fsencode(path))

    def __repr__(self) -> str:
        return (f"<aprscope.Measurement of {self.name!r}: tables {', '.join(self.tables) or '–'}; "
                f"curves {', '.join(self.curves) or '–'}>")
