"""Particles of pyapr. Runs where somebody has installed it; nothing here needs it."""
import numpy as np
import pytest

import aprscope as ap

pyapr = pytest.importorskip("pyapr", reason="pyapr is not installed")


def test_to_pyapr_and_back(apr):
    theirs, particles = ap.to_pyapr(apr)
    assert theirs.total_number_particles() == apr.particles.size
    assert tuple(theirs.shape()) == apr.shape
    np.testing.assert_array_equal(np.asarray(particles), apr.particles)
    np.testing.assert_array_equal(
        np.asarray(pyapr.reconstruction.reconstruct_constant(theirs, particles)), np.asarray(apr))
    back = ap.from_pyapr(theirs, particles, voxel=apr.voxel)
    for name in ("particles", "y", "xz_end"):
        np.testing.assert_array_equal(getattr(back, name), getattr(apr, name))
    assert back.voxel == apr.voxel


def test_the_structure_is_that_of_its_iterator(apr):
    """Level, row and y of particles, as pyapr walks over them."""
    theirs, _ = ap.to_pyapr(apr)
    rows = theirs.iterator()
    for level in apr.levels:
        if level.level < theirs.level_min():
            assert level.count == 0
            continue
        nz, nx, _ = level.grid
        for z in range(0, nz, max(1, nz // 3)):
            for x in range(0, nx, max(1, nx // 3)):
                row = level.first_row + z * nx + x
                begin, end = int(apr.xz_end[row - 1]), int(apr.xz_end[row])
                first = rows.begin(level.level, z, x)
                assert rows.end() - first == end - begin
                if begin < end:
                    assert first == begin
                assert [rows.y(i) for i in range(begin, end)] == apr.y[begin:end].tolist()


def test_particles_that_pyapr_made(spots):
    converter = pyapr.converter.ShortConverter()
    theirs = pyapr.APR()
    converter.get_apr(theirs, np.ascontiguousarray(spots))
    particles = pyapr.ShortParticles()
    particles.sample_image(theirs, np.ascontiguousarray(spots))
    ours = ap.from_pyapr(theirs, particles)
    np.testing.assert_array_equal(
        np.asarray(ours), np.asarray(pyapr.reconstruction.reconstruct_constant(theirs, particles)))
