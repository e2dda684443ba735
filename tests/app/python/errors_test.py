"""Errors have three parts, also here."""
import pickle

import numpy as np
import pytest

import aprscope as ap


def test_three_parts(spots):
    with pytest.raises(ap.Error) as caught:
        ap.gaussian(spots, sigma=1000)
    error = caught.value
    assert "sigma" in error.what
    assert "gaussian" in error.where
    assert "0" in error.advice
    assert error.what in str(error) and error.advice in str(error)


def test_files_that_are_not_there(tmp_path):
    with pytest.raises(ap.Error) as caught:
        ap.open(tmp_path / "none.tif")
    assert "none.tif" in caught.value.where


def test_names_of_files_that_are_no_utf_8(tmp_path):
    import os
    path = os.fsencode(tmp_path) + b"/\xff\xfe.tif"
    with pytest.raises(ap.Error) as caught:
        ap.open(path)
    assert os.fsencode(caught.value.where) == path


def test_names_do_not_reach_the_terminal_as_control_sequences(tmp_path):
    path = tmp_path / "\x1b[31mred.tif"
    with pytest.raises(ap.Error) as caught:
        ap.open(path)
    assert "red.tif" in str(caught.value) and "\x1b" not in str(caught.value)
    assert caught.value.where == str(path)


def test_errors_are_sent_between_processes():
    error = ap.Error("is wrong", "here", "mend it")
    back = pickle.loads(pickle.dumps(error))
    assert (back.what, back.where, back.advice, str(back)) == (
        "is wrong", "here", "mend it", "here: is wrong; mend it")
    assert isinstance(error, Exception)


def test_values_that_are_no_numbers():
    array = np.ones((4, 5, 6), np.float32)
    array[1, 2, 3] = np.nan
    with pytest.raises(ap.Error, match="not finite"):
        ap.gaussian(array, sigma=1)


def test_memory_that_is_not_there(apr):
    with pytest.raises((ap.Error, MemoryError)):
        ap.median(np.broadcast_to(np.float32(1), (60000, 60000, 3)), size=3)
