"""The page of all commands, from what the program says of itself."""
import re
import subprocess
import sys

from contents import ROOT

sys.path.insert(0, str(ROOT / "resources/packages"))
from man_page import entries, help_of, sections  # noqa: E402

HEAD = """# All commands
What `{name} --help` and `{name} COMMAND --help` say, version {version}. What the commands are for, with
examples: [the command line](command-line.md).

"""
# Said by all commands.
ALWAYS = ("-h,--help",)


def cell(text):
    """Text as a cell of a table: nothing in it is Markdown."""
    for sign in "\\`*_[]<>|$":
        text = text.replace(sign, "\\" + sign)
    return text


def term_cell(term):
    """An option: its names as code, and what it takes, which may go on in the next line."""
    names, _, takes = term.partition(" ")
    names = re.sub(r"\{\w+\}$", "", names).replace("|", "\\|")
    takes = re.sub(r"([,:])(?=[^\s,])", r"\1 ", takes)
    return f"`` {names} ``" + (f" {cell(takes)}" if takes else "")


def table(lines, head, links=""):
    """An indented list as a table. Sentences that stand below it are left out: all commands end with
    the same ones."""
    rows = [f"| {f'[{term}]({links}{term})' if links else term_cell(term)} | {cell(text)} |"
            for term, text in entries(lines) if term is not None and term not in ALWAYS]
    return [f"| {head} | |", "|---|---|", *rows, ""] if rows else []


def usage(lines, name):
    return next((line for line in lines if line.startswith("Usage:")), f"Usage: {name}")[6:].strip()


def commands_in(lines):
    """Names of the commands that a help lists."""
    return [term for heading, body in sections(lines) if heading == "Subcommands"
            for term, _ in entries(body) if term is not None]


def parts(lines, name, path=()):
    """The lists of a help."""
    out = ["```text", usage(lines, name), "```", ""]
    for heading, body in sections(lines[1:]):
        if heading == "Subcommands":
            out += table(body, "Command", links="#" + "".join(f"{one}-" for one in path))
        elif heading and not heading.startswith("Usage"):
            out += table(body, heading)
    return out


def command(program, path):
    """The section of a command, with those of its own."""
    lines = help_of(program, *path)
    out = [f"{'#' * (len(path) + 1)} {' '.join(path)}", cell(lines[0]), "",
           *parts(lines, program.name, path)]
    for name in commands_in(lines):
        out += command(program, (*path, name))
    return out


def page(program):
    """Markdown."""
    lines = help_of(program)
    version = subprocess.run([program, "--version"], capture_output=True, text=True,
                             check=True).stdout.split()[-1]
    listed = commands_in(lines)
    if not listed:
        raise ValueError(f"{program} lists no commands")
    out = [HEAD.format(name=program.name, version=version), *parts(lines, program.name)]
    for name in listed:
        out += command(program, (name,))
    return "\n".join(out)
