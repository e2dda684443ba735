"""Follows every link of the site that resources/setup/site.sh builds.

usage: site_links.py FOLDER
What lies in the site has to be there, with the anchor that is named. Addresses elsewhere are not
asked: only their form is looked at. Nothing may be loaded from elsewhere.
"""
import posixpath
import re
import sys
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

# What a browser fetches by itself to show a page.
LOADED = {("img", "src"), ("script", "src"), ("link", "href"), ("source", "src"), ("iframe", "src"),
          ("object", "data"), ("embed", "src"), ("video", "src"), ("audio", "src")}
FOLLOWED = {("a", "href"), ("area", "href"), ("form", "action")}
# The pages of Doxygen lead to each other in scripts, too.
BY_SCRIPTS = ("cpp/",)
HOST = re.compile(r"([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$")


@dataclass
class Link:
    line: int
    target: str
    loaded: bool


@dataclass
class Page:
    links: list[Link] = field(default_factory=list)
    anchors: set[str] = field(default_factory=set)


class Reader(HTMLParser):
    """What a page leads to, and where in it others may lead."""

    def __init__(self):
        super().__init__()
        self.page = Page()

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if value is None:
                continue
            if name == "id" or (tag == "a" and name == "name"):
                self.page.anchors.add(value)
            elif (tag, name) in LOADED or (tag, name) in FOLLOWED:
                self.page.links.append(Link(self.getpos()[0], value.strip(), (tag, name) in LOADED))
            elif name == "srcset":
                for one in value.split(","):
                    self.page.links.append(Link(self.getpos()[0], one.split()[0], True))


def read(path):
    reader = Reader()
    reader.feed(path.read_text(encoding="utf-8"))
    reader.close()
    return reader.page


def style_links(path):
    """What a style sheet loads."""
    text = re.sub(r"/\*.*?\*/", lambda m: "\n" * m[0].count("\n"), path.read_text(encoding="utf-8"),
                  flags=re.DOTALL)
    return [Link(text.count("\n", 0, m.start()) + 1, m[2].strip(), True)
            for m in re.finditer(r"url\(\s*([\"']?)(.*?)\1\s*\)", text)]


def wrong_elsewhere(link):
    """What is wrong with the form of an address outside of the site, or None."""
    parts = urlsplit(link.target)
    if parts.scheme in ("data", "javascript"):
        return None
    if link.loaded:
        return "is loaded from elsewhere"
    if parts.scheme == "mailto":
        return None if re.fullmatch(r"[^@\s]+@[^@\s]+\.[^@\s]+", parts.path) else "is no address"
    if parts.scheme not in ("http", "https"):
        return "is of no kind that a browser follows"
    if not HOST.match(parts.hostname or "") or re.search(r"\s", link.target):
        return "is no address"
    return None


class Site:
    """The pages of a folder, read once."""

    def __init__(self, folder):
        self.folder = folder.resolve()
        self.files = {str(path.relative_to(self.folder)) for path in self.folder.rglob("*")
                      if path.is_file()}
        self.pages = {name: read(self.folder / name) for name in sorted(self.files)
                      if name.endswith(".html")}
        self.styles = {name: Page(style_links(self.folder / name)) for name in sorted(self.files)
                       if name.endswith(".css")}
        self.links = 0

    def aim(self, name, target):
        """(file of the site or None, anchor) of a link in a file."""
        parts = urlsplit(target)
        if not parts.path:
            return name, unquote(parts.fragment)
        # Without following links of the file system, as a browser does.
        file = posixpath.normpath(posixpath.join(posixpath.dirname(name), unquote(parts.path)))
        return None if file.split("/")[0] == ".." else file, unquote(parts.fragment)

    def wrong(self, name, link):
        """What is wrong with a link, or None."""
        parts = urlsplit(link.target)
        if parts.scheme or parts.netloc:
            return wrong_elsewhere(link)
        if link.target.startswith("/"):
            return "begins at the root, which is not that of the site"
        file, anchor = self.aim(name, link.target)
        if file is None:
            return "leaves the site"
        if file not in self.files:
            folder = (self.folder / file).is_dir()
            return "is a folder: name its index.html" if folder else "is not there"
        if anchor and anchor != "top" and file in self.pages and anchor not in self.pages[file].anchors:
            return "names an anchor that is not there"
        return None

    def unreached(self):
        """Pages that no way leads to from the first one."""
        seen, waiting = {"index.html"}, ["index.html"]
        while waiting:
            name = waiting.pop()
            for link in self.pages[name].links:
                if not urlsplit(link.target).scheme:
                    file, _ = self.aim(name, link.target)
                    if file in self.pages and file not in seen:
                        seen.add(file)
                        waiting.append(file)
        return [name for name in self.pages if name not in seen and not name.startswith(BY_SCRIPTS)]

    def problems(self):
        """A line for each."""
        if "index.html" not in self.pages:
            return ["index.html: is not there"]
        out = []
        for name, page in [*self.pages.items(), *self.styles.items()]:
            for link in page.links:
                self.links += 1
                wrong = self.wrong(name, link)
                if wrong:
                    out.append(f"{name}:{link.line}: {link.target} {wrong}")
        return out + [f"{name}: no page leads there" for name in self.unreached()]


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__.split("\n\n")[1])
    site = Site(Path(sys.argv[1]))
    found = site.problems()
    for one in found[:100]:
        print(one, file=sys.stderr)
    anchors = sum(len(page.anchors) for page in site.pages.values())
    print(f"{len(site.pages)} pages, {site.links} links, {anchors} anchors: "
          f"{len(found) or 'no'} broken")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
