"""Errors as the program has them: what, where, and what to do."""


class Error(Exception):
    """A call did not give its result.

    Attributes
    ----------
    what : str
        What went wrong.
    where : str
        The file, field, step or parameter; may be empty.
    advice : str
        What to do about it; may be empty.
    """

    def __init__(self, what: str, where: str = "", advice: str = "", message: str = ""):
        self.what = what
        self.where = where
        self.advice = advice
        if not message:
            message = (f"{where}: " if where else "") + what + (f"; {advice}" if advice else "")
        super().__init__(message)

    def __reduce__(self):
        return (Error, (self.what, self.where, self.advice, str(self)))
