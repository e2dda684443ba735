"""Links of the pages, turned into links of the site."""
import os
import re

import contents
import pages
from contents import ROOT

PICTURES = (".png", ".svg")
# Stands before what lies in the site and is no page of it; conf.py takes it off again.
OTHER = "site:"


class Links:
    """Turns the links of pages. `cpp`: pages of the C++ reference by the header that they are about.
    `files` collects what has to be listed, `pictures` what has to be copied."""

    def __init__(self, cpp):
        self.cpp = cpp
        self.files = set()
        self.pictures = set()

    def target(self, page, target):
        """What a link of a page (path as text) is in the site."""
        if re.match(r"[a-z]+:", target) or target.startswith("#"):
            return target
        path, _, anchor = target.partition("#")
        file = os.path.normpath(os.path.join(os.path.dirname(page), path))
        if file.startswith(".."):
            raise ValueError(f"{page}: {target} leaves the repository")
        if not (ROOT / file).exists():
            raise ValueError(f"{page}: {target} is not there")
        if file.endswith(".md"):
            place = contents.place_of(file)
        elif file.endswith(PICTURES):
            self.pictures.add(file)
            place = contents.place_of(file)
        elif file in self.cpp:
            return f"{OTHER}cpp/{self.cpp[file]}"
        else:
            self.files.add(file)
            place = listing_of(file)
        start = os.path.dirname(contents.place_of(page))
        return os.path.relpath(place, start or ".") + (f"#{anchor}" if anchor else "")

    def line(self, page, text):
        """A line outside of blocks: its links; and code that names a source leads to it."""
        # Code is left as it is: split() gives text, code, marks, text, code, marks, …
        parts = re.split(r"((?<!`)(`+)(?!`).*?(?<!`)\2(?!`))", text)
        out = ""
        for i in range(0, len(parts), 3):
            out += re.sub(r"\]\(([^()\s]+)\)", lambda m: f"]({self.target(page, m[1])})", parts[i])
            if i + 1 < len(parts):
                in_link = parts[i].endswith("[") and parts[i + 3].startswith("](")
                out += parts[i + 1] if in_link or text.startswith("#") else self.code(parts[i + 1])
        return out

    def code(self, text):
        """`core/…`, as a link where it is in the C++ reference."""
        name = text.strip("`")
        return f"[{text}]({OTHER}cpp/{self.cpp[name]})" if name in self.cpp else text

    def page(self, page):
        """The whole text of a page of the repository."""
        file = ROOT / page
        lines = file.read_text(encoding="utf-8").splitlines()
        for line in pages.lines_of(file):
            if line.fence is None:
                lines[line.number - 1] = self.line(page, line.text)
        return "\n".join(lines) + "\n"


def listing_of(file):
    return f"{contents.FILES}/{file}.md"
