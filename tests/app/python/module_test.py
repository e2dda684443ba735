"""What the module has, and how it is loaded."""
import inspect
import re
import subprocess
import sys
from pathlib import Path

import aprscope as ap

ROOT = Path(__file__).resolve().parents[3]


def test_version_is_that_of_the_project():
    listed = re.search(r"project\(aprscope VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())
    assert ap.__version__ == listed[1]


def test_every_name_of_it_is_there_and_explained():
    assert len(set(ap.__all__)) == len(ap.__all__), "an operation has the name of something else"
    for name in ap.__all__:
        thing = getattr(ap, name)
        if callable(thing):
            assert inspect.getdoc(thing), name
    for kind in (ap.Data, ap.Image, ap.Apr, ap.Level, ap.Pixels, ap.Table, ap.Curve, ap.Measurement):
        for name, member in vars(kind).items():
            if not name.startswith("_") and (callable(member) or isinstance(member, property)):
                assert inspect.getdoc(member), f"{kind.__name__}.{name}"


def test_it_is_loaded_quickly_and_with_little():
    code = ("import sys, time; import numpy; start = time.perf_counter(); import aprscope; "
            "seconds = time.perf_counter() - start; "
            "print(seconds, [m for m in ('pyapr', 'napari', 'pandas', 'scipy') if m in sys.modules])")
    said = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    seconds, modules = said.stdout.split(maxsplit=1)
    assert float(seconds) < 2.0
    assert modules.strip() == "[]"


def test_stubs_are_current():
    script = ROOT / "resources/setup/python_stubs.py"
    module = Path(ap.__file__).parent.parent
    done = subprocess.run([sys.executable, script, "--module", module, "--check"],
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
