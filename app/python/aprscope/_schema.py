"""Operations as they describe themselves, and the signatures and words that follow."""
from __future__ import annotations

import inspect
import json
import keyword as words_of_python
import textwrap
from typing import Any, Callable, Optional, Sequence, Union

import numpy as np

from . import _core

#: All operations in menu order, by id.
SCHEMAS: dict[str, dict[str, Any]] = {schema["id"]: schema for schema in json.loads(_core.schemas())}

Number = Union[int, float]
Vector = Union[float, Sequence[float]]
Stencil = Union[np.ndarray, dict]

TYPES = {
    "boolean": "bool",
    "integer": "int",
    "real": "float",
    "choice": "str",
    "vector3": "float | Sequence[float]",
    "stencil": "numpy.ndarray | dict",
    "text": "str",
}
RESULTS = {"pixels": "Image", "apr": "Apr", "measurement": "Measurement"}

# What calls take beside the parameters of the operation, and how they are explained.
COMMON = {
    "voxel": ("float | Sequence[float] | None", None,
              "Voxel size in z, x, y instead of the data's; in µm for an array."),
    "device": ("str", "auto", "Where it is computed: auto, cpu, cuda:N, cuda:0,1 or cuda:all."),
    "progress": ("Callable[[float, str], Any] | None", None,
                 "progress(fraction, text), while it is computed."),
}
ITERATING = {
    "on_iteration": ("Callable[[dict], Any] | None", None,
                     "on_iteration(figures) after each iteration; where it returns False, the "
                     "iterate is the result."),
    "truth": ("Data | None", None,
              "What the result should be: figures then have PSNR and SSIM against it."),
    "start_from": ("Data | None", None, "An earlier result on the same data, to begin with."),
}


def name_of(id_: str) -> str:
    """The keyword of a parameter: its id, with an underscore where that is a word of Python's own
    (lambda_)."""
    return id_ + "_" if words_of_python.iskeyword(id_) else id_


def result_of(schema: dict[str, Any]) -> str:
    """The type of what the operation gives."""
    if schema["gives"] in RESULTS:
        return RESULTS[schema["gives"]]
    if schema["takes_pixels"] and not schema["takes_apr"]:
        return "Image"
    return "Apr" if schema["takes_apr"] and not schema["takes_pixels"] else "Data"


def default_of(parameter: dict[str, Any]) -> Any:
    """As Python has it: three equal numbers are one, the identity stencil is None."""
    value = parameter["default"]
    if parameter["type"] == "vector3":
        return value[0] if value[0] == value[1] == value[2] else tuple(value)
    return None if parameter["type"] == "stencil" else value


def extras_of(schema: dict[str, Any]) -> dict[str, tuple[str, Any, str]]:
    """The keywords beside its parameters."""
    return {**(ITERATING if schema["iterates"] else {}), **COMMON}


def signature_of(schema: dict[str, Any]) -> inspect.Signature:
    """data, then keywords."""
    keyword = inspect.Parameter.KEYWORD_ONLY
    takes = "Data | numpy.ndarray" if schema["takes_pixels"] else "Apr"
    parameters = [inspect.Parameter("data", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=takes)]
    parameters += [inspect.Parameter(name_of(p["id"]), keyword, default=default_of(p),
                                     annotation=TYPES[p["type"]] +
                                     (" | None" if p["type"] == "stencil" else ""))
                   for p in schema["parameters"]]
    parameters += [inspect.Parameter(name, keyword, default=default, annotation=annotation)
                   for name, (annotation, default, _) in extras_of(schema).items()]
    return inspect.Signature(parameters, return_annotation=result_of(schema))


def sentence(text: str) -> str:
    """With a stop at its end."""
    return text if not text or text[-1] in ".!?" else text + "."


def facts_of(parameter: dict[str, Any]) -> str:
    """Range, unit, choices and default."""
    facts = []
    kind = parameter["type"]
    if kind == "choice":
        facts.append("one of " + ", ".join(parameter["choices"]))
    elif kind in ("integer", "real", "vector3"):
        unit = f" {parameter['unit']}" if parameter["unit"] else ""
        facts.append(f"{parameter['minimum']:.12g} to {parameter['maximum']:.12g}{unit}")
    if parameter["odd"]:
        facts.append("odd")
    if parameter["lowest"]:
        facts.append(f"{parameter['minimum']:.12g} is {parameter['lowest']}")
    if parameter["lists_files"]:
        facts.append("names of files with semicolons between them")
    elif parameter["names_file"]:
        facts.append("name of a file")
    if kind not in ("text", "stencil"):
        facts.append(f"default {default_of(parameter)}")
    return "; ".join(facts)


