"""An operation in a thread of its own, so that the viewer goes on. Knows Qt, and not napari."""
from __future__ import annotations

import threading
from typing import Any, Callable

from qtpy.QtCore import QObject, Signal

Progress = Callable[[float, str], Any]


class Cancelled(Exception):
    """Ends a call of aprscope from its progress."""


class Job(QObject):
    """Calls work(progress) in a thread. Signals arrive in the thread that made the job; after
    `ended` nothing follows."""

    progressed = Signal(float, str)
    #: What the work gave.
    returned = Signal(object)
    #: The exception that ended it.
    failed = Signal(object)
    #: Last, whatever came before; alone where it was cancelled.
    ended = Signal()

    def __init__(self, work: Callable[[Progress], Any]):
        super().__init__()
        self._work = work
        self._cancelled = threading.Event()
        self._thread = threading.Thread(target=self._run, name="aprscope", daemon=True)

    def start(self) -> None:
        """Once."""
        self._thread.start()

    def cancel(self) -> None:
        """Ends the work at its next progress, without a result."""
        self._cancelled.set()

    def wait(self) -> None:
        """Until the thread has ended; signals may still be on their way."""
        self._thread.join()

    def _progress(self, fraction: float, text: str) -> None:
        if self._cancelled.is_set():
            raise Cancelled
        self.progressed.emit(fraction, text)

    def _run(self) -> None:
        try:
            made = self._work(self._progress)
            if not self._cancelled.is_set():
                self.returned.emit(made)
        except Cancelled:
            pass
        except Exception as failure:  # pylint: disable=broad-except  # A thread has nobody above it.
            self.failed.emit(failure)
        self.ended.emit()
