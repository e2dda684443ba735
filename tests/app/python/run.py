#!/usr/bin/env python3
"""Runs the tests of the Python module, and those of the plugin of napari that is made of it.

usage: run.py --module FOLDER --cli PROGRAM [PYTEST ARGUMENTS…]
FOLDER holds the package aprscope; PROGRAM is the command line that results are compared with.
"""
import argparse
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--module", required=True)
    parser.add_argument("--cli", required=True)
    options, rest = parser.parse_known_args()
    plugin = HERE.parents[2] / "app/napari"
    settings = dict(os.environ, PYTHONPATH=f"{Path(options.module).resolve()}:{plugin}",
                    APRSCOPE_CLI=str(Path(options.cli).resolve()), PYTHONDONTWRITEBYTECODE="1")
    # A link to it leads to the sources.
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(HERE),
               "-c", os.devnull, "--import-mode=importlib", str(HERE), str(HERE.parent / "napari"), *rest]
    return subprocess.run(command, env=settings, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
