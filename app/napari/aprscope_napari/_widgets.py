"""The plugin's panels: a layer, a form, and a button."""
from __future__ import annotations

from typing import Any, Optional

import napari
from magicgui import widgets
from napari.layers import Image, Layer
from napari.utils.notifications import show_error

import aprscope as ap

from ._form import OperationForm, filters
from ._job import Job
from ._layers import data_of, layers_of


class OperationPanel(widgets.Container):
    """Runs one of some operations on an image layer, in a thread of its own; what comes of it are new
    layers. The button starts it, and cancels it while it runs."""

    def __init__(self, operations: list[str], viewer: Optional[Any] = None):
        super().__init__(labels=False)
        self._viewer = viewer if viewer is not None else napari.current_viewer()
        #: The one that runs.
        self.job: Optional[Job] = None
        self.layer = widgets.create_widget(annotation=Image, label="Layer", name="layer")
        self.operation = widgets.ComboBox(
            name="operation", label="Operation",
            choices=[(ap.schema(id_)["label"], id_) for id_ in operations])
        self.form = OperationForm(operations[0])
        self.button = widgets.PushButton(text="Run", name="run")
        self.bar = widgets.ProgressBar(min=0, max=1000, name="bar")
        self.words = widgets.Label(name="words")
        self.extend([self.layer, self.operation, self.form, self.button, self.bar, self.words])
        self.operation.visible = len(operations) > 1
        self.bar.visible = self.words.visible = False
        self.operation.changed.connect(self._change)
        self.button.changed.connect(self._press)

    def _change(self, operation: str) -> None:
        self.remove(self.form)
        self.form = OperationForm(operation)
        self.insert(list(self).index(self.button), self.form)

    def _press(self) -> None:
        if self.job is not None:
            self.button.enabled = False  # until it has heard
            self.job.cancel()
            return
        if self.layer.value is None:
            self._say("There is no image layer: open an image first.")
            return
        self.run(self.layer.value)

    def run(self, layer: Image) -> Job:
        """Starts the operation on a layer, with what the form says now."""
        operation, values = self.form.operation, self.form.values()
        time = self._viewer.dims.current_step[0] if layer.ndim > 3 else 0

        def work(progress: Any) -> Any:
            made = ap.apply(data_of(layer, time), operation, progress=progress, **values)
            return layers_of(made, f"{layer.name} {operation}")

        self.job = Job(work)
        self.job.progressed.connect(self._show)
        self.job.returned.connect(self._add)
        self.job.failed.connect(lambda failure: self._say(str(failure), wrong=True))
        self.job.ended.connect(self._end)
        self.button.text = "Cancel"
        self.bar.value = 0
        self.bar.visible = True
        self._say("")
        self.job.start()
        return self.job

    def _show(self, fraction: float, text: str) -> None:
        self.bar.value = int(1000 * min(max(fraction, 0.0), 1.0))
        self._say(text)

    def _add(self, made: list[tuple[Any, dict[str, Any], str]]) -> None:
        for one in made:
            self._viewer.add_layer(Layer.create(*one))
        self._say("")

    def _end(self) -> None:
        self.job = None
        self.button.text = "Run"
        self.button.enabled = True
        self.bar.visible = False

    def _say(self, text: str, wrong: bool = False) -> None:
        self.words.value = text
        self.words.visible = bool(text)
        if wrong:
            show_error(text)


def convert_widget(viewer: Optional[Any] = None) -> OperationPanel:
    """Pixels to particles."""
    return OperationPanel(["convert"], viewer)


def filter_widget(viewer: Optional[Any] = None) -> OperationPanel:
    """Filters of pixels and particles."""
    return OperationPanel(filters(), viewer)


def deconvolve_widget(viewer: Optional[Any] = None) -> OperationPanel:
    """Richardson–Lucy."""
    return OperationPanel(["deconvolve"], viewer)
