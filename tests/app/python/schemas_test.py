"""Functions, signatures and documentation are made of the schemas."""
import inspect

import pytest

import aprscope as ap


def test_every_operation_is_a_function():
    ids = ap.operations()
    assert len(ids) > 30
    assert {"convert", "reconstruct", "gaussian", "median", "deconvolve", "topology", "cells",
            "backproject"} <= set(ids)
    for id_ in ids:
        function = getattr(ap, id_)
        assert function.__name__ == id_
        assert id_ in ap.__all__


@pytest.mark.parametrize("id_", ap.operations())
def test_signatures_and_words_say_all_that_schemas_say(id_):
    function, schema = getattr(ap, id_), ap.schema(id_)
    signature = inspect.signature(function)
    words = inspect.getdoc(function)
    flat = " ".join(words.split())
    assert schema["help"].rstrip(".") in flat
    names = list(signature.parameters)
    own = [{"lambda": "lambda_"}.get(p["id"], p["id"]) for p in schema["parameters"]]
    assert names[:len(own) + 1] == ["data", *own]
    assert {"voxel", "device", "progress"} <= set(names)
    assert len(names) == len(set(names))
    for name, parameter in zip(own, schema["parameters"]):
        assert f"\n{name} : " in words
        assert " ".join(parameter["help"].rstrip(".").split()) in flat
        if parameter["type"] in ("integer", "real", "vector3"):
            assert f"{parameter['maximum']:.12g}" in flat
        for choice in parameter["choices"]:
            assert choice in flat
        if parameter["unit"]:
            assert parameter["unit"] in flat


def test_defaults_are_those_of_the_schema():
    signature = inspect.signature(ap.convert)
    assert signature.parameters["rel_error"].default == 0.1
    assert signature.parameters["auto_thresholds"].default is True
    assert signature.return_annotation == "Apr"


def test_defaults_that_are_given_change_nothing(image):
    import numpy as np
    given = {p["id"]: inspect.signature(ap.gaussian).parameters[p["id"]].default
             for p in ap.schema("gaussian")["parameters"]}
    np.testing.assert_array_equal(ap.gaussian(image, **given).pixels, ap.gaussian(image).pixels)


def test_words_of_python_have_an_underscore(image):
    import numpy as np
    smooth = ap.convert(image, lambda_=20.0)
    assert "lambda=20" in smooth.history[-1]
    np.testing.assert_array_equal(ap.convert(image, **{"lambda": 20.0}).particles, smooth.particles)


def test_unknown_operations_are_said():
    with pytest.raises(ap.Error, match="no operation"):
        ap.schema("none")


def test_schemas_are_ones_own():
    ap.schema("gaussian")["parameters"].clear()
    assert ap.schema("gaussian")["parameters"]
