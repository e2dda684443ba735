"""Files are read and written as the command line does."""
import os

import numpy as np
import pytest

import aprscope as ap


@pytest.mark.parametrize("name", ["a.tif", "a.mrc", "a.ome.zarr"])
def test_images_come_back(image, spots, tmp_path, name):
    image.save(tmp_path / name)
    back = ap.open(tmp_path / name)
    assert isinstance(back, ap.Image)
    np.testing.assert_array_equal(back.pixels, spots)
    # MRC knows ångströms only.
    scale = {"µm": 1.0, "Å": 1e-4}[back.unit]
    assert np.multiply(back.voxel, scale) == pytest.approx(image.voxel)


def test_particles_come_back(apr, tmp_path):
    apr.save(tmp_path / "a.apr")
    back = ap.open(tmp_path / "a.apr")
    assert isinstance(back, ap.Apr)
    for name in ("particles", "y", "xz_end"):
        np.testing.assert_array_equal(getattr(back, name), getattr(apr, name))
    assert back.voxel == pytest.approx(apr.voxel)


def test_the_same_bytes_as_the_command_line(stack, cli, tmp_path):
    folder = cli("convert", stack, "-o", "cli.apr", "--rel-error", "0.05")
    ap.convert(ap.open(stack), rel_error=0.05).save(tmp_path / "python.apr")
    assert (tmp_path / "python.apr").read_bytes() == (folder / "cli.apr").read_bytes()


def test_trees_and_packings(apr, image, tmp_path):
    apr.save(tmp_path / "a.apr")
    apr.save(tmp_path / "tree.apr", tree=True)
    assert (tmp_path / "tree.apr").stat().st_size > (tmp_path / "a.apr").stat().st_size
    image.save(tmp_path / "plain.tif", tiff_packing="none")
    image.save(tmp_path / "packed.tif")
    assert (tmp_path / "packed.tif").stat().st_size < (tmp_path / "plain.tif").stat().st_size
    with pytest.raises(ap.Error, match="tiff_packing"):
        image.save(tmp_path / "b.tif", tiff_packing="lzw")


def test_names_say_what_is_written(apr, image, tmp_path):
    with pytest.raises(ap.Error, match="pixel image"):
        image.save(tmp_path / "a.apr")
    with pytest.raises(ap.Error, match="particles"):
        apr.save(tmp_path / "a.tif")
    apr.save(tmp_path / "levels.ome.zarr")
    np.testing.assert_array_equal(ap.open(tmp_path / "levels.ome.zarr").pixels, np.asarray(apr))
    assert sorted(os.listdir(tmp_path)) == ["levels.ome.zarr"]


def test_folders_that_are_not_there(image, tmp_path):
    with pytest.raises(ap.Error):
        image.save(tmp_path / "none" / "a.tif")


def test_channels_and_times(stack):
    for wrong in ({"channel": 1}, {"time": 2}, {"channel": -1}):
        with pytest.raises(ap.Error, match="use 0, the only one"):
            ap.open(stack, **wrong)


def test_what_a_file_holds(stack, apr, tmp_path):
    facts = ap.info(stack)
    assert facts["shape"] == (24, 40, 56)
    assert facts["dtype"] == "u16"
    assert not facts["is_apr"]
    apr.save(tmp_path / "a.apr")
    facts = ap.info(tmp_path / "a.apr")
    assert facts["is_apr"]
    assert facts["particles"] == apr.particles.size


def test_voxel_size_instead_of_the_files(stack):
    data = ap.open(stack, voxel=(3, 1, 1))
    assert (data.voxel, data.unit) == ((3.0, 1.0, 1.0), "µm")


def test_the_reader_of_hdf5_is_found(apr, tmp_path):
    """It is a program of its own, beside the module or in the build."""
    apr.save(tmp_path / "a.apr")
    assert ap.open(tmp_path / "a.apr").shape == apr.shape


def test_reading_tells_how_far_it_is(stack):
    said = []
    ap.open(stack, progress=lambda fraction, text: said.append((fraction, text)))
    assert said[-1][0] == 1.0


def test_labels_are_written(image, spots, tmp_path):
    labels = (spots > 400).astype(np.uint16)
    image.with_labels(labels).save_labels(tmp_path / "labels.tif")
    np.testing.assert_array_equal(ap.open(tmp_path / "labels.tif").pixels, labels)
    with pytest.raises(ap.Error, match="no labels"):
        image.save_labels(tmp_path / "none.tif")
