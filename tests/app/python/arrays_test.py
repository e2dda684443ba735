"""NumPy arrays in and out: types, shapes, shared memory and what keeps it alive."""
import gc

import numpy as np
import pytest

import aprscope as ap


def address(array):
    return array.__array_interface__["data"][0]


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.float32])
def test_pixels_go_in_and_out_unchanged(dtype):
    array = (np.arange(2 * 3 * 5) % 251).reshape(2, 3, 5).astype(dtype)
    image = ap.image(array)
    assert image.shape == (2, 3, 5)
    assert image.dtype == dtype
    np.testing.assert_array_equal(image.pixels, array)
    assert address(image.pixels) != address(array), "what the caller changes later is not data"


def test_one_slice_is_an_image_of_one():
    assert ap.image(np.zeros((3, 5), np.uint8)).shape == (1, 3, 5)


def test_other_orders_are_taken_as_numpy_shows_them():
    array = np.arange(24, dtype=np.uint16).reshape(2, 3, 4)
    for view in (array.transpose(2, 1, 0), array[:, ::-1], np.asfortranarray(array), array[::2, 1:]):
        np.testing.assert_array_equal(ap.image(view).pixels, view)


@pytest.mark.parametrize("dtype", [np.int16, np.float64, np.int32, np.uint32, bool, np.complex64,
                                   ">u2", "U3"])
def test_other_types_are_refused_in_words(dtype):
    with pytest.raises(ap.Error) as caught:
        ap.image(np.zeros((2, 3, 4), dtype))
    assert str(np.dtype(dtype)) in caught.value.what
    assert "float32" in caught.value.advice


@pytest.mark.parametrize("shape", [(4,), (2, 2, 2, 2), (0, 3, 4), ()])
def test_other_shapes_are_refused(shape):
    with pytest.raises(ap.Error):
        ap.image(np.zeros(shape, np.uint8))


def test_what_is_no_array_is_refused():
    for thing in ("stack.tif", None, 3, [1, 2]):
        with pytest.raises(ap.Error, match="no data"):
            ap.gaussian(thing)


def test_pixels_share_memory_and_cannot_be_written(image):
    one, two = image.pixels, image.pixels
    assert address(one) == address(two) == address(np.asarray(image))
    assert not one.flags.writeable
    with pytest.raises(ValueError):
        one[0, 0, 0] = 1
    with pytest.raises(ValueError):
        one.flags.writeable = True


def test_particles_share_memory_and_cannot_be_written(apr):
    for one, two in ((apr.particles, apr.particles), (apr.y, apr.y), (apr.xz_end, apr.xz_end)):
        assert address(one) == address(two)
        assert not one.flags.writeable


def test_a_filter_keeps_the_structure_where_it_is(apr):
    smooth = ap.gaussian(apr, sigma=1)
    assert address(smooth.y) == address(apr.y)
    assert address(smooth.particles) != address(apr.particles)


def test_arrays_outlive_their_data(spots):
    image = ap.image(spots)
    pixels = image.pixels
    apr = ap.convert(image)
    particles, y, ends = apr.particles, apr.y, apr.xz_end
    before = [array.copy() for array in (pixels, particles, y, ends)]
    del image, apr
    gc.collect()
    # Memory that was given back would be taken by these.
    others = [np.full(spots.size, i, np.uint16) for i in range(8)]
    for array, copy in zip((pixels, particles, y, ends), before):
        np.testing.assert_array_equal(array, copy)
    del others


def test_memory_is_given_back():
    def resident():
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * 4096
    array = np.ones((64, 256, 256), np.float32)  # 16 MiB
    ap.image(array)
    before = resident()
    for _ in range(30):
        ap.image(array).pixels.sum()
    assert resident() - before < 5 * array.nbytes


def test_array_protocol_of_images(image, spots):
    assert np.asarray(image, dtype=np.float32).dtype == np.float32
    np.testing.assert_array_equal(np.asarray(image, dtype=np.float32), spots.astype(np.float32))
    copied = np.array(image)
    assert copied.flags.writeable
    assert address(copied) != address(image.pixels)
    assert np.mean(image) == np.mean(spots)


def test_reconstructed_pixels_are_ones_own(apr):
    part = apr[0:4]
    part[...] = 0
    assert apr[0:4].any()
