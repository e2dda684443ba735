#!/usr/bin/env python3
"""clang-tidy on files, each once: what was clean with the same content is not checked again.

usage: tidy_cached.py BUILD_FOLDER FILE…     BUILD_FOLDER has a compile_commands.json

What counts as the same: the file with all that it includes, comments too, the options of its
compiler, .clang-tidy of its folder and of those above, and the version of clang-tidy. Where the
source tree lies does not count.
Clean results are remembered in $XDG_CACHE_HOME/aprscope/tidy (~/.cache), those of the last 60 days.
Exit code 1 when a file has remarks, which are printed.
"""
import hashlib
import json
import os
import shlex
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "aprscope" / "tidy"
KEPT_SECONDS = 60 * 24 * 3600


def commands(build):
    """The compile command of each source, as (folder, arguments)."""
    entries = json.loads((build / "compile_commands.json").read_text())
    return {str(Path(e["directory"], e["file"])): (e["directory"], shlex.split(e["command"]))
            for e in entries}


def preprocessed(folder, arguments):
    """The source with all that it includes; None where the compiler refuses it."""
    # Up to the compiler stand launchers and their settings.
    begin = next(i for i, word in enumerate(arguments) if word.endswith(("c++", "g++", "clang++")))
    kept = []
    words = iter(arguments[begin:])
    for word in words:
        if word in ("-o", "-MT", "-MF"):
            next(words)
        elif word not in ("-c", "-MD"):
            kept.append(word)
    done = subprocess.run([*kept, "-E", "-C"], cwd=folder, capture_output=True, check=False)
    if done.returncode != 0:
        return None
    options = " ".join(w for w in kept[1:])
    return (options.encode() + b"\0" + done.stdout).replace(str(ROOT).encode(), b"")


def rules(file):
    """What .clang-tidy says in the folder of the file and in those above."""
    found = [folder / ".clang-tidy" for folder in (ROOT / file).parents if folder.is_relative_to(ROOT)]
    return b"\0".join(p.read_bytes() for p in found if p.exists())


def main():
    build = Path(sys.argv[1]).resolve()
    files = sys.argv[2:]
    known = commands(build)
    version = subprocess.run(["clang-tidy", "--version"], capture_output=True, check=True).stdout
    CACHE.mkdir(parents=True, exist_ok=True)
    for old in CACHE.iterdir():
        if time.time() - old.stat().st_mtime > KEPT_SECONDS:
            old.unlink(missing_ok=True)

    def check(file):
        """What clang-tidy says; nothing where it is clean. And whether that was known."""
        text = preprocessed(*known[str(ROOT / file)])
        mark = None
        if text is not None:
            mark = CACHE / hashlib.sha256(version + rules(file) + text).hexdigest()
            if mark.exists():
                mark.touch()
                return "", True
        done = subprocess.run(["clang-tidy", "--quiet", "-p", str(build),
                               "--extra-arg=-Wno-unknown-warning-option", str(file)],
                              cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode == 0 and mark is not None:
            mark.touch()
        return done.stdout + done.stderr if done.returncode else "", False

    failed, remembered = False, 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for remarks, was_known in pool.map(check, files):
            remembered += was_known
            if remarks:
                failed = True
                print("\n".join(line for line in remarks.splitlines()
                                if "warnings generated" not in line), file=sys.stderr, flush=True)
    print(f"clang-tidy: {len(files)} files, {remembered} of them known to be clean")
    return 1 if failed else 0


sys.exit(main())
