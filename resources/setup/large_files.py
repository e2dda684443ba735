#!/usr/bin/env python3
"""An image larger than memory from end to end, in as little memory as is said: prints a page.

usage: large_files.py [--size Z,X,Y] [--memory BYTES] [--folder FOLDER] [--page PAGE.md]
  --size     of 16-bit pixels, multiples of 256, 512, 512; default 1024,2048,2048 (8.6 GB);
             64 GB: 8192,2048,2048. The file is smaller: it is deflated
  --memory   address space that each command may take (a limit as of ulimit -v); default 1.4 GB
  --folder   where files go, and are removed in the end; default: a temporary one
APRSCOPE_CLI: the program; default: build/release/app/cli/aprscope-cli
"""
import argparse
import json
import os
import platform
import resource
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import zlib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CLI = os.environ.get("APRSCOPE_CLI", str(ROOT / "build/release/app/cli/aprscope-cli"))
BASE = (256, 512, 512)


def pages_of(path):
    """The pages of a plain TIFF of 16-bit pixels that the program wrote, as bytes, row by row."""
    data = path.read_bytes()
    big = data[2] == 43
    offset = struct.unpack_from("<Q" if big else "<I", data, 8 if big else 4)[0]
    while offset:
        count = struct.unpack_from("<Q" if big else "<H", data, offset)[0]
        offset += 8 if big else 2
        tags = {}
        for _ in range(count):
            tag, kind, number = struct.unpack_from("<HHQ" if big else "<HHI", data, offset)
            value = offset + (12 if big else 8)
            width = {3: 2, 4: 4, 16: 8}.get(kind, 1)
            if number * width > (8 if big else 4):
                value = struct.unpack_from("<Q" if big else "<I", data, value)[0]
            code = {3: "H", 4: "I", 16: "Q"}.get(kind)
            if code:
                tags[tag] = struct.unpack_from(f"<{number}{code}", data, value)
            offset += 20 if big else 12
        yield b"".join(data[at:at + n] for at, n in zip(tags[273], tags[279]))
        offset = struct.unpack_from("<Q" if big else "<I", data, offset)[0]


