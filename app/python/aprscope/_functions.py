"""A function for each operation; its stub, _functions.pyi, is written by resources/setup/python_stubs.py."""
from ._run import call
from ._schema import functions

_made = functions(call)
globals().update(_made)
__all__ = list(_made)