def entry(name: str, annotation: str, text: str, facts: str) -> list[str]:
    """One parameter of a docstring."""
    lines = [f"{name} : {annotation}"]
    lines += textwrap.wrap(sentence(text), 92, initial_indent="    ", subsequent_indent="    ")
    if facts:
        lines += textwrap.wrap(sentence(facts[0].upper() + facts[1:]), 92, initial_indent="    ",
                               subsequent_indent="    ")
    return lines


def docstring_of(schema: dict[str, Any]) -> str:
    """In the style of NumPy."""
    lines = textwrap.wrap(sentence(schema["help"]), 96)
    needs = {"takes_labels": "Takes data that has labels.",
             "takes_projections": "Takes images of projections with their table (.star, .xmd, .cs)."}
    for trait, words in needs.items():
        if schema[trait]:
            lines += ["", words]
    lines += ["", "Parameters", "----------"]
    takes = [kind for kind, known in (("an image or array", schema["takes_pixels"]),
                                      ("particles", schema["takes_apr"])) if known]
    lines += entry("data", "Data or numpy.ndarray" if schema["takes_pixels"] else "Apr",
                   " or ".join(takes).capitalize(), "")
    for parameter in schema["parameters"]:
        lines += entry(name_of(parameter["id"]), TYPES[parameter["type"]].replace(" | ", " or "),
                       parameter["help"] or parameter["label"], facts_of(parameter))
    for name, (annotation, _, text) in extras_of(schema).items():
        lines += entry(name, annotation.replace(" | None", ", optional").replace(" | ", " or "),
                       text, "")
    lines += ["", "Returns", "-------", result_of(schema)]
    if schema["gives"] == "labels":
        lines += ["    The same data with labels."]
    return "\n".join(lines)


def parameters_of(id_: str, given: dict[str, Any]) -> dict[str, Any]:
    """Keywords as a recipe has them, by id. Unknown ones stay, to be refused in words."""
    known = {name_of(p["id"]): p for p in SCHEMAS.get(id_, {"parameters": []})["parameters"]}
    named: dict[str, Any] = {}
    for name, value in given.items():
        parameter = known.get(name) or known.get(name_of(name))
        # The identity, which nobody writes.
        if parameter is not None and parameter["type"] == "stencil" and value is None:
            continue
        named[parameter["id"] if parameter else name] = value_of(parameter, value)
    return named


def value_of(parameter: Optional[dict[str, Any]], value: Any) -> Any:
    """As JSON has it."""
    if isinstance(value, dict) and "weights" in value:
        value = {**value, "weights": np.asarray(value["weights"], dtype=float).ravel().tolist()}
    elif parameter is not None and parameter["type"] == "stencil":
        weights = np.asarray(value, dtype=float)
        size = (1,) * (3 - weights.ndim) + weights.shape
        value = {"size": list(size), "weights": weights.ravel().tolist()}
    elif isinstance(value, np.ndarray):
        value = value.tolist()
    elif isinstance(value, np.generic):
        value = value.item()
    if parameter is not None and parameter["names_file"] and hasattr(value, "__fspath__"):
        value = value.__fspath__()
    if parameter is not None and parameter["lists_files"] and isinstance(value, (list, tuple)):
        value = "; ".join('"' + str(name).replace('"', '""') + '"' for name in value)
    if parameter is not None and parameter["type"] == "integer" and isinstance(value, float):
        value = int(value) if value.is_integer() else value
    if isinstance(value, (list, tuple)):
        value = [one.item() if isinstance(one, np.generic) else one for one in value]
    return value


def functions(call: Callable[..., Any]) -> dict[str, Callable[..., Any]]:
    """A function for each operation, which calls call(id, data, **keywords)."""
    return {id_: function_of(schema, call) for id_, schema in SCHEMAS.items()}


def function_of(schema: dict[str, Any], call: Callable[..., Any]) -> Callable[..., Any]:
    """The function of an operation."""
    id_ = schema["id"]

    def run(data: Any, **keywords: Any) -> Any:
        return call(id_, data, **keywords)

    run.__name__ = run.__qualname__ = id_
    run.__module__ = "aprscope"
    run.__doc__ = docstring_of(schema)
    signature = signature_of(schema)
    run.__signature__ = signature  # type: ignore[attr-defined]
    run.__annotations__ = {name: one.annotation for name, one in signature.parameters.items()}
    run.__annotations__["return"] = signature.return_annotation
    return run
