"""Where each page of the repository lies in the site, and in which order the sidebar names them."""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/docs"))
import pages  # noqa: E402

# Pages that are written here, not there.
COMMANDS = "command-line-all.md"
PYTHON = "python-module.md"
OPERATIONS = "python-operations.md"
CPP = "cpp.md"
# Listings of files that pages lead to.
FILES = "files"

FRONT = "README.md"
DOCS = "resources/docs"
# Caption, then (name in the sidebar, page of the repository or one of those above). In the order of
# what people come for. A page that is in none of them, and in no index below, fails the build.
SIDEBAR = [
    ("Guide", [
        ("First minutes", FRONT),
        ("All tasks", f"{DOCS}/guide/README.md"),
    ]),
    ("Command line", [
        ("The command line", f"{DOCS}/command-line.md"),
        ("All commands", COMMANDS),
    ]),
    ("Python", [
        ("Python", f"{DOCS}/python.md"),
        ("Operations", OPERATIONS),
        ("Classes and functions", PYTHON),
    ]),
    ("Subjects", [
        ("Threshold and topology", f"{DOCS}/topology.md"),
        ("Cells", f"{DOCS}/cells.md"),
        ("Cryo-EM", f"{DOCS}/cryoem.md"),
        ("Deconvolution in depth", f"{DOCS}/deconvolution.md"),
    ]),
    ("Look up", [
        ("Formats", f"{DOCS}/formats.md"),
        ("Clusters", f"{DOCS}/clusters.md"),
        ("Packages", f"{DOCS}/packages.md"),
        ("GPUs", f"{DOCS}/gpu.md"),
        ("Trouble", f"{DOCS}/troubleshooting.md"),
        ("Glossary", f"{DOCS}/glossary.md"),
    ]),
    ("How it is built", [
        ("Architecture", f"{DOCS}/architecture.md"),
        ("Decisions", f"{DOCS}/decisions.md"),
        ("Benchmarks", f"{DOCS}/benchmarks.md"),
        ("C++", CPP),
        ("Contributing", "resources/CONTRIBUTING.md"),
        ("Security", "resources/SECURITY.md"),
        ("Changes", "resources/CHANGELOG.md"),
    ]),
]
# Pages that list those of a folder: the sidebar follows their order and their words. Those of the
# guide stand beside their index, the others below it.
INDEXES = {
    f"{DOCS}/guide/README.md": f"{DOCS}/guide",
    f"{DOCS}/decisions.md": "resources/decisions",
    f"{DOCS}/benchmarks.md": "resources/benchmarks",
}
BESIDE = {f"{DOCS}/guide/README.md"}


def place_of(page):
    """Where a page of the repository (a path as text) lies in the site."""
    if not page.startswith(("README.md", "resources/")):
        return page
    folder, _, name = page.rpartition("/")
    folder = re.sub(r"^resources(/docs)?/?", "", folder)
    name = "index.md" if name == "README.md" else name
    if name.isupper() or name.removesuffix(".md").isupper():
        name = name.lower()
    return f"{folder}/{name}" if folder else name


def listed_in(index):
    """(name, page) of the pages that an index lists of its folder, in its order, each once."""
    out = {}
    for line in pages.lines_of(ROOT / index):
        for name, target in re.findall(r"\[([^\]]+)\]\(([^()\s#]+\.md)\)", line.text):
            page = ((ROOT / index).parent / target).resolve()
            if page.parent == ROOT / INDEXES[index] and page.exists():
                out.setdefault(str(page.relative_to(ROOT)), name)
    return [(name, page) for page, name in out.items()]


def tree(entries, caption=""):
    """A toctree that the page does not show, only the sidebar."""
    lines = ["", "```{toctree}", ":hidden:"]
    if caption:
        lines.append(f":caption: {caption}")
    lines.append("")
    lines += [f"{name} <{'self' if page == FRONT else '/' + place_of(page).removesuffix('.md')}>"
              for name, page in entries]
    return "\n".join([*lines, "```", ""])


def trees_of(page):
    """What the sidebar takes from a page of the repository; to be put at its end."""
    if page in INDEXES and page not in BESIDE:
        return tree(listed_in(page))
    if page != FRONT:
        return ""
    text = ""
    for caption, entries in SIDEBAR:
        whole = []
        for entry in entries:
            whole.append(entry)
            if entry[1] in BESIDE:
                whole += listed_in(entry[1])
        text += tree(whole, caption)
    return text
