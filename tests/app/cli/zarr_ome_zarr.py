"""Images that aprscope-cli writes, read by ome-zarr-py: axes, units, scales, levels and channels; and
images that ome-zarr-py writes, read by aprscope-cli.

Ends with 77, which is "skipped", where the network gives no packages.
"""

import sys
from unittest import mock

from peer_environment import main
from zarr_peers import BARE, PACKAGES, Program


def read(path):
    """The image of a folder as ome-zarr-py finds it: levels, and what it says of them."""
    from ome_zarr.io import parse_url
    from ome_zarr.reader import Reader

    nodes = list(Reader(parse_url(str(path)))())
    assert len(nodes) == 1, nodes
    return nodes[0].data, nodes[0].metadata


def check_ours(program, version, tif, wanted):
    """What we write of the particles of an image, whose pixels are `wanted` (z, y, x)."""
    import numpy

    path = program.folder / f"ours{version}.ome.zarr"
    program("--ome-zarr", version, "convert", tif, "-o", str(path), "--voxel-size", "2,0.5,0.25")
    levels, metadata = read(path)
    assert [axis["name"] for axis in metadata["axes"]] == ["c", "z", "y", "x"], metadata
    assert [axis["type"] for axis in metadata["axes"]] == ["channel"] + ["space"] * 3, metadata
    assert [axis.get("unit") for axis in metadata["axes"]] == [None] + ["micrometer"] * 3, metadata
    assert metadata["colormap"] == [[[0, 0, 0], [1, 1, 1]]], metadata
    assert metadata["visible"] == [True], metadata
    assert len(metadata["channel_names"]) == 1, metadata
    assert len(levels) == len(metadata["coordinateTransformations"]) == 3, metadata
    for level, steps in enumerate(metadata["coordinateTransformations"]):
        by_type = {step["type"]: step for step in steps}
        side = 2.0**level
        assert by_type["scale"]["scale"] == [1.0, 2 * side, 0.5 * side, 0.25 * side], steps
        # The centre of the first pixel of a level is that of the pixels that it stands for.
        shift = [0.0, *((side - 1) / 2 * voxel for voxel in (2, 0.5, 0.25))]
        assert by_type.get("translation", {}).get("translation", [0.0] * 4) == shift, steps
        assert levels[level].shape == (1, *(-(-n // 2**level) for n in (70, 150, 210)))
    assert numpy.array_equal(numpy.asarray(levels[0])[0], wanted), version


def check_theirs(program, version):
    """What it writes."""
    import numpy
    import zarr
    from ome_zarr.format import format_from_version
    # Only asked for when it shrinks an image.
    with mock.patch.dict(sys.modules, {name: mock.MagicMock() for name in (
            "scipy", "scipy.ndimage", "skimage", "skimage.transform")}):
        from ome_zarr.writer import write_multiscale

    random = numpy.random.default_rng(3)
    image = random.integers(0, 2**16, (2, 3, 9, 21, 34)).astype("uint16")
    half = image[..., ::2, ::2]
    form = format_from_version(version)
    path = program.folder / f"theirs{version}.ome.zarr"
    group = zarr.open_group(str(path), mode="w", zarr_format=form.zarr_format)
    space = [{"name": name, "type": "space", "unit": "micrometer"} for name in "zyx"]
    write_multiscale(
        [image, half], group, fmt=form, storage_options={"chunks": (1, 1, 4, 16, 16)},
        axes=[{"name": "t", "type": "time", "unit": "second"}, {"name": "c", "type": "channel"}, *space],
        coordinate_transformations=[[{"type": "scale", "scale": [1, 1, 2, side * 0.5, side * 0.25]}]
                                    for side in (1, 2)],
        metadata={"omero": {"channels": [{"label": label, "color": color, "active": True,
                             "window": {"start": 10, "end": 900, "min": 0, "max": 65535}}
                            for label, color in (("nuclei", "0000FF"), ("actin", "00FF00"),
                                                 ("tubulin", "FF0000"))]}})
    told = program("info", str(path))
    assert told["format"].startswith("OME-Zarr " + version), told
    assert told["channels"] == ["nuclei", "actin", "tubulin"], told
    assert told["times"] == 2 and told["dtype"] == "u16", told
    # z, and then rows and columns, which this program calls x and y.
    assert [told["size"][axis] for axis in "zxy"] == [9, 21, 34], told
    assert [told["voxel_size"][axis] for axis in "zxy"] == [2.0, 0.5, 0.25], told
    coarse = program("info", f"{path}:/1")
    assert [coarse["voxel_size"][axis] for axis in "zxy"] == [2.0, 1.0, 0.5], coarse
    for time in range(2):
        for channel in range(3):
            assert numpy.array_equal(program.pixels(path, channel, time), image[time, channel])
            assert numpy.array_equal(program.pixels(f"{path}:/1", channel, time), half[time, channel])


def check(cli, folder):
    """Runs in the environment."""
    import tifffile

    program = Program(cli, folder)
    tif, apr, pixels = (str(folder / name) for name in ("cells.tif", "cells.apr", "pixels.tif"))
    program("synth", "cells", "-o", tif, "--size", "70,150,210")
    program("convert", tif, "-o", apr)
    program("reconstruct", apr, "-o", pixels)
    wanted = tifffile.imread(pixels)
    for version in ("0.4", "0.5"):
        check_ours(program, version, tif, wanted)
        check_theirs(program, version)
    print("ome-zarr-py reads and writes both versions")


if __name__ == "__main__":
    sys.exit(main(__file__, PACKAGES, "ome-zarr-py", check, BARE))
