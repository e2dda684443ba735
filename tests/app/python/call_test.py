"""Calls let others run, tell how far they are, and end when asked."""
import signal
import threading
import time

import numpy as np
import pytest

import aprscope as ap


@pytest.fixture(scope="module")
def large():
    """Takes seconds to deconvolve."""
    rng = np.random.default_rng(1)
    return ap.image(rng.random((64, 192, 192), dtype=np.float32))


def long_call(data, **keywords):
    return ap.deconvolve(data, psf_sigma=2, iterations=5000, **keywords)


def test_interrupts_end_a_call_at_once(large):
    asked = []
    def interrupt():
        asked.append(time.perf_counter())
        signal.raise_signal(signal.SIGINT)
    # In this thread Python handles signals, whichever asks for them.
    timer = threading.Timer(0.7, lambda: signal.pthread_kill(threading.main_thread().ident,
                                                             signal.SIGINT))
    asked.append(time.perf_counter() + 0.7)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        long_call(large)
    assert time.perf_counter() - asked[0] < 0.5
    # And what comes after works.
    assert ap.gaussian(np.ones((4, 4, 4), np.float32)).shape == (4, 4, 4)


def test_progress_is_told_from_the_calling_thread(large):
    told = []
    def progress(fraction, text):
        told.append((fraction, text, threading.get_ident()))
    # It is told 50 times a second at most: long enough for some of them on a fast machine, too.
    ap.deconvolve(large, psf_sigma=1, iterations=60, progress=progress)
    assert len(told) >= 2
    assert all(0.0 <= fraction <= 1.0 for fraction, _, _ in told)
    assert told[-1][0] == 1.0
    assert {ident for _, _, ident in told} == {threading.get_ident()}
    assert all(isinstance(text, str) and text for _, text, _ in told)


def test_what_progress_throws_ends_the_call(large):
    class Enough(Exception):
        pass
    def progress(fraction, text):
        raise Enough
    start = time.perf_counter()
    with pytest.raises(Enough):
        long_call(large, progress=progress)
    assert time.perf_counter() - start < 3.0


def test_what_watchers_throw_ends_the_call(large):
    with pytest.raises(ZeroDivisionError):
        long_call(large, on_iteration=lambda figures: 1 / 0)


def test_other_threads_run_meanwhile(large):
    counted = [0]
    done = threading.Event()
    def count():
        while not done.is_set():
            counted[0] += 1
            time.sleep(0.001)
    thread = threading.Thread(target=count)
    thread.start()
    start = time.perf_counter()
    ap.deconvolve(large, psf_sigma=2, iterations=5)
    seconds = time.perf_counter() - start
    done.set()
    thread.join()
    assert counted[0] > 0.1 * seconds / 0.0012