def write_tiled(base, path, size):
    """A deflated BigTIFF that repeats the pages of another: page by page, never whole in memory."""
    z, x, y = size
    row_bytes = BASE[2] * 2
    packed = []
    for page in pages_of(base):
        rows = [page[i:i + row_bytes] * (y // BASE[2]) for i in range(0, len(page), row_bytes)]
        packed.append(zlib.compress(b"".join(rows) * (x // BASE[1]), 1))
    voxel = b"ImageJ=1.11a\nimages=%d\nslices=%d\nunit=um\nspacing=1.0\n\0" % (z, z)
    with open(path, "wb") as file:
        file.write(b"II" + struct.pack("<HHHQ", 43, 8, 0, 16))
        for i in range(z):
            here = file.tell()
            data = packed[i % BASE[0]]
            tags = [(256, 4, 1, y), (257, 4, 1, x), (258, 3, 1, 16), (259, 3, 1, 8), (262, 3, 1, 1),
                    (273, 16, 1, 0), (277, 3, 1, 1), (278, 4, 1, x), (279, 16, 1, len(data))]
            if i == 0:
                tags.append((270, 2, len(voxel), 0))
            tags.sort()
            end = here + 8 + 20 * len(tags) + 8
            text_at = end
            data_at = end + (len(voxel) if i == 0 else 0)
            following = data_at + len(data)
            file.write(struct.pack("<Q", len(tags)))
            for tag, kind, number, value in tags:
                value = data_at if tag == 273 else text_at if tag == 270 else value
                file.write(struct.pack("<HHQQ", tag, kind, number, value))
            file.write(struct.pack("<Q", following if i + 1 < z else 0))
            if i == 0:
                file.write(voxel)
            file.write(data)


def run(arguments, memory=None):
    """Runs the program, with a limit of its address space; its report and its seconds."""
    def limit():
        if memory is not None:
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    begin = time.monotonic()
    done = subprocess.run([CLI, *arguments, "--json"], stdout=subprocess.PIPE, preexec_fn=limit,
                          check=False)
    seconds = time.monotonic() - begin
    if done.returncode != 0:
        sys.exit(f"{' '.join(arguments)}: exit code {done.returncode}")
    return json.loads(done.stdout), seconds


def processor():
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--size", default="1024,2048,2048")
    parser.add_argument("--memory", type=int, default=14 * 10**8)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--page", type=Path)
    options = parser.parse_args()
    size = tuple(int(n) for n in options.size.split(","))
    if len(size) != 3 or any(n % b for n, b in zip(size, BASE)):
        parser.error("--size: multiples of 256, 512, 512")
    folder = Path(tempfile.mkdtemp(prefix="aprscope-large-", dir=options.folder))
    try:
        lines = measure(folder, size, options.memory)
    finally:
        shutil.rmtree(folder)
    text = "\n".join(lines) + "\n"
    if options.page:
        options.page.write_text(text, encoding="utf-8")
    print(text, end="")


def measure(folder, size, memory):
    image, apr, smooth = folder / "image.tif", folder / "image.apr", folder / "smooth.apr"
    run(["synth", "spheres", "-o", str(folder / "base.tif"), "--size", ",".join(map(str, BASE)),
         "--tiff-packing", "none"])
    write_tiled(folder / "base.tif", image, size)
    (folder / "base.tif").unlink()
    z, x, y = size
    pixel_bytes = 2 * z * x * y
    box = f"{z // 2}:{z // 2 + 128},{x // 2}:{x // 2 + 256},{y // 2}:{y // 2 + 256}"
    finest = max(size).bit_length() - (max(size) & (max(size) - 1) == 0)
    thin = f"{y // 2}:{y // 2 + 768}"
    across = f"{z // 2}:{z // 2 + 1},{x // 2}:{x // 2 + 512},{thin}"
    upright = f"{z // 2}:{z // 2 + 512},{x // 2}:{x // 2 + 1},{thin}"
    at_level = str(finest - max(1, (max(size) // 256).bit_length() - 1))
    # The program itself and its libraries take the rest.
    share = str(memory - 400_000_000)
    cases = [
        ("convert, with the tree", ["convert", str(image), "-o", str(apr), "--stream", "--tree"], apr),
        (f"overview: the image of level {at_level} of {finest}",
         ["reconstruct", str(apr), "-o", str(folder / "level.tif"), "--at-level", at_level],
         folder / "level.tif"),
        ("crop 128 × 256 × 256 pixels", ["crop", str(apr), "-o", str(folder / "box.apr"), "--region", box],
         folder / "box.apr"),
        ("reconstruct 128 × 256 × 256 pixels",
         ["reconstruct", str(apr), "-o", str(folder / "box.tif"), "--region", box], folder / "box.tif"),
        ("a slice of xy at full detail, 512 × 768 pixels of it",
         ["reconstruct", str(apr), "-o", str(folder / "xy.tif"), "--region", across],
         folder / "xy.tif"),
        ("a slice of yz, 512 × 768 pixels of it",
         ["reconstruct", str(apr), "-o", str(folder / "yz.tif"), "--region", upright],
         folder / "yz.tif"),
        ("filter: Gaussian 5³, restricted",
         ["filter", str(apr), "-o", str(smooth), "--stencil", "gaussian:sigma=1.5,size=5", "--mode",
          "restricted", "--memory", share], smooth),
    ]
    rows = []
    particles = 0
    for name, arguments, output in cases:
        report, seconds = run([*arguments, "--device", "cpu"], memory)
        particles = particles or report["particles"]
        rows.append((name, seconds, report["peak_rss_bytes"], output.stat().st_size))
        print(f"{name}: {seconds:.1f} s", file=sys.stderr, flush=True)
    commit = subprocess.run(["git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"],
                            stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    lines = [
        "# Benchmark: files larger than memory", "",
        f"Measured on {processor()} (CPU, {os.cpu_count()} threads), commit `{commit}`. Each command "
        f"could take {memory / 1e6:.0f} MB of address space (`ulimit -v`); the image has "
        f"{pixel_bytes / 1e9:.1f} GB of 16-bit pixels ({z} × {x} × {y}), its particles are "
        f"{particles:,} and take {particles * 4 / 1e9:.1f} GB with their values. Whole commands: "
        "starting, reading and writing are part of it. Seconds depend on the machine and on what else "
        "it does.", "",
        "Repeat with", "```sh",
        f"resources/setup/large_files.py --size {z},{x},{y} --memory {memory}   # not run: takes minutes",
        "```",
        "The image is one of 256 × 512 × 512 spheres, repeated, and deflated: files of a microscope "
        "are larger, and take longer to read.", "",
        "| step | seconds | MB of pixels a second | peak memory | written |", "|---|--:|--:|--:|--:|"]
    for name, seconds, peak, written in rows:
        whole = name.startswith(("convert", "filter"))
        rate = f"{pixel_bytes / seconds / 1e6:.0f}" if whole else ""
        lines.append(f"| {name} | {seconds:.1f} | {rate} | {peak / 1e6:.0f} MB | {written / 1e6:.1f} MB |")
    return lines


if __name__ == "__main__":
    main()
