"""The page that leads to the C++ reference, which Doxygen makes."""
import os
import xml.etree.ElementTree as ElementTree

from contents import ROOT
from links import OTHER

HEAD = """# C++
[The C++ reference]({index}) has every class and function of the headers in `core`, `gpu` and
`render`, with shapes, units and errors. Below are all headers by folder. What the folders are for,
and which may include which: [architecture](architecture.md).

"""


def places(tags):
    """{header: its page}, from the tags that Doxygen writes."""
    out = {}
    for compound in ElementTree.parse(tags).getroot().iter("compound"):
        if compound.get("kind") == "file":
            path = os.path.join(ROOT, compound.findtext("path"), compound.findtext("name"))
            name = compound.findtext("filename")
            out[os.path.relpath(path, ROOT)] = name if name.endswith(".html") else f"{name}.html"
    return out


def page(found):
    """Markdown."""
    folders = {}
    for path in sorted(found):
        folder, _, name = path.rpartition("/")
        if name.endswith(".hpp"):
            folders.setdefault(folder, []).append(
                f"[{name.removesuffix('.hpp')}]({OTHER}cpp/{found[path]})")
    out = [HEAD.format(index=f"{OTHER}cpp/index.html")]
    top = ""
    for folder, headers in sorted(folders.items()):
        if folder.split("/")[0] != top:
            top = folder.split("/")[0]
            out += ["", f"## {top}", "| Folder | Headers |", "|---|---|"]
        out.append(f"| `{folder}` | {', '.join(headers)} |")
    return "\n".join(out) + "\n"
