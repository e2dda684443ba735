#!/usr/bin/env python3
"""Writes the stubs of the Python module, app/python/aprscope/*.pyi: of what is made when the module
is loaded, and of its part in C++.

usage: python_stubs.py --module FOLDER [--check]
--check writes nothing and fails where a stub is not what it should be.
"""
import argparse
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "app/python/aprscope"
HEAD = '''"""Written by resources/setup/python_stubs.py: a function for each operation."""
from collections.abc import Callable, Sequence
from typing import Any

import numpy

from ._data import Apr, Data, Image
from ._measured import Measurement

'''


def functions():
    """The stub of _functions.py."""
    from aprscope import _schema
    text = HEAD + "__all__ = [\n"
    text += "".join(f'    "{id_}",\n' for id_ in _schema.SCHEMAS) + "]\n"
    for id_, schema in _schema.SCHEMAS.items():
        signature = _schema.signature_of(schema)
        text += f"\ndef {id_}(\n"
        star = False
        for name, one in signature.parameters.items():
            if one.kind is one.KEYWORD_ONLY and not star:
                star = True
                text += "    *,\n"
            default = "" if one.default is one.empty else f" = {one.default!r}"
            text += f"    {name}: {one.annotation}{default},\n"
        text += f") -> {signature.return_annotation}:\n"
        lines = _schema.docstring_of(schema).split("\n")
        words = "\n".join(f"    {line}".rstrip() for line in lines).replace("\\", "\\\\")
        text += f'    """{words.lstrip()}\n    """\n'
    return text


def compiled():
    """The stub of the part in C++, by nanobind."""
    from aprscope import _core
    from nanobind.stubgen import StubGen
    made = StubGen(_core)
    made.put(_core)
    # Of arrays that are made by hand nanobind knows only that they are objects.
    text = made.get().replace("-> object:", "-> Any:")
    text = text.replace("from typing import Annotated\n", "from typing import Annotated, Any\n")
    return text.rstrip("\n").replace("\nclass Held", "\n__version__: str\n\nclass Held", 1) + "\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--module", required=True, help="folder that holds the package")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    sys.path.insert(0, str(Path(options.module).resolve()))
    wrong = 0
    for name, text in (("_functions.pyi", functions()), ("_core.pyi", compiled())):
        path = FOLDER / name
        if path.is_file() and path.read_text(encoding="utf-8") == text:
            continue
        if options.check:
            print(f"{path} is not current: run resources/setup/python.sh --stubs", file=sys.stderr)
            wrong += 1
        else:
            path.write_text(text, encoding="utf-8")
            print(f"wrote {path}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
