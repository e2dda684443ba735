#!/usr/bin/env python3
"""The compile commands that clang-tidy takes, out of those of builds.

usage: tidy_commands.py INTO BUILD_FOLDER…     writes INTO/compile_commands.json

The first build that compiles a source says how. Changed are two things:
- No precompiled headers: clang cannot read GCC's, and an include that only they bring shows.
- A test of the window includes what moc makes of the test itself. It lies in INTO/moc, and is made
  here: a build that leaves these tests out has none, and moc needs nothing compiled.
"""
import json
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
MOC_INCLUDE = re.compile(r'^#include "(\w+\.moc)"', re.MULTILINE)


def moc_program(builds):
    """The moc of the Qt that is built with."""
    for build in builds:
        for info in build.glob("app/gui/CMakeFiles/*_autogen.dir/AutogenInfo.json"):
            return json.loads(info.read_text())["QT_MOC_EXECUTABLE"]
    sys.exit("tidy_commands.py: no build here knows where moc is: configure one with the window")


def main():
    into = Path(sys.argv[1]).resolve()
    builds = [Path(folder).resolve() for folder in sys.argv[2:]]
    entries = {}
    for build in builds:
        for entry in json.loads((build / "compile_commands.json").read_text()):
            entries.setdefault(entry["file"], entry)

    moc = None
    for file, entry in entries.items():
        command = re.sub(r"-Winvalid-pch |-include \S*cmake_pch\.hxx", "", entry["command"])
        source = Path(file)
        if source.is_relative_to(ROOT / "tests") and "_autogen/include" in command:
            made = into / "moc" / source.parent.relative_to(ROOT)
            command = re.sub(r"-I\S*_autogen/include", f"-I{made}", command)
            # A build may be older than a test that moved.
            text = source.read_text() if source.exists() else ""
            for name in MOC_INCLUDE.findall(text):
                made.mkdir(parents=True, exist_ok=True)
                moc = moc or moc_program(builds)
                subprocess.run([moc, file, "-o", os.fspath(made / name)], check=True)
        entry["command"] = command

    into.mkdir(parents=True, exist_ok=True)
    (into / "compile_commands.json").write_text(json.dumps(list(entries.values()), indent=0))


main()
