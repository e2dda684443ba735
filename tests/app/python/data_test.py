"""What is known of data, and labels on it."""
import numpy as np
import pytest

import aprscope as ap


def test_facts_of_an_image(image, spots):
    assert (image.shape, image.ndim, len(image)) == (spots.shape, 3, 24)
    assert (image.voxel, image.unit) == ((2.0, 0.5, 0.5), "µm")
    assert image.nbytes >= spots.nbytes
    assert "24 × 40 × 56" in repr(image)
    assert image.labels is None
    np.testing.assert_array_equal(image[3, 4:9], spots[3, 4:9])


def test_voxel_sizes_are_checked_and_replaced(image, spots):
    assert ap.image(spots).unit == "px"
    assert ap.image(spots, voxel=0.3).voxel == (0.3, 0.3, 0.3)
    other = image.with_voxel((1, 2, 3), "nm")
    assert (other.voxel, other.unit, image.voxel) == ((1.0, 2.0, 3.0), "nm", (2.0, 0.5, 0.5))
    assert isinstance(other, ap.Image)
    for wrong in ((1, 2), 0, (1, -1, 1), (1, np.nan, 1), 1e12):
        with pytest.raises(ap.Error, match="voxel"):
            ap.image(spots, voxel=wrong)


@pytest.mark.parametrize("dtype", [np.uint8, np.uint32, np.int64, bool])
def test_labels_of_other_programs(image, spots, dtype):
    array = (spots > 400).astype(dtype)
    labelled = image.with_labels(array)
    np.testing.assert_array_equal(labelled.labels, array.astype(np.uint32))
    assert labelled.labels.dtype == np.uint32
    assert not labelled.labels.flags.writeable
    assert image.labels is None, "data does not change"
    np.testing.assert_array_equal(labelled.pixels, image.pixels)


def test_labels_on_particles(apr):
    array = (apr.particles > 400).astype(np.uint8) * 3
    labelled = apr.with_labels(array)
    assert labelled.labels.shape == apr.particles.shape
    assert int(labelled.labels.max()) == 3


def test_labels_that_are_none(image, apr, spots):
    for wrong in (np.zeros((2, 2, 2), np.uint8), -np.ones(spots.shape, int),
                  np.full(spots.shape, 0.5), np.full(spots.shape, 2**32)):
        with pytest.raises(ap.Error, match="labels"):
            image.with_labels(wrong)
    with pytest.raises(ap.Error, match="particles"):
        apr.with_labels(np.zeros(spots.shape, np.uint8))


def test_held_data_may_be_shared_by_many(image):
    import gc
    import sys
    before = sys.getrefcount(image)
    for _ in range(50):
        image.pixels  # noqa: B018
    gc.collect()
    assert sys.getrefcount(image) == before
