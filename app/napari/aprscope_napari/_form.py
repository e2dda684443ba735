"""A form made of an operation's schema. Knows magicgui, and not napari."""
from __future__ import annotations

import os
from typing import Any

from magicgui import widgets

import aprscope as ap

# What spin boxes can hold.
WIDEST = 1e9


def widget_of(parameter: dict[str, Any]) -> widgets.Widget:
    """The control of one parameter, with its range, unit and words."""
    label = parameter["label"] + (f" ({parameter['unit']})" if parameter["unit"] else "")
    common = {"name": parameter["id"], "label": label, "tooltip": parameter["help"]}
    low, high = max(parameter["minimum"], -WIDEST), min(parameter["maximum"], WIDEST)
    kind, value = parameter["type"], parameter["default"]
    if kind == "boolean":
        return widgets.CheckBox(value=value, **common)
    if kind == "choice":
        return widgets.ComboBox(value=value, choices=parameter["choices"], **common)
    if kind == "integer":
        return widgets.SpinBox(value=value, min=int(low), max=int(high), **common)
    if kind == "real":
        return widgets.FloatSpinBox(value=max(value, low), min=low, max=high, step=0.0001, **common)
    if kind == "vector3":
        boxes = [widgets.FloatSpinBox(value=one, min=low, max=high, step=0.01, name=axis)
                 for axis, one in zip("zxy", value)]
        return widgets.Container(widgets=boxes, layout="horizontal", labels=False, **common)
    if parameter["names_file"] and not parameter["lists_files"]:
        return widgets.FileEdit(mode="r", nullable=True, value=value or None, **common)
    return widgets.LineEdit(value=value, **common)


class OperationForm(widgets.Container):
    """Controls of all parameters of an operation. What has no say beside the others is hidden."""

    def __init__(self, operation: str):
        schema = ap.schema(operation)
        self._parameters = [p for p in schema["parameters"] if p["type"] != "stencil"]
        self.operation = operation
        super().__init__(widgets=[widget_of(p) for p in self._parameters])
        self._hide()
        self.changed.connect(self._hide)

    def _changed(self) -> dict[str, Any]:
        """All that differ from the defaults."""
        changed = {}
        for parameter in self._parameters:
            control = self[parameter["id"]]
            if parameter["type"] == "vector3":
                value = [box.value for box in control]
            elif isinstance(control, widgets.FileEdit):
                value = "" if control.value is None else os.fspath(control.value)
            else:
                value = control.value
            if value != parameter["default"]:
                changed[parameter["id"]] = value
        return changed

    def _idle(self, changed: dict[str, Any]) -> list[str]:
        try:
            return ap.without_say(self.operation, **changed)
        except ap.Error:
            return []  # Half-way to other values; the run says what is wrong.

    def _hide(self) -> None:
        idle = self._idle(self._changed())
        for parameter in self._parameters:
            self[parameter["id"]].visible = parameter["id"] not in idle

    def values(self) -> dict[str, Any]:
        """Those that differ from the defaults and have a say, as keywords of the operation."""
        changed = self._changed()
        idle = self._idle(changed)
        return {name: value for name, value in changed.items() if name not in idle}

    def run(self, data: Any, **more: Any) -> Any:
        """The operation on data, with what the form says and what its function takes beside that."""
        return ap.apply(data, self.operation, **self.values(), **more)


def filters() -> list[str]:
    """Ids of filters that a form can show."""
    return [id_ for id_ in ap.operations() if ap.schema(id_)["family"] == "filter" and
            all(p["type"] != "stencil" for p in ap.schema(id_)["parameters"])]
