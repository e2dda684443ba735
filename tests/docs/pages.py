"""What the tests ask of a page of Markdown: its paragraphs, links, headings and commands."""
import re
import shlex
import unicodedata
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FENCE = re.compile(r"^\s*(```+|~~~+)\s*(\w*)")
NOT_RUN = re.compile(r"<!--\s*not run:\s*(.*?)\s*-->")


def all_pages():
    """README.md and every page in resources/, sorted."""
    return [ROOT / "README.md", *sorted((ROOT / "resources").rglob("*.md"))]


def name_of(page):
    return str(page.relative_to(ROOT))


@dataclass
class Line:
    """A line of a page with its number; `fence` is the language of the block that it lies in, or
    None outside of blocks. The lines of the fences themselves are left out."""
    number: int
    text: str
    fence: str | None


def lines_of(page):
    out, fence, mark = [], None, ""
    for number, text in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        found = FENCE.match(text)
        if found and fence is None:
            fence, mark = found[2], found[1]
        elif found and found[1] == mark and not found[2]:
            fence = None
        else:
            out.append(Line(number, text, fence))
    if fence is not None:
        raise ValueError(f"{name_of(page)}: a block of code does not end")
    return out


def paragraphs(page):
    """Texts between empty lines; each item of a list, heading and line of a table by itself."""
    out, current = [], []
    for line in lines_of(page):
        new = re.match(r"\s*([-*+]|\d+\.)\s|#|\||!\[", line.text)
        alone = bool(current) and current[-1].startswith("#")
        if line.fence is not None or not line.text.strip() or new or alone:
            out.append(" ".join(current))
            current = []
        if line.fence is None and line.text.strip():
            current.append(line.text.strip())
    out.append(" ".join(current))
    return [text for text in out if text]


def words(page):
    return len(page.read_text(encoding="utf-8").split())


def outside_code(text):
    """The text without `code`."""
    return re.sub(r"(`+).*?\1", "", text)


def links(page):
    """(line number, target) of all links and pictures that lie in this repository."""
    out = []
    for line in lines_of(page):
        if line.fence is not None:
            continue
        for target in re.findall(r"\]\(([^()\s]+)\)", outside_code(line.text)):
            if not re.match(r"[a-z]+:", target):
                out.append((line.number, target))
    return out


def anchor_of(heading):
    """The anchor that GitHub gives a heading."""
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
    kept = [c for c in plain if c in " -_" or unicodedata.category(c)[0] in "LN"]
    return "".join(kept).replace(" ", "-")


def anchors(page):
    out = {}
    for line in lines_of(page):
        found = re.match(r"#{1,6}\s+(.*?)\s*#*$", line.text)
        if line.fence is None and found:
            anchor = anchor_of(found[1])
            times = out.get(anchor, 0)
            out[anchor] = times + 1
            if times:
                out[f"{anchor}-{times}"] = 1
    return set(out)


@dataclass
class Command:
    """A line of a ```sh block that calls aprscope-cli. `why_not`: the reason why it is not run."""
    page: Path
    number: int
    text: str
    why_not: str | None

    def where(self):
        return f"{name_of(self.page)}:{self.number}: {self.text}"

    def arguments(self):
        """What stands behind aprscope-cli, without comments."""
        return shlex.split(self.text, comments=True)[1:]


def commands(page):
    """All commands of a page. A comment <!-- not run: REASON --> before a block, or a comment
    "# not run: REASON" behind a command, takes them out."""
    out, reason, before = [], None, None
    for line in lines_of(page):
        if line.fence is None:
            found = NOT_RUN.search(line.text)
            reason = found[1] if found else None
            before = None
            continue
        if line.fence != "sh" or "aprscope-cli" not in line.text:
            continue
        why_not = reason
        own = re.search(r"#\s*not run:\s*(.*)$", line.text)
        if own:
            why_not = own[1]
        if before is None or line.text.lstrip().startswith(("aprscope-cli ", "mpirun ")):
            out.append(Command(page, line.number, line.text.strip(), why_not))
        before = line
    return out
