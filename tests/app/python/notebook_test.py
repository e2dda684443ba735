"""The notebook runs from its first cell to its last."""
import json
from pathlib import Path

import pytest

NOTEBOOKS = Path(__file__).resolve().parents[3] / "resources/notebooks"


@pytest.mark.parametrize("path", sorted(NOTEBOOKS.glob("*.ipynb")), ids=lambda path: path.name)
def test_code_cells_run_in_order(path):
    notebook = json.loads(path.read_text(encoding="utf-8"))
    names = {}
    ran = 0
    for number, cell in enumerate(notebook["cells"]):
        assert not cell.get("outputs"), "what it prints is not kept"
        if cell["cell_type"] != "code":
            continue
        exec(compile("".join(cell["source"]), f"{path.name}, cell {number}", "exec"), names)  # noqa: S102
        ran += 1
    assert ran > 5
