#!/usr/bin/env python3
"""Gathers the pages that the site is made of, with their links turned, in a folder for Sphinx.

usage: gather.py --cli PROGRAM --cpp-tags FILE --to FOLDER
"""
import argparse
import shutil
import sys
from pathlib import Path

import command_page
import contents
import cpp_page
import pages
import python_pages
from contents import ROOT
from links import Links, listing_of

LANGUAGES = {".json": "json", ".py": "python", ".sh": "sh", ".cff": "yaml", ".hpp": "cpp",
             ".cpp": "cpp", ".cmake": "cmake", ".nf": "groovy"}


def write(folder, place, text):
    path = folder / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def listing(file):
    """The page of a file, or of a folder, that a page leads to; and what else has to be listed then."""
    head = f"---\norphan: true\n---\n\n# {file}\n"
    path = ROOT / file
    if path.is_dir():
        inside = sorted(one.name for one in path.iterdir() if one.is_file())
        return head + "".join(f"- [{name}]({path.name}/{name}.md)\n" for name in inside), \
            [f"{file}/{name}" for name in inside]
    text = path.read_text(encoding="utf-8")
    fence = "`" * 3
    while fence in text:
        fence += "`"
    language = LANGUAGES.get(path.suffix, "text")
    return f"{head}\n{fence}{language}\n{text.rstrip()}\n{fence}\n", []


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cli", type=Path, required=True)
    parser.add_argument("--cpp-tags", type=Path, required=True)
    parser.add_argument("--to", type=Path, required=True)
    options = parser.parse_args()

    shutil.rmtree(options.to, ignore_errors=True)
    cpp = cpp_page.places(options.cpp_tags)
    links = Links(cpp)
    for file in pages.all_pages():
        page = pages.name_of(file)
        write(options.to, contents.place_of(page), links.page(page) + contents.trees_of(page))
    write(options.to, contents.COMMANDS, command_page.page(options.cli.resolve()))
    write(options.to, contents.PYTHON, python_pages.module_page())
    write(options.to, contents.OPERATIONS, python_pages.operations_page())
    write(options.to, contents.CPP, cpp_page.page(cpp))

    waiting, seen = sorted(links.files), set()
    while waiting:
        file = waiting.pop()
        if file in seen:
            continue
        seen.add(file)
        text, inside = listing(file)
        write(options.to, listing_of(file), text)
        waiting += inside
    for picture in sorted(links.pictures):
        target = options.to / contents.place_of(picture)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / picture, target)


if __name__ == "__main__":
    try:
        main()
    except (OSError, ValueError) as wrong:
        sys.exit(f"gather.py: {wrong}")
