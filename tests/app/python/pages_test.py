"""What the page of the module shows runs, in order, and names what is there."""
import re
from pathlib import Path

import pytest

import aprscope as ap

PAGE = Path(__file__).resolve().parents[3] / "resources/docs/python.md"
TEXT = PAGE.read_text(encoding="utf-8")


def test_blocks_run_in_order(stack, tmp_path, monkeypatch):
    blocks = re.findall(r"^```python\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
    assert len(blocks) >= 2
    ap.open(stack).save(tmp_path / "stack.tif")
    monkeypatch.chdir(tmp_path)
    names = {}
    for number, block in enumerate(blocks):
        exec(compile(block, f"python.md, block {number + 1}", "exec"), names)  # noqa: S102
    assert (tmp_path / "smooth.apr").is_file()
    assert (tmp_path / "cells.csv").is_file()


def test_names_of_the_module_are_there():
    named = set(re.findall(r"\bap\.(\w+)", TEXT))
    assert len(named) > 20
    assert {name for name in named if not hasattr(ap, name)} == set()


def test_members_of_data_are_there(apr):
    for name in set(re.findall(r"`apr\.(\w+)", TEXT)):
        assert hasattr(apr, name) or name in ("computational_ratio", "total_number_particles",
                                              "iterator"), name


def test_names_of_pyapr_are_there():
    pyapr = pytest.importorskip("pyapr", reason="pyapr is not installed")
    table = TEXT.split("| pyapr | aprscope |")[1]
    theirs = [line.split("|")[1] for line in table.splitlines() if line.startswith("| ")]
    found = re.findall(r"\b(io|converter|filter|restoration|measure|segmentation|viewer|"
                       r"reconstruction)\.(\w+)\(", " ".join(theirs))
    assert len(found) > 7
    for module, name in found:
        assert hasattr(getattr(pyapr, module), name), f"{module}.{name}"
