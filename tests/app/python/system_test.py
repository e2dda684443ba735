"""Threads and devices."""
import os

import pytest

import aprscope as ap


def test_threads_may_be_chosen():
    before = ap.threads()
    assert before >= 1
    try:
        ap.set_threads(1)
        assert ap.threads() == 1
        ap.set_threads(0)
        assert ap.threads() == len(os.sched_getaffinity(0)) or ap.threads() >= 1
        with pytest.raises(ap.Error, match="threads"):
            ap.set_threads(-1)
    finally:
        ap.set_threads(before)


def test_the_cpu_is_a_device(spots):
    assert ap.devices()[0] == "cpu"
    assert ap.gaussian(spots, device="cpu").shape == spots.shape


@pytest.mark.skipif(len(ap.devices()) < 2, reason="there is no GPU that this build can use")
def test_a_gpu_gives_what_the_cpu_gives(spots):
    import numpy as np
    cpu = ap.gaussian(ap.convert(spots, device="cpu"), sigma=1, device="cpu")
    gpu = ap.gaussian(ap.convert(spots, device="cuda:0"), sigma=1, device="cuda:0")
    np.testing.assert_array_equal(cpu.y, gpu.y)
    np.testing.assert_allclose(cpu.particles, gpu.particles, rtol=1e-4)
