"""The files that the commands of the pages name, made small by the program itself."""
import shutil
import struct
import subprocess

from pages import ROOT

STACK = "--size 24,48,48"
MAP = "--size 32,32,32 --voxel-size 0.00016,0.00016,0.00016 --noise 1 --no-shot-noise"

# Each line makes what later lines need, too.
MADE = [
    f"synth cells -o stack.tif {STACK}",
    "convert stack.tif -o stack.apr",
    "filter stack.apr -o smooth.apr --stencil gaussian:sigma=1",
    f"synth spheres -o camera.tif {STACK} --background 120",
    f"synth spheres -o truth-image.tif {STACK} --noise 0 --no-shot-noise",
    "cells stack.tif -o labels.tif --method distance",
    f"synth cells -o map.mrc {MAP}",
    "project map.mrc -o set.mrcs --images 40",
    "backproject set.star -o whole.mrc --half-maps",
    "map-mask map.mrc -o mask.mrc",
    "convert map.mrc -o map.apr",
    "psf gaussian:sigma=1,size=9 -o psf.tif",
]

# Other names that pages give to the same files.
ALSO = {
    "stack.tif": ["a.tif", "b.tif", "big.tif", "brain.tif", "cells.tif", "ct.tif", "huge.tif",
                  "shell.tif", "film.tif", "images/one.tif", "images/two.tif"],
    "stack.apr": ["cells.apr"],
    "labels.tif": ["cellpose.tif", "mine.tif", "nuclei.tif", "truth.tif"],
    "whole_half1.mrc": ["half1.mrc"],
    "whole_half2.mrc": ["half2.mrc"],
}


def bead_stack(path):
    """Two beads at (23, 72, 29) and (23, 82, 75) on an offset, as an MRC map of floats. An ordinary
    stack of beads, whose places pages name."""
    z_size, x_size, y_size = 47, 110, 110
    header = bytearray(1024)
    struct.pack_into("<4i", header, 0, y_size, x_size, z_size, 2)
    struct.pack_into("<3i3f", header, 28, y_size, x_size, z_size, y_size * 2000.0,
                     x_size * 2000.0, z_size * 2000.0)
    struct.pack_into("<3i", header, 64, 1, 2, 3)
    struct.pack_into("<i", header, 88, 1)
    header[208:216] = b"MAP DD\0\0"
    values = [100.0] * (z_size * x_size * y_size)
    for z0, x0, y0 in ((23, 72, 29), (23, 82, 75)):
        for z in range(z0 - 8, z0 + 9):
            for x in range(x0 - 8, x0 + 9):
                for y in range(y0 - 8, y0 + 9):
                    squares = (z - z0) ** 2 + (x - x0) ** 2 + (y - y0) ** 2
                    values[(z * x_size + x) * y_size + y] += 2000.0 * 2.0 ** (-squares / 4.0)
    path.write_bytes(bytes(header) + struct.pack(f"<{len(values)}f", *values))


def make(cli, folder):
    """Fills a folder. Raises where a command fails."""
    (folder / "images").mkdir()
    for line in MADE:
        subprocess.run([cli, *line.split(), "--quiet"], cwd=folder, check=True)
    bead_stack(folder / "beads.mrc")
    subprocess.run([cli, "filter", "beads.mrc", "-o", "beads.tif", "--stencil", "box:size=1",
                    "--quiet"], cwd=folder, check=True)
    for source, names in ALSO.items():
        for name in names:
            shutil.copyfile(folder / source, folder / name)
    shutil.copyfile(ROOT / "resources/recipes/denoise.json", folder / "recipe.json")
    (folder / "points.csv").write_text("z,x,y\n12,12,12\n12,30,30\n")
    (folder / "mtf.star").write_text("data_\n\nloop_\n_rlnResolutionInversePixel #1\n"
                                     "_rlnMtfValue #2\n0 1\n0.25 0.7\n0.5 0.3\n")
    for name in ("beads.mrc", "whole.mrc", "whole_half1.mrc", "whole_half2.mrc"):
        (folder / name).unlink()
