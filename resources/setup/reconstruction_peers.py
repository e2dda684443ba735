"""Whole commands of aprscope-cli and RELION in turn; see reconstruction_peers.sh."""
import csv
import resource
import statistics
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

SIDE = 64
PIXEL = 2.0  # Å


def molecule():
    """Gaussian atoms within a ball, z, y, x."""
    random = np.random.default_rng(1)
    axis = np.arange(SIDE) - SIDE // 2
    z, y, x = np.meshgrid(axis, axis, axis, indexing="ij")
    density = np.zeros((SIDE,) * 3, dtype=np.float32)
    for at in random.normal(0, 8, (60, 3)):
        if np.linalg.norm(at) > 20:
            continue
        r2 = (x - at[0]) ** 2 + (y - at[1]) ** 2 + (z - at[2]) ** 2
        density += np.exp(-r2 / 2.0).astype(np.float32)
    return density


def write_mrc(path, density):
    header = bytearray(1024)
    struct.pack_into("<4i", header, 0, SIDE, SIDE, SIDE, 2)
    struct.pack_into("<3i", header, 28, SIDE, SIDE, SIDE)
    struct.pack_into("<6f", header, 40, *[SIDE * PIXEL] * 3, 90, 90, 90)
    struct.pack_into("<3i", header, 64, 1, 2, 3)
    struct.pack_into("<i", header, 88, 1)
    header[208:212] = b"MAP "
    header[212:216] = bytes([0x44, 0x44, 0, 0])
    path.write_bytes(bytes(header) + density.tobytes())


def run(command, folder):
    """Seconds of the clock and of the processor."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begin = time.perf_counter()
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    wall = time.perf_counter() - begin
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: {done.stderr or done.stdout}")
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall, used


def correlation(cli, folder, name):
    run([cli, "fsc", name, "truth.mrc", "-o", "fsc.csv", "--force"], folder)
    rows = [r for r in csv.reader(open(folder / "fsc.csv")) if r and r[0].isdigit()]
    return [float(r[-1]) for r in rows]


def main():
    cli = str(Path(sys.argv[1]).resolve())
    images = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    repeats = int(sys.argv[3]) if len(sys.argv) > 3 else 7
    mask = str(SIDE * PIXEL - 6)
    peers = {
        "RELION, without gridding weights": ["relion_reconstruct", "--i", "set.star", "--o",
                                             "relion.mrc", "--skip_gridding"],
        "RELION, as it ships": ["relion_reconstruct", "--i", "set.star", "--o", "weights.mrc"],
    }
    ours = {
        "division, one map": ["--halves", "none", "-o", "one.mrc"],
        "division, with half maps": ["-o", "halves.mrc"],
        "least squares, one map": ["--halves", "none", "--solve", "least_squares", "-o", "squares.mrc"],
    }
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_mrc(folder / "truth.mrc", molecule())
        run([cli, "project", "truth.mrc", "--images", str(images), "--shift", "2", "-o", "set.mrcs"],
            folder)
        commands = peers | {
            key: [cli, "--threads", "1", "backproject", "set.star", "--mask-diameter", mask, "--force",
                  *more]
            for key, more in ours.items()}
        times = {key: [] for key in commands}
        for _ in range(repeats):
            for key, command in commands.items():
                times[key].append(run(command, folder))
        print(f"{images} images of {SIDE}², one thread, {repeats} runs in turn; median seconds")
        print(f"{'command':34} | {'clock':>6} | {'processor':>9} | faster than {next(iter(peers))}")
        first = times[next(iter(peers))]
        for key, all_times in times.items():
            ratio = statistics.median(a[1] / b[1] for a, b in zip(first, all_times))
            print(f"{key:34} | {statistics.median(t[0] for t in all_times):6.3f} | "
                  f"{statistics.median(t[1] for t in all_times):9.3f} | {ratio:.2f}")
        print("\ncorrelation with the truth by shell, masked alike")
        curves = {key: correlation(cli, folder, command[command.index("--o" if "--o" in command else "-o") + 1])
                  for key, command in commands.items()}
        shells = [4, 8, 16, 24, 28, 31]
        print(f"{'shell':34} | " + " | ".join(f"{s:7}" for s in shells))
        for key, curve in curves.items():
            print(f"{key:34} | " + " | ".join(f"{curve[s]:.5f}" for s in shells))


main()
