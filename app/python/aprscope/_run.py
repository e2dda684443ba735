"""Operations and recipes are run."""
from __future__ import annotations

import json
import os
from typing import Any, Callable, Optional, Union

from . import _core
from ._data import Data, Path, Progress, Voxel, held_of, wrapped
from ._error import Error
from ._measured import Measurement
from ._schema import SCHEMAS, parameters_of


class Run:
    """What came of a recipe."""

    def __init__(self, data: Data, measured: list[Measurement], costs: list[dict[str, Any]],
                 recipe: dict[str, Any]):
        #: The result; what came in where all steps measure.
        self.data = data
        #: What steps among them measured, in order.
        self.measured = measured
        #: Of each step: operation, seconds, bytes of the result, backend.
        self.costs = costs
        #: The steps as they were run, with the numbers that were guessed.
        self.recipe = recipe

    @property
    def seconds(self) -> float:
        """Of all steps."""
        return sum(cost["seconds"] for cost in self.costs)

    def __repr__(self) -> str:
        return f"<aprscope.Run of {len(self.costs)} steps in {self.seconds:.3g} s: {self.data!r}>"


def text_of(recipe: dict[str, Any], where: str) -> str:
    """As JSON."""
    try:
        return json.dumps(recipe, allow_nan=False)
    except (TypeError, ValueError) as wrong:
        raise Error(f"holds what is no JSON ({wrong})", where,
                    "give numbers, words, lists of them") from None


def recipe_of(steps: list[dict[str, Any]]) -> dict[str, Any]:
    """A recipe of these steps, of this version."""
    return {**json.loads(_core.empty_recipe()), "steps": steps}


def run_text(recipe: str, held: _core.Held, device: str, progress: Progress,
             on_iteration: Optional[Callable[[dict], Any]] = None, truth: Optional[Data] = None,
             start: Optional[Data] = None) -> Run:
    """Runs a recipe that is text."""
    def beside(data: Any) -> Optional[_core.Held]:
        return None if data is None else held_of(data, None)

    made, measured, costs, done = _core.run(held, recipe, str(device), progress, on_iteration,
                                            beside(truth), beside(start))
    return Run(wrapped(made), [Measurement(one) for one in measured], costs, json.loads(done))


def call(id_: str, data: Any, *, voxel: Optional[Voxel] = None, device: str = "auto",
         progress: Progress = None, on_iteration: Optional[Callable[[dict], Any]] = None,
         truth: Optional[Data] = None, start_from: Optional[Data] = None, **parameters: Any) -> Any:
    """Runs one operation and gives what it gives."""
    given = given_for(id_, parameters)
    text = text_of(recipe_of([{"operation": id_, "parameters": given}]), id_)
    idle = idle_among(id_, text, list(given))
    if idle:
        raise Error(f"{' and '.join(idle)} {'has' if len(idle) == 1 else 'have'} no say beside the "
                    "other parameters", id_, "leave it out, or change what switches it off")
    done = run_text(text, held_of(data, voxel), device, progress, on_iteration, truth, start_from)
    return done.measured[0] if done.measured else done.data


def given_for(id_: str, parameters: dict[str, Any]) -> dict[str, Any]:
    """Keywords as a recipe has them."""
    given = parameters_of(id_, parameters)
    if id_ == "convert" and ("sigma_th" in given or "grad_th" in given):
        # Whoever names a threshold means it, as on the command line.
        given.setdefault("auto_thresholds", False)
    return given


def idle_among(id_: str, text: str, names: list[str]) -> list[str]:
    """Those of these parameters that have no say in a recipe of one step."""
    try:
        return _core.without_say(text, names)
    except Error as error:
        where = error.where.removeprefix(f"step 1 ({id_})").removeprefix(", ")
        raise Error(error.what, f"{id_}, {where}" if where else id_, error.advice) from None


def without_say(operation: str, **parameters: Any) -> list[str]:
    """The parameters of an operation, by id, that have no say beside these values of others: a form
    can grey them out. without_say("deconvolve", psf="gaussian") has "wavelength"."""
    given = given_for(operation, parameters)
    text = text_of(recipe_of([{"operation": operation, "parameters": given}]), operation)
    return idle_among(operation, text, [p["id"] for p in schema(operation)["parameters"]])


def apply(data: Any, operation: str, **parameters: Any) -> Any:
    """Runs an operation by its id, with the keywords of the function of that name."""
    return call(operation, data, **parameters)


def filter(data: Any, operation: str, **parameters: Any) -> Data:  # noqa: A001
    """Filters an image or particles: filter(data, "gaussian", sigma=2). The keywords are those of the
    function of that name."""
    filters = [id_ for id_, schema in SCHEMAS.items() if schema["family"] == "filter"]
    if operation not in filters:
        raise Error(f"\"{operation}\" is no filter", "filter", "use " + ", ".join(filters))
    return call(operation, data, **parameters)


def run(recipe: Union[Path, dict], data: Any = None, *, voxel: Optional[Voxel] = None,
        device: str = "auto", progress: Progress = None,
        on_iteration: Optional[Callable[[dict], Any]] = None) -> Run:
    """Runs a recipe that the window, the command line or this module saved.

    Parameters
    ----------
    recipe : path or dict
        The file, or what it holds: {"aprscope": 2, "steps": [{"operation": …, "parameters": {…}}]}.
    data : Data or numpy.ndarray, optional
        What the steps begin with; without it, the input that the recipe names.
    """
    if isinstance(recipe, dict):
        text = _core.checked_recipe(text_of(recipe, "recipe"))
        folder = ""
    else:
        text = _core.recipe_in_file(os.fsencode(recipe))
        folder = os.path.dirname(os.fsdecode(recipe))
    if data is None:
        data = input_of(json.loads(text), folder)
    return run_text(text, held_of(data, voxel), device, progress, on_iteration)


def input_of(recipe: dict[str, Any], folder: str) -> Data:
    """What the recipe names, as seen from here or from beside itself."""
    from ._data import open as open_file
    if not recipe["input"]:
        raise Error("names no input", "recipe", "give data: run(recipe, data)")
    path = recipe["input"]
    beside = os.path.join(folder, path)
    if not os.path.isabs(path) and not os.path.exists(path) and os.path.exists(beside):
        path = beside
    return open_file(path, recipe["channel"], recipe["time"])


def recipe(*steps: tuple[str, dict[str, Any]]) -> dict[str, Any]:
    """A recipe of (id, parameters) each, complete and checked: recipe(("gaussian", {"sigma": 2}))."""
    listed = [{"operation": id_, "parameters": parameters_of(id_, parameters)}
              for id_, parameters in steps]
    return json.loads(_core.checked_recipe(text_of(recipe_of(listed), "recipe")))


def operations() -> list[str]:
    """Ids of all operations; each is a function of this module."""
    return list(SCHEMAS)


def schema(operation: str) -> dict[str, Any]:
    """How an operation describes itself: label, help, what it takes and gives, parameters with types,
    ranges, units, defaults and choices. Forms can be made of it."""
    if operation not in SCHEMAS:
        raise Error(f"there is no operation \"{operation}\"", "", "use " + ", ".join(SCHEMAS))
    return json.loads(json.dumps(SCHEMAS[operation]))
