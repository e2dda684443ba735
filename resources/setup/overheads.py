#!/usr/bin/env python3
"""What each way to the program costs beyond the computing: prints a table.

usage: overheads.py [--size N] [--repeat N]
  --size    of the cubic image, default 512
  --repeat  runs of each, in turn, each in a process of its own; medians count; default 7
APRSCOPE_CLI: the program, default build/release/app/cli/aprscope-cli. APRSCOPE_MODULE: the folder of
the Python module, default build/release/app/python; run this with the Python that it was built for.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CLI = os.environ.get("APRSCOPE_CLI", str(ROOT / "build/release/app/cli/aprscope-cli"))
MODULE = os.environ.get("APRSCOPE_MODULE", str(ROOT / "build/release/app/python"))
# In a process of its own: the first call, as in the command line; then calls on next to nothing.
IN_PYTHON = """
import json, sys, time
start = time.perf_counter()
import numpy as np, aprscope as ap
loaded = time.perf_counter() - start
apr = ap.open(sys.argv[1])
recipe = ap.recipe(("gaussian", {"sigma": [1.5] * 3, "size": [5] * 3}))
start = time.perf_counter()
done = ap.run(recipe, apr, device="cpu")
first = time.perf_counter() - start
small = ap.convert(np.arange(512, dtype=np.uint16).reshape(8, 8, 8))
calls = []
for _ in range(200):
    start = time.perf_counter()
    ap.gaussian(small, sigma=1.5, size=5, device="cpu")
    calls.append(time.perf_counter() - start)
print(json.dumps({"import": loaded, "first": first, "beyond": first - done.seconds, "small": sorted(calls)[100]}))
"""


def timed(command, **more):
    start = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, **more)
    seconds = time.perf_counter() - start
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stderr}")
    return done.stdout, seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", type=int, default=512)
    parser.add_argument("--repeat", type=int, default=7)
    options = parser.parse_args()
    figures = {}

    def note(name, seconds):
        figures.setdefault(name, []).append(seconds)

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        image, apr, recipe = folder / "image.tif", folder / "image.apr", folder / "recipe.json"
        timed([CLI, "synth", "spheres", "-o", image, "--size", ",".join([str(options.size)] * 3),
               "--seed", "1", "--tiff-packing", "none"])
        timed([CLI, "convert", image, "-o", apr, "--no-error-report"])
        image.unlink()
        timed([CLI, "synth", "spheres", "-o", folder / "small.tif", "--size", "16,16,16"])
        timed([CLI, "filter", folder / "small.tif", "-o", recipe, "--stencil", "box:size=3"])
        environment = {**os.environ, "PYTHONPATH": MODULE}
        for _ in range(options.repeat):
            out, _ = timed([CLI, "filter", apr, "-o", folder / "out.apr", "--stencil",
                            "gaussian:sigma=1.5,size=5", "--device", "cpu", "--json"])
            note("filter, command line, computing alone", json.loads(out)["seconds"]["filter"])
            out, _ = timed([sys.executable, "-c", IN_PYTHON, apr], env=environment)
            in_python = json.loads(out)
            note("filter, Python, the whole call", in_python["first"])
            note("… of which not the step itself", in_python["beyond"])
            note("Python, a call on 8³ pixels", in_python["small"])
            note("Python, import", in_python["import"])
            note("command line, --version", timed([CLI, "--version"])[1])
            # Of four parts of one file three have nothing to do but their tables.
            note("run --part with no file of its own",
                 timed([CLI, "run", recipe, folder / "small.tif", "-o", str(folder / "results") + "/",
                        "--csv", folder / "table.csv", "--part", "3/4"])[1])
    print(f"{options.size}³ pixels, {options.repeat} runs of each in turn; milliseconds\n")
    print("| | median | least | most |\n|---|---|---|---|")
    for name, seconds in figures.items():
        middle, least, most = statistics.median(seconds), min(seconds), max(seconds)
        print(f"| {name} | {1e3 * middle:.2f} | {1e3 * least:.2f} | {1e3 * most:.2f} |")


if __name__ == "__main__":
    main()
