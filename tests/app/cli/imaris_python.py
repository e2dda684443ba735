"""Imaris files that h5py writes as the public description of the format has them: what another
reader (imaris-ims-file-reader) finds in them, aprscope-cli must find, too.

Installs both into a virtual environment below the folder that it is given. Ends with 77, which is
"skipped", where the network gives none.
"""

import json
import subprocess
import sys

from peer_environment import main

PACKAGES = ["h5py==3.14.0", "hdf5plugin==5.1.0", "imaris-ims-file-reader==0.1.8", "numpy==2.2.6",
            "scikit-image==0.25.2", "tifffile==2025.5.10", "zarr==2.18.7"]


def write(path, array, extents, chunk, **stored):
    """`array`: time, channel, z, y, x. Two levels, padded to whole chunks."""
    import h5py
    import numpy

    def characters(text):
        return numpy.frombuffer(str(text).encode(), "S1")

    def describe(group, **attributes):
        for name, text in attributes.items():
            group.attrs[name] = characters(text)

    times, channels, *size = array.shape
    with h5py.File(path, "w", libver=("earliest", "v108")) as file:
        describe(file, ImarisDataSet="ImarisDataSet", ImarisVersion="5.5.0",
                 DataSetInfoDirectoryName="DataSetInfo", ThumbnailDirectoryName="Thumbnail",
                 DataSetDirectoryName="DataSet")
        file.attrs["NumberOfDataSets"] = numpy.array([1], "u4")
        low, high = extents
        describe(file.create_group("DataSetInfo/Image"), Name="(name not specified)", Unit="um",
                 X=size[2], Y=size[1], Z=size[0],
                 **{f"ExtMin{d}": low[d] for d in range(3)},
                 **{f"ExtMax{d}": high[d] for d in range(3)})
        describe(file.create_group("DataSetInfo/TimeInfo"), DatasetTimePoints=times,
                 FileTimePoints=times,
                 **{f"TimePoint{t + 1}": f"2021-03-04 05:06:{t:02d}.000" for t in range(times)})
        for c in range(channels):
            describe(file.create_group(f"DataSetInfo/Channel {c}"), Name=f"stain {c}",
                     Color="1.000 0.500 0.000", ColorMode="BaseColor", ColorOpacity="1.000",
                     ColorRange="0.000 255.000", GammaCorrection="1.000")
        for level, step in enumerate((1, 2)):
            for t in range(times):
                for c in range(channels):
                    pixels = array[t, c, :, ::step, ::step]
                    group = file.create_group(
                        f"DataSet/ResolutionLevel {level}/TimePoint {t}/Channel {c}")
                    describe(group, ImageSizeX=pixels.shape[2], ImageSizeY=pixels.shape[1],
                             ImageSizeZ=pixels.shape[0], HistogramMin="0.000",
                             HistogramMax="255.000")
                    padding = [(0, -n % side) for n, side in zip(pixels.shape, chunk)]
                    group.create_dataset("Data", chunks=chunk, **stored, data=numpy.pad(
                        pixels, padding, constant_values=77))
                    group.create_dataset("Histogram", data=numpy.zeros(256, "u8"))


def check(cli, folder):
    """Runs in the environment."""
    import hdf5plugin
    import numpy
    import tifffile
    from imaris_ims_file_reader.ims import ims

    def run(*arguments):
        done = subprocess.run([cli, "--json", *arguments], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    random = numpy.random.default_rng(5)
    count = 0
    for dtype in ("u1", "u2", "f4"):
        array = random.integers(0, 250, (2, 2, 9, 21, 34)).astype(dtype)
        for stored in ({"compression": "gzip", "compression_opts": 2},
                       {"compression": "gzip", "shuffle": True},
                       {**hdf5plugin.LZ4()}, {}):
            path = str(folder / "a.ims")
            write(path, array, ((1, 2, 3), (1 + 34 * 0.25, 2 + 21 * 0.5, 3 + 9 * 2.0)), (4, 16, 32),
                  **stored)
            other = ims(path, resolution_decimal_places=6, squeeze_output=False)
            told = run("info", path)
            assert told["format"] == "Imaris", told
            assert told["channels"] == ["stain 0", "stain 1"], told
            assert told["times"] == other.TimePoints == 2, told
            # z, and then rows and columns, which this program calls x and y.
            sides = [told["size"][axis] for axis in "zxy"]
            assert sides == list(other.shape[2:]) == [9, 21, 34], told
            voxel = [told["voxel_size"][axis] for axis in "zxy"]
            assert voxel == list(other.resolution) == [2.0, 0.5, 0.25], (voxel, other.resolution)
            for level in range(2):
                other.change_resolution_lock(level)
                for t in range(2):
                    for c in range(2):
                        out = str(folder / "out.tif")
                        run("filter", f"{path}:/{level}", "-o", out, "--stencil", "identity",
                            "--channel", str(c), "--time", str(t), "--force")
                        ours = tifffile.imread(out)
                        step = 2**level
                        wanted = array[t, c, :, ::step, ::step]
                        theirs = other[level, t, c, :, :, :].reshape(wanted.shape)
                        assert numpy.array_equal(theirs, wanted), "the file is as described"
                        assert numpy.array_equal(ours, wanted), (dtype, stored, level, t, c)
                        count += 1
            other.close()
    print(count, "images as h5py wrote them and imaris-ims-file-reader reads them")


if __name__ == "__main__":
    sys.exit(main(__file__, PACKAGES, "h5py and a reader of Imaris files", check))
