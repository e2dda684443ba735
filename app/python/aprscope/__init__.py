"""Adaptive Particle Representations of 3-D images: convert, filter, deconvolve, segment, measure.

>>> import aprscope as ap
>>> apr = ap.convert(ap.open("stack.tif"), rel_error=0.1)
>>> smooth = ap.gaussian(apr, sigma=2)
>>> pixels = smooth[10:20]

Order is z, x, y: x counts rows (downwards), y counts columns (to the right). Each operation is a
function with the names, units and ranges of the program; operations() lists them. Calls let other
threads of Python run, and end at Ctrl-C.
"""
import atexit as _atexit

from . import _core
from ._core import __version__, devices, set_threads, threads
from ._data import Apr, Data, Image, Level, Pixels, from_arrays, image, info, open
from ._error import Error
from ._exchange import from_pyapr, to_pyapr
from ._functions import *
from ._functions import __all__ as _of_operations
from ._measured import Curve, Measurement, Table
from ._run import Run, apply, filter, operations, recipe, run, schema, without_say

__all__ = ["Apr", "Curve", "Data", "Error", "Image", "Level", "Measurement", "Pixels", "Run", "Table",
           "__version__", "apply", "devices", "filter", "from_arrays", "from_pyapr", "image", "info",
           "open", "operations", "recipe", "run", "schema", "set_threads", "threads", "to_pyapr",
           "without_say", *_of_operations]

# A call that Ctrl-C left may still be tidying up.
_atexit.register(_core.wait_for_jobs, 10.0)
