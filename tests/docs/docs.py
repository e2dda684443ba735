"""Tests of the pages: README.md and resources/**/*.md.

usage: docs.py --cli PROGRAM [UNITTEST ARGUMENTS…]
Commands of the pages run in a temporary folder with small files of the names that they use. Those
that are not run are listed with the reason that the page gives.
"""
import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import inputs
import pages

README = pages.ROOT / "README.md"
COMMAND_LINE = pages.ROOT / "resources/docs/command-line.md"
CLI = None

MOST_WORDS = 900
LONGEST_PARAGRAPH = 499
SECONDS_A_COMMAND = 120
BLOCKS_OF = [README, *sorted((pages.ROOT / "resources/docs").rglob("*.md"))]


def help_of(*command):
    return subprocess.run([CLI, *command, "--help"], check=True, capture_output=True,
                          text=True).stdout


def subcommands():
    listed = help_of().split("Subcommands:")[1]
    return re.findall(r"^  ([a-z][a-z-]*) ", listed, re.MULTILINE)


def options_in(text):
    return set(re.findall(r"(?<![\w-])(--[a-z][a-z0-9-]*)", text))


class Readme(unittest.TestCase):
    def test_is_a_page(self):
        self.assertLessEqual(pages.words(README), MOST_WORDS)

    def test_has_short_paragraphs(self):
        for text in pages.paragraphs(README):
            with self.subTest(text[:60]):
                self.assertLessEqual(len(text), LONGEST_PARAGRAPH)

    def test_shows_the_house(self):
        self.assertIn("architecture", pages.anchors(README))

    def test_leads_to_every_page_of_the_guide(self):
        linked = {(README.parent / target.split("#")[0]).resolve()
                  for _, target in pages.links(README)}
        index = pages.ROOT / "resources/docs/guide/README.md"
        self.assertIn(index, linked)
        linked |= {(index.parent / target.split("#")[0]).resolve()
                   for _, target in pages.links(index)}
        for page in sorted((pages.ROOT / "resources/docs").rglob("*.md")):
            with self.subTest(pages.name_of(page)):
                self.assertIn(page, linked | {index})


class Links(unittest.TestCase):
    def test_lead_to_files_and_headings_that_are_there(self):
        seen = 0
        for page in pages.all_pages():
            for number, target in pages.links(page):
                seen += 1
                with self.subTest(f"{pages.name_of(page)}:{number}", target=target):
                    path, _, anchor = target.partition("#")
                    file = (page.parent / path).resolve() if path else page
                    self.assertTrue(file.is_relative_to(pages.ROOT), "leaves the repository")
                    self.assertTrue(file.exists(), "there is no such file")
                    if anchor:
                        self.assertEqual(file.suffix, ".md")
                        self.assertIn(anchor, pages.anchors(file))
        self.assertGreater(seen, 50)


class Places(unittest.TestCase):
    def test_in_the_source_that_pages_name_exist(self):
        """Files and folders, such as core/apr/structure/access.hpp, that stand in code."""
        seen = 0
        for page in [README, pages.ROOT / "resources/CONTRIBUTING.md", *BLOCKS_OF[1:]]:
            for line in pages.lines_of(page):
                if line.fence is not None:
                    continue
                for code in re.findall(r"`([^`]+)`", line.text):
                    place = code.split()[0]
                    if not re.match(r"(app|core|gpu|render|resources|tests)/[\w./*-]+$", place):
                        continue
                    seen += 1
                    with self.subTest(f"{pages.name_of(page)}:{line.number}", place=place):
                        self.assertTrue(list(pages.ROOT.glob(place.rstrip("/"))), "is not there")
        self.assertGreater(seen, 20)


class Pictures(unittest.TestCase):
    def test_are_made_by_the_program(self):
        script = (pages.ROOT / "resources/setup/screenshots.sh").read_text(encoding="utf-8")
        shown = {Path(target).name for page in pages.all_pages()
                 for _, target in pages.links(page) if target.endswith(".png")}
        self.assertGreater(len(shown), 10)
        for name in sorted(shown):
            with self.subTest(name):
                self.assertIn(f"resources/screenshots/{name}", script)


