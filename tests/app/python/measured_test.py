"""Tables and curves."""
import csv

import numpy as np
import pytest

import aprscope as ap


def test_statistics_are_those_of_numpy(image, spots):
    found = ap.statistics(image)
    table = next(iter(found.tables.values()))
    assert table["mean"][0] == pytest.approx(spots.mean())
    curve = next(iter(found.curves.values()))
    counts = next(values for name, values in curve.items() if name != curve.x_id)
    assert counts.sum() == pytest.approx(spots.size)
    assert found.name
    assert "statistics" in found.history[-1]


def test_the_same_files_as_the_command_line(stack, cli, tmp_path):
    cli("statistics", stack, "-o", "cli.csv")
    ours = ap.statistics(ap.open(stack)).to_csv(tmp_path / "python.csv")
    assert len(ours) >= 1
    for name in ours:
        other = name.replace("python", "cli")
        assert open(name, "rb").read() == open(other, "rb").read()


def test_topology_counts_pieces(spots):
    ndimage = pytest.importorskip("scipy.ndimage")
    found = ap.topology(spots, thresholds="400;700", betti=True)
    curve = found.curves["b0"]
    np.testing.assert_array_equal(curve.x, [400, 700])
    for at, pieces in zip(curve.x, curve["b0"]):
        assert pieces == ndimage.label(spots >= at, structure=np.ones((3, 3, 3)))[1]
    np.testing.assert_array_equal(found["topology"]["b0"], curve["b0"])
    np.testing.assert_array_equal(found["topology"]["volume"],
                                  [(spots >= at).sum() for at in curve.x])


def test_tables_are_mappings_with_units(image, tmp_path):
    labelled = image.with_labels(image.pixels > 400)
    table = ap.cells(labelled)["cells"]
    assert len(table) == len(table.units) == len(table.labels) == len(list(table))
    assert all(len(cells) == table.rows for cells in table.values())
    assert "cells" in repr(table)
    table.to_csv(tmp_path / "cells.csv")
    with open(tmp_path / "cells.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    assert len(rows) == table.rows + 1
    assert rows[0][list(table).index("volume")] == "volume (µm³)"
    assert float(rows[1][list(table).index("volume")]) == table["volume"][0]


def test_curves_are_written(image, tmp_path):
    curve = next(iter(ap.statistics(image).curves.values()))
    curve.to_csv(tmp_path / "curve.csv")
    lines = (tmp_path / "curve.csv").read_text(encoding="utf-8").splitlines()
    assert len(lines) == curve.x.size + 1


def test_columns_outlive_the_measurement(image):
    mean = next(iter(ap.statistics(image).tables.values()))["mean"]
    copy = mean.copy()
    for _ in range(20):
        ap.statistics(image, bins=16)
    np.testing.assert_array_equal(mean, copy)
