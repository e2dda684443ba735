#!/usr/bin/env python3
"""Writes the manual page of a program (troff, packed) from what its --help says.

usage: man_page.py PROGRAM OUT.1.gz
"""
import gzip
import os
import re
import subprocess
import sys


def help_of(program, *words):
    """The lines of the help of a program or of one of its commands."""
    shown = subprocess.run(
        [program, *words, "--help"], capture_output=True, text=True, check=True,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen", "COLUMNS": "80"})
    return shown.stdout.splitlines()


def plain(text):
    """Text as troff takes it: nothing in it is a command."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")
    # Where a long word may go on in the next line.
    text = re.sub(r"([,|/:{}])(?=\S)", r"\1\\:", text)
    return "\\&" + text if text.startswith((".", "'")) else text


def sections(lines):
    """[(heading, [line…])]; what stands before the first heading has the heading ''."""
    out = [("", [])]
    for line in lines:
        heading = re.fullmatch(r"(\S.*):", line)
        if heading:
            out.append((heading.group(1), []))
        else:
            out[-1][1].append(line)
    return out


def entries(lines):
    """[(term, explanation)] of an indented list; an unindented line is a sentence (None, line)."""
    out = []
    for line in lines:
        if not line.strip():
            continue
        if not line.startswith(" "):
            out.append((None, line))
            continue
        indent = len(line) - len(line.lstrip())
        if indent > 4 and out and out[-1][0] is not None:
            out[-1] = (out[-1][0], (out[-1][1] + " " + line.strip()).strip())
            continue
        term, _, rest = line.strip().partition("  ")
        out.append((term, rest.strip()))
    return out


def listed(lines):
    """An indented list as troff."""
    out = []
    for term, text in entries(lines):
        if term is None:
            out += [".PP", plain(text)]
        else:
            out += [".TP", "\\fB" + plain(term) + "\\fR", plain(text)]
    return out


def page(program):
    name = os.path.basename(program)
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True,
                             env={**os.environ, "QT_QPA_PLATFORM": "offscreen"}).stdout.split()[-1]
    lines = help_of(program)
    summary = lines[0].rstrip(".")
    out = [f'.TH {name.upper()} 1 "" "{name} {version}" "User Commands"',
           ".SH NAME", f"{plain(name)} \\- {plain(summary[0].lower() + summary[1:])}",
           ".SH SYNOPSIS", f"\\fB{plain(name)}\\fR " +
           plain(next(l for l in lines if l.startswith("Usage:")).split(name, 1)[1].strip())]
    commands = []
    for heading, body in sections(lines[2:]):
        if heading:
            out.append(".SH " + heading.upper())
            out += listed(body)
        if heading == "Subcommands":
            commands = [term for term, _ in entries(body) if term]
    for command in commands:
        shown = help_of(program, command)
        out += [f".SH COMMAND {command.upper()}", plain(shown[0]), ".PP", "\\fB" + plain(
            next((l for l in shown if l.startswith("Usage:")), "Usage: " + name).split(":", 1)[1].strip()) + "\\fR"]
        for heading, body in sections(shown[1:]):
            if heading:
                out += [".SS " + plain(heading)] + listed(body)
    out += [".SH SEE ALSO",
            "\\fBaprscope\\fR(1), \\fBaprscope\\-cli\\fR(1). The guide lies in "
            "\\fI/usr/share/aprscope/resources/docs\\fR where the window is installed."]
    return "\n".join(out) + "\n"


def main():
    program, target = sys.argv[1:]
    with open(target, "wb") as file:
        # The same bytes from the same program.
        with gzip.GzipFile(filename="", mode="wb", fileobj=file, compresslevel=9, mtime=0) as packed:
            packed.write(page(program).encode())


if __name__ == "__main__":
    main()