class Messages(unittest.TestCase):
    def test_that_are_explained_exist(self):
        """Each message of the table is one of the program; "…" stands for what differs."""
        code = ""
        for folder in ("core", "gpu", "app"):
            for file in sorted((pages.ROOT / folder).rglob("*.cpp")):
                code += file.read_text(encoding="utf-8")
        # A literal that goes on in the next line is one.
        code = re.sub(r'"\s*\n\s*"', "", code)
        page = pages.ROOT / "resources/docs/troubleshooting.md"
        table = page.read_text(encoding="utf-8").split("## Messages")[1].split("\n## ")[0]
        messages = re.findall(r"^\| \*(.*?)\* \|", table, re.MULTILINE)
        self.assertGreater(len(messages), 10)
        for message in messages:
            for part in message.split("…"):
                with self.subTest(message, part=part):
                    self.assertTrue(part.strip(' "').replace('"', '\\"') in code, "not in the code")


class Index(unittest.TestCase):
    """Pages that list others list all of them."""

    def lists_all(self, page, folder):
        linked = {(page.parent / target.split("#")[0]).resolve()
                  for _, target in pages.links(page)}
        for one in sorted((pages.ROOT / folder).glob("*.md")):
            with self.subTest(pages.name_of(one)):
                self.assertIn(one, linked)

    def test_of_decisions(self):
        self.lists_all(pages.ROOT / "resources/docs/decisions.md", "resources/decisions")

    def test_of_benchmarks(self):
        self.lists_all(pages.ROOT / "resources/docs/benchmarks.md", "resources/benchmarks")


class CommandLine(unittest.TestCase):
    def test_names_every_command(self):
        text = COMMAND_LINE.read_text(encoding="utf-8")
        for name in subcommands():
            with self.subTest(name):
                self.assertIn(f"`{name}`", text)

    def test_options_in_its_text_exist(self):
        known = options_in(help_of())
        for name in subcommands():
            known |= options_in(help_of(name))
        text = re.sub(r"`sudo cmake[^`]*`", "", COMMAND_LINE.read_text(encoding="utf-8"))
        named = options_in(text)
        self.assertGreater(len(named), 20)
        self.assertEqual(named - known, set())

    def test_names_every_kind_of_stencil(self):
        text = COMMAND_LINE.read_text(encoding="utf-8")
        shown = re.search(r"--stencil SPEC REQUIRED\s+(.*?); vectors", help_of("filter"), re.S)[1]
        kinds = {re.match(r"[a-z_]+", one.strip())[0] for one in shown.split("|")}
        self.assertGreater(len(kinds), 10)
        table = set(re.findall(r"^\| `([a-z_]+)", text.split("## Filters as text")[1]
                               .split("\n## ")[0], re.MULTILINE))
        self.assertEqual(table, kinds)


class Commands(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="aprscope-pages-")
        cls.made = Path(cls.folder.name) / "made"
        cls.made.mkdir()
        inputs.make(CLI, cls.made)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_know_their_options(self):
        helps = {name: options_in(help_of(name)) | options_in(help_of()) for name in subcommands()}
        for page in BLOCKS_OF:
            for command in pages.commands(page):
                with self.subTest(command.where()):
                    text = command.text.split(" #")[0]
                    said = text.split("aprscope-cli", 1)[1].split()
                    name = next((word for word in said if word in helps), None)
                    self.assertIsNotNone(name, "names no command")
                    self.assertEqual(options_in(" ".join(said)) - helps[name], set())

    def test_run(self):
        ran, left_out = 0, []
        for page in BLOCKS_OF:
            commands = pages.commands(page)
            if not commands:
                continue
            folder = Path(self.folder.name) / "page"
            shutil.rmtree(folder, ignore_errors=True)
            shutil.copytree(self.made, folder)
            for command in commands:
                if command.why_not is not None:
                    self.assertTrue(command.why_not, command.where() + ": say why it is not run")
                    left_out.append(command)
                    continue
                with self.subTest(command.where()):
                    # A shell, as a reader has: patterns and quotes are its own.
                    line = command.text.replace("aprscope-cli", f"'{CLI}' --quiet", 1)
                    done = subprocess.run(["bash", "-c", line], cwd=folder, capture_output=True,
                                          text=True, timeout=SECONDS_A_COMMAND)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    ran += 1
        print(f"{ran} commands ran, {len(left_out)} did not:")
        for command in left_out:
            print(f"    {command.where()}\n        not run: {command.why_not}")
        self.assertGreater(ran, 50)


def main():
    global CLI
    parser = argparse.ArgumentParser()
    parser.add_argument("--cli", type=Path, required=True)
    options, rest = parser.parse_known_args()
    CLI = str(options.cli.resolve())
    unittest.main(argv=[sys.argv[0], *rest], verbosity=2)


main()
