"""What aprscope-cli writes as OME-Zarr, read by zarr-python: values, axes, scales, and means.

Installs zarr into a virtual environment below the folder that it is given. Ends with 77, which is
"skipped", where the network gives none.
"""

import sys

from peer_environment import main
from zarr_peers import BARE, PACKAGES, Program


def check(cli, folder):
    """Runs in the environment."""
    import numpy
    import tifffile
    import zarr

    run = Program(cli, folder)

    def levels_of(path, version):
        group = zarr.open_group(path, mode="r")
        attributes = dict(group.attrs)
        ome = attributes["ome"] if version == "0.5" else attributes
        image = ome["multiscales"][0]
        assert (ome if version == "0.5" else image)["version"] == version
        assert [axis["name"] for axis in image["axes"]] == ["c", "z", "y", "x"]
        assert [axis["type"] for axis in image["axes"]] == ["channel"] + ["space"] * 3
        assert ome["omero"]["channels"][0]["color"] == "FFFFFF"
        assert group[image["datasets"][0]["path"]].metadata.zarr_format == (3 if version == "0.5" else 2)
        arrays, scales = [], []
        for dataset in image["datasets"]:
            arrays.append(group[dataset["path"]][0])
            scales.append(dataset["coordinateTransformations"][0]["scale"][1:])
        return arrays, scales, [axis.get("unit") for axis in image["axes"]]

    def halved(fine):
        """Means of up to eight."""
        sums = numpy.zeros([(n + 1) // 2 for n in fine.shape])
        counts = numpy.zeros_like(sums)
        for z in range(2):
            for y in range(2):
                for x in range(2):
                    part = fine[z::2, y::2, x::2]
                    here = tuple(slice(0, n) for n in part.shape)
                    sums[here] += part
                    counts[here] += 1
        return sums / counts

    tif = str(folder / "cells.tif")
    run("synth", "cells", "-o", tif, "--size", "70,150,210")
    pixels = tifffile.imread(tif)
    apr = str(folder / "cells.apr")
    run("convert", tif, "-o", apr, "--voxel-size", "2,0.5,0.25")
    back = str(folder / "back.tif")
    run("reconstruct", apr, "-o", back)
    particles = tifffile.imread(back)
    for version in ("0.4", "0.5"):
        path = str(folder / f"cells{version}.ome.zarr")
        run("--ome-zarr", version, "synth", "cells", "-o", path, "--size", "70,150,210")
        arrays, scales, _ = levels_of(path, version)
        assert arrays[0].dtype == pixels.dtype, arrays[0].dtype
        assert numpy.array_equal(arrays[0], pixels), "values"
        assert len(arrays) == 3, len(arrays)
        wanted = pixels.astype(float)
        for level in arrays[1:]:
            wanted = halved(wanted)
            assert level.shape == wanted.shape
            assert numpy.abs(level - wanted).max() <= 0.51, "means"
        assert scales[1] == [2 * side for side in scales[0]]

        path = str(folder / f"particles{version}.zarr")
        run("--ome-zarr", version, "convert", tif, "-o", path, "--voxel-size", "2,0.5,0.25")
        arrays, scales, units = levels_of(path, version)
        assert units[1:] == ["micrometer"] * 3, units
        assert scales[0] == [2.0, 0.5, 0.25], scales
        assert numpy.array_equal(arrays[0], particles), "particles"
        assert len(arrays) == 3
        for level, coarse in enumerate(arrays):
            assert coarse.shape == tuple(-(-n // 2**level) for n in pixels.shape)
            # Means of particles are near those of the pixels that were made of them.
            assert abs(coarse.mean() / pixels.mean() - 1) < 0.1

    # Three time points of two channels: t, c, z, y and x.
    film = numpy.arange(3 * 5 * 2 * 70 * 90, dtype=numpy.uint16).reshape(3, 5, 2, 70, 90)
    tifffile.imwrite(
        folder / "film.tif", film, imagej=True, metadata={"axes": "TZCYX", "finterval": 2.5}
    )
    for version in ("0.4", "0.5"):
        path = str(folder / f"film{version}.zarr")
        run("--ome-zarr", version, "filter", str(folder / "film.tif"), "-o", path, "--channels",
            "all", "--times", "all", "--stencil", "box:size=1")
        group = zarr.open_group(path, mode="r")
        ome = group.attrs["ome"] if version == "0.5" else group.attrs
        image = ome["multiscales"][0]
        assert [axis["name"] for axis in image["axes"]] == ["t", "c", "z", "y", "x"]
        assert image["axes"][0] == {"name": "t", "type": "time", "unit": "second"}, image["axes"]
        scales = [d["coordinateTransformations"][0]["scale"] for d in image["datasets"]]
        assert scales == [[2.5, 1, 1, 1, 1], [2.5, 1, 2, 2, 2]], scales
        assert numpy.array_equal(group["0"][:], film.transpose(0, 2, 1, 3, 4)), "film"
        assert group["1"].shape == (3, 2, 3, 35, 45)
        assert [c["color"] for c in ome["omero"]["channels"]] == ["00FF00", "FF00FF"]
    print("zarr-python", zarr.__version__, "reads both versions")


if __name__ == "__main__":
    sys.exit(main(__file__, PACKAGES, "zarr", check, BARE))
