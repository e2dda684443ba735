#!/usr/bin/env python3
"""One image shared by several processes: prints a page of what more of them gain, and checks that
their files are those of one process, byte for byte.

usage: scaling.py [--ranks 1,2,4] [--size Z,X,Y] [--folder FOLDER] [--repeat N] [--page PAGE.md]
  --ranks   numbers of processes, from 1; each has one thread
  --size    of the image that all of them share (strong), default 512,512,512; with n processes,
            the image of weak scaling has n times the slices of a quarter of it
  --folder  where files go, and are removed in the end; default: a temporary one
  --repeat  runs of each, in turn; the least time counts; default 3
APRSCOPE_CLI: the program, default build/release/app/cli/aprscope-cli. APRSCOPE_MPIRUN: the launcher,
with options, default mpirun.
"""
import argparse
import filecmp
import json
import os
import platform
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CLI = os.environ.get("APRSCOPE_CLI", str(ROOT / "build/release/app/cli/aprscope-cli"))
MPIRUN = shlex.split(os.environ.get("APRSCOPE_MPIRUN", "mpirun"))
# On one host, also in containers and on few cores.
SETTINGS = {
    "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
    "OMPI_MCA_btl": "self,vader",
    "OMPI_MCA_plm": "isolated",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_hwloc_base_binding_policy": "none",
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
}
# What is shared, and the time in the report that it has.
TASKS = {
    "filter": ["--stencil", "gaussian:sigma=1.5,size=5"],
    "deconvolve": ["--psf", "gaussian:sigma=2,size=13", "--iterations", "50"],
}


def run(arguments, ranks=1):
    """The report of a run, its own time and that of the whole process."""
    command = [CLI, *arguments, "--device", "cpu", "--json", "--quiet"]
    if ranks > 1:
        command = [*MPIRUN, "--quiet", "-n", str(ranks), *command]
    start = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, env={**SETTINGS, **os.environ})
    seconds = time.monotonic() - start
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    report = json.loads(done.stdout)
    return report, report["seconds"], seconds


def make(folder, name, size):
    image = folder / f"{name}.tif"
    apr = folder / f"{name}.apr"
    run(["synth", "spheres", "-o", str(image), "--size", ",".join(map(str, size)), "--seed", "1",
         "--tiff-packing", "none"])
    report, _, _ = run(["convert", str(image), "-o", str(apr), "--no-error-report"])
    image.unlink()
    return apr, report["particles"]


def measure(task, apr, ranks, repeat, out, threads=1):
    """The least time of the task itself, and of the whole command, which writes `out`."""
    least = (float("inf"), float("inf"))
    for _ in range(repeat):
        _, stages, whole = run(
            [task, str(apr), "-o", str(out), "--threads", str(threads), *TASKS[task]], ranks)
        least = min(least[0], stages[task]), min(least[1], whole)
    return least


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ranks", default="1,2,4")
    parser.add_argument("--size", default="512,512,512")
    parser.add_argument("--folder")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--page")
    options = parser.parse_args()
    ranks = [int(word) for word in options.ranks.split(",")]
    if ranks[0] != 1:
        parser.error("--ranks begins with 1, which all others are compared with")
    size = [int(word) for word in options.size.split(",")]
    lines = []
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        folder = Path(name)
        apr, particles = make(folder, "strong", size)
        weak = {n: make(folder, f"weak{n}", [size[0] // 4 * n, *size[1:]])[0] for n in ranks}
        lines += [f"Strong: {' × '.join(map(str, size))} pixels, {particles / 1e6:.1f} million particles. "
                  f"Weak: {size[0] // 4} slices for each process. Seconds of the whole command, with "
                  f"reading, writing and the start of all processes, the least of {options.repeat}; in "
                  "brackets those of the task itself (with its reading and writing where slabs are "
                  "filtered).", "",
                  "| | processes | strong | times as fast | one process of as many threads | weak | "
                  "share of the ideal | same bytes |",
                  "|---|---|---|---|---|---|---|---|"]
        for task in TASKS:
            alone = folder / f"{task}.apr"
            first = first_weak = None
            for n in ranks:
                out = alone if n == 1 else folder / "shared.apr"
                own, whole = measure(task, apr, n, options.repeat, out)
                in_threads = (own, whole) if n == 1 else measure(
                    task, apr, 1, options.repeat, folder / "threads.apr", n)
                same = "" if n == 1 else "yes" if filecmp.cmp(alone, out, False) else "NO"
                weak_own, weak_whole = measure(task, weak[n], n, options.repeat, folder / "weak.apr")
                first = first or whole
                first_weak = first_weak or weak_whole
                lines.append(f"| {task} | {n} | {whole:.2f} ({own:.2f}) | {first / whole:.2f} | "
                             f"{in_threads[1]:.2f} ({in_threads[0]:.2f}) | "
                             f"{weak_whole:.2f} ({weak_own:.2f}) | {100 * first_weak / weak_whole:.0f} % | {same} |")
                print(lines[-1], flush=True)
                if same == "NO":
                    sys.exit("the files differ")
    text = "\n".join(lines) + "\n"
    if options.page:
        Path(options.page).write_text(
            "# Several processes\nMade by `resources/setup/scaling.py` on "
            f"{platform.machine()}, {os.cpu_count()} processors.\n\n" + text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
