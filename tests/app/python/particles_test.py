"""Particles: structure, parts of their image, levels; particles made of arrays."""
import numpy as np
import pytest

import aprscope as ap


def painted(apr):
    """The constant reconstruction, from the arrays alone."""
    out = np.full(apr.shape, np.nan)
    y, ends, values = apr.y, apr.xz_end, apr.particles
    for level in apr.levels:
        side = 2**(apr.level_max - level.level)
        nz, nx, _ = level.grid
        for z in range(nz):
            for x in range(nx):
                row = level.first_row + z * nx + x
                for i in range(int(ends[row - 1]), int(ends[row])):
                    at = int(y[i])
                    out[z * side:(z + 1) * side, x * side:(x + 1) * side,
                        at * side:(at + 1) * side] = values[i]
    return out


def test_structure_and_values_say_what_the_pixels_are(apr):
    whole = painted(apr)
    assert not np.isnan(whole).any()
    np.testing.assert_array_equal(np.asarray(apr), whole)


def test_levels_count_the_particles(apr):
    levels = apr.levels
    assert sum(level.count for level in levels) == apr.particles.size == apr.y.size
    assert levels[0].level == 1
    assert levels[-1].grid == apr.shape
    assert apr.cr == pytest.approx(np.prod(apr.shape) / apr.particles.size)
    assert int(apr.xz_end[-1]) == apr.y.size


def test_properties(apr):
    assert apr.shape == (24, 40, 56)
    assert apr.voxel == (2.0, 0.5, 0.5)
    assert apr.unit == "µm"
    assert apr.dtype == apr.particles.dtype == np.uint16
    assert apr.fields == ["particle_intensities"] or len(apr.fields) == 1
    np.testing.assert_array_equal(apr.field(apr.fields[0]), apr.particles)
    assert "convert" in apr.history[-1]
    assert apr.labels is None
    assert "CR" in repr(apr)


@pytest.mark.parametrize("key", [
    np.s_[:], np.s_[3], np.s_[-1], np.s_[2:9, 5:17, 30:31], np.s_[..., 7], np.s_[4, ..., 2:5],
    np.s_[::3, ::-2, 10:50:7], np.s_[20:4:-5, 1], np.s_[5:5], np.s_[:, 100:200], np.s_[1, 2, 3],
    np.s_[-3:, -3:, -3:], ...], ids=str)
def test_slices_are_those_of_the_whole(apr, key):
    whole = np.asarray(apr)
    part = apr[key]
    expected = whole[key]
    assert np.shape(part) == expected.shape
    np.testing.assert_array_equal(part, expected)


def test_keys_that_are_none(apr):
    for key in (np.s_[24], np.s_[0, 0, 56], np.s_[0, 0, 0, 0], np.s_[-25]):
        with pytest.raises(IndexError):
            apr[key]
    for key in (1.5, "z", np.array([1, 2])):
        with pytest.raises(TypeError):
            apr[key]


def test_smooth_regions_are_those_of_the_operation(apr):
    whole = ap.reconstruct(apr, mode="smooth")
    part = apr.reconstruct_region((3, 5, 7), (9, 20, 31), mode="smooth")
    np.testing.assert_array_equal(part, whole[3:9, 5:20, 7:31])
    with pytest.raises(ap.Error, match="no such region"):
        apr.reconstruct_region((0, 0, 0), (25, 1, 1))
    with pytest.raises(ap.Error, match="mode"):
        apr.reconstruct_region((0, 0, 0), (1, 1, 1), mode="fine")


def test_pyramid_is_that_of_the_operation(apr):
    pyramid = apr.pyramid()
    assert [level.shape for level in pyramid] == [level.grid for level in reversed(apr.levels)]
    np.testing.assert_array_equal(np.asarray(pyramid[0]), np.asarray(apr))
    for step, level in enumerate(pyramid[1:4], start=1):
        expected = np.rint(ap.reconstruct(apr, at_level=apr.level_max - step).pixels)
        assert level.dtype == level[0].dtype == np.uint16
        np.testing.assert_array_equal(level[...], expected)
        np.testing.assert_array_equal(level[1:, 2], expected[1:, 2])


def test_particles_are_made_of_arrays(apr):
    made = ap.from_arrays(apr.shape, apr.y, apr.xz_end, apr.particles, voxel=apr.voxel)
    np.testing.assert_array_equal(np.asarray(made), np.asarray(apr))
    assert made.voxel == apr.voxel
    other = ap.gaussian(made, sigma=1)
    np.testing.assert_array_equal(other.particles, ap.gaussian(apr, sigma=1).particles)


def test_structures_that_are_none_are_refused(apr):
    y, ends, values = apr.y.copy(), apr.xz_end.copy(), apr.particles
    def made(**changed):
        given = {"shape": apr.shape, "y": y, "xz_end": ends, "particles": values, **changed}
        return ap.from_arrays(**given)
    with pytest.raises(ap.Error):
        made(y=y[:-1])
    with pytest.raises(ap.Error):
        made(shape=(24, 40, 60))
    with pytest.raises(ap.Error):
        made(xz_end=ends[::-1])
    with pytest.raises(ap.Error, match="particles"):
        made(particles=values[:-1])
    with pytest.raises(ap.Error, match="whole numbers"):
        made(y=y.astype(float))
    with pytest.raises(ap.Error, match="whole numbers"):
        made(y=y.astype(int) + 70000)
    with pytest.raises(ap.Error):
        made(particles=values.astype(complex))
    with pytest.raises(ap.Error):
        made(shape=(24, 40))


def test_values_may_be_replaced(apr):
    half = apr.with_particles(apr.particles.astype(np.float32) / 2)
    np.testing.assert_array_equal(half.particles, apr.particles / np.float32(2))
    np.testing.assert_array_equal(np.asarray(half), np.asarray(apr) / np.float32(2))
    assert apr.particles.dtype == np.uint16
    with pytest.raises(ap.Error):
        apr.with_particles(apr.particles[1:])
