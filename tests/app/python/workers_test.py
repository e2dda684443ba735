"""Calls from many threads at once, after a fork, and at the end of the process."""
import multiprocessing
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import aprscope as ap


def test_many_threads_get_their_own_results(spots):
    expected = {sigma: ap.gaussian(spots, sigma=sigma).pixels for sigma in (0.5, 1, 1.5, 2)}
    with ThreadPoolExecutor(8) as pool:
        for _ in range(3):
            sigmas = [0.5, 1, 1.5, 2] * 4
            for sigma, found in zip(sigmas, pool.map(lambda s: ap.gaussian(spots, sigma=s), sigmas)):
                np.testing.assert_array_equal(found.pixels, expected[sigma])


def test_threads_are_kept():
    array = np.ones((8, 8, 8), np.float32)
    for _ in range(3):
        ap.gaussian(array)
    before = sum(1 for _ in _threads())
    for _ in range(50):
        ap.gaussian(array)
    assert sum(1 for _ in _threads()) <= before + 2
    assert threading.active_count() < 10, "none of them is a thread of Python"


def _threads():
    import os
    return os.listdir("/proc/self/task")


def _in_a_fork(queue, array):
    queue.put((ap.threads(), ap.gaussian(array, sigma=1).pixels.sum()))
    try:
        ap.set_threads(2)
    except ap.Error as error:
        queue.put(error.advice)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_forked_processes_compute_in_one_thread(spots):
    expected = ap.gaussian(spots, sigma=1).pixels.sum()
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    process = context.Process(target=_in_a_fork, args=(queue, spots))
    process.start()
    threads, found = queue.get(timeout=60)
    advice = queue.get(timeout=60)
    process.join(timeout=60)
    assert (threads, found) == (1, expected)
    assert "spawn" in advice
    assert process.exitcode == 0


def test_the_process_ends_after_a_call_was_left():
    code = """
import threading, signal, numpy as np, aprscope as ap
image = ap.image(np.random.default_rng(1).random((64, 192, 192), dtype=np.float32))
threading.Timer(0.5, lambda: signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)).start()
try:
    ap.deconvolve(image, psf_sigma=2, iterations=5000)
except KeyboardInterrupt:
    print("left")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60,
                          check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "left"), done.stderr
