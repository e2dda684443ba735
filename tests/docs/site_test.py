"""Tests of what follows the links of the site, and of what makes its pages. They need neither the site
nor the program."""
import sys
import tempfile
import unittest
from pathlib import Path

import pages
from site_links import Site

sys.path.insert(0, str(pages.ROOT / "resources/site"))
import command_page  # noqa: E402
import contents  # noqa: E402
import cpp_page  # noqa: E402
import python_pages  # noqa: E402
from links import Links  # noqa: E402

CPP = {"core/base/result.hpp": "result_8hpp.html"}

HELP = """Filters pixels or particles.
Usage: aprscope-cli filter [OPTIONS] input

Positionals:
  input TEXT REQUIRED         a file

Options:
  -h,--help                   Print this help message and exit
  -o,--output TEXT:{a,b}      where it goes
  --stencil SPEC REQUIRED
                              gaussian:sigma=2|box:size=3; a_b_c

Subcommands:
  merge                       Puts together

Reads TIFF and others.
""".splitlines()

TAGS = """<tagfile>
  <compound kind="file"><name>result.hpp</name><path>{root}/core/base/</path>
    <filename>result_8hpp.html</filename></compound>
  <compound kind="class"><name>Result</name><filename>class.html</filename></compound>
</tagfile>
"""


class Following(unittest.TestCase):
    """A small site that is whole, and the same one with a defect each."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="aprscope-site-")
        self.addCleanup(self.folder.cleanup)
        self.write("index.html", '<h1 id="top-one">One</h1><a href="guide/two.html#there">two</a>'
                                 '<img src="one.svg"><a href="https://example.org/x">far</a>')
        self.write("guide/two.html", '<a name="there"></a><a href="../index.html#top-one">back</a>'
                                     '<a href="#there">here</a><link href="../site.css">')
        self.write("one.svg", "<svg/>")
        self.write("site.css", '/* url(no.png) */ a { background: url("one.svg") }')

    def write(self, name, text):
        path = Path(self.folder.name) / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def add(self, text):
        path = Path(self.folder.name) / "guide/two.html"
        path.write_text(path.read_text(encoding="utf-8") + text, encoding="utf-8")

    def problems(self):
        return Site(Path(self.folder.name)).problems()

    def test_finds_nothing_wrong_with_it(self):
        self.assertEqual(self.problems(), [])

    def test_counts_what_it_followed(self):
        site = Site(Path(self.folder.name))
        site.problems()
        self.assertEqual(site.links, 7)

    def test_finds_each_defect(self):
        for text, wrong in (
                ('<a href="three.html">', "is not there"),
                ('<a href="../index.html#gone">', "names an anchor that is not there"),
                ('<a href="#gone">', "names an anchor that is not there"),
                ('<img src="../gone.png">', "is not there"),
                ('<img srcset="../one.svg 1x, ../gone.svg 2x">', "is not there"),
                ('<form action="gone.html">', "is not there"),
                ('<a href="../../index.html">', "leaves the site"),
                ('<a href="/index.html">', "begins at the root"),
                ('<a href="../guide">', "is a folder"),
                ('<a href="https://nowhere">', "is no address"),
                ('<a href="https://exa mple.org/">', "is no address"),
                ('<a href="mailto:somebody">', "is no address"),
                ('<a href="file:///etc/passwd">', "is of no kind"),
                ('<a href="site:cpp/index.html">', "is of no kind"),
                ('<script src="https://example.org/x.js"></script>', "is loaded from elsewhere"),
                ('<img src="//example.org/x.png">', "is loaded from elsewhere")):
            with self.subTest(text):
                self.setUp()
                self.add(text)
                found = self.problems()
                self.assertEqual(len(found), 1, found)
                self.assertTrue(found[0].startswith("guide/two.html:1: "), found)
                self.assertIn(wrong, found[0])

    def test_finds_what_a_style_sheet_lacks(self):
        self.write("site.css", "/* a\ncomment */\na { background: url(gone.png) }")
        self.assertEqual(self.problems(), ["site.css:3: gone.png is not there"])

    def test_finds_pages_that_nobody_leads_to(self):
        self.write("guide/alone.html", "<p>Alone.</p>")
        self.assertEqual(self.problems(), ["guide/alone.html: no page leads there"])

    def test_finds_an_empty_folder(self):
        (Path(self.folder.name) / "index.html").unlink()
        self.assertEqual(self.problems(), ["index.html: is not there"])


class Places(unittest.TestCase):
    def test_of_pages(self):
        for page, place in (("README.md", "index.md"),
                            ("resources/docs/guide/README.md", "guide/index.md"),
                            ("resources/docs/gpu.md", "gpu.md"),
                            ("resources/decisions/tiff-packing.md", "decisions/tiff-packing.md"),
                            ("resources/SECURITY.md", "security.md"),
                            ("resources/screenshots/window.png", "screenshots/window.png")):
            with self.subTest(page):
                self.assertEqual(contents.place_of(page), place)

    def test_are_a_page_each(self):
        places = [contents.place_of(pages.name_of(page)) for page in pages.all_pages()]
        places += [contents.COMMANDS, contents.PYTHON, contents.OPERATIONS, contents.CPP]
        self.assertEqual(len(places), len({place.lower() for place in places}))

    def test_in_the_sidebar_are_all(self):
        shown = [page for _, entries in contents.SIDEBAR for _, page in entries]
        for index in contents.INDEXES:
            self.assertIn(index, shown)
            shown += [page for _, page in contents.listed_in(index)]
        self.assertEqual(len(shown), len(set(shown)))
        for page in pages.all_pages():
            with self.subTest(pages.name_of(page)):
                self.assertIn(pages.name_of(page), shown)


class Turning(unittest.TestCase):
    def setUp(self):
        self.links = Links(CPP)

    def turned(self, text, page="resources/docs/guide/filter.md"):
        return self.links.line(page, text)

    def test_links_of_pages(self):
        for text, expected in (
                ("[a](open.md)", "[a](open.md)"),
                ("[a](README.md)", "[a](index.md)"),
                ("[a](../gpu.md) and [b](../../../README.md)", "[a](../gpu.md) and [b](../index.md)"),
                ("[a](../command-line.md#filters-as-text)", "[a](../command-line.md#filters-as-text)"),
                ("[a](#borders)", "[a](#borders)"),
                ("[a](https://example.org/x)", "[a](https://example.org/x)"),
                ("`[a](../gone.md)`", "`[a](../gone.md)`"),
                ("``a`b`` [c](../../SECURITY.md)", "``a`b`` [c](../security.md)")):
            with self.subTest(text):
                self.assertEqual(self.turned(text), expected)

    def test_pictures_are_copied(self):
        self.assertEqual(self.turned("![a](../../screenshots/filter.png)"),
                         "![a](../screenshots/filter.png)")
        self.assertEqual(self.links.pictures, {"resources/screenshots/filter.png"})

    def test_files_are_listed(self):
        self.assertEqual(self.turned("[a](../../recipes/denoise.json), [b](../../recipes)"),
                         "[a](../files/resources/recipes/denoise.json.md), "
                         "[b](../files/resources/recipes.md)")
        self.assertEqual(self.links.files, {"resources/recipes/denoise.json", "resources/recipes"})

    def test_headers_lead_to_their_reference(self):
        self.assertEqual(self.turned("see `core/base/result.hpp`."),
                         "see [`core/base/result.hpp`](site:cpp/result_8hpp.html).")
        self.assertEqual(self.turned("[a](../../../core/base/result.hpp)"),
                         "[a](site:cpp/result_8hpp.html)")
        for text in ("[`core/base/result.hpp`](open.md)", "# `core/base/result.hpp`",
                     "`core/base/gone.hpp`"):
            with self.subTest(text):
                self.assertEqual(self.turned(text), text)

    def test_refuses_what_is_not_there(self):
        for text in ("[a](gone.md)", "[a](../../../../gone.md)"):
            with self.subTest(text), self.assertRaises(ValueError):
                self.turned(text)

    def test_leaves_blocks_alone(self):
        for page in pages.all_pages():
            name = pages.name_of(page)
            before = page.read_text(encoding="utf-8").splitlines()
            after = self.links.page(name).splitlines()
            self.assertEqual(len(before), len(after), name)
            for line in pages.lines_of(page):
                if line.fence is not None:
                    self.assertEqual(before[line.number - 1], after[line.number - 1], name)


class Commands(unittest.TestCase):
    def setUp(self):
        self.text = "\n".join(command_page.parts(HELP, "aprscope-cli", ("filter",)))

    def test_options_become_rows(self):
        self.assertIn("| Positionals | |\n|---|---|\n| `` input `` TEXT REQUIRED | a file |", self.text)
        self.assertIn("| `` -o,--output `` TEXT: {a, b} | where it goes |", self.text)
        self.assertIn("| `` --stencil `` SPEC REQUIRED | gaussian:sigma=2\\|box:size=3; a\\_b\\_c |",
                      self.text)

    def test_commands_lead_to_their_sections(self):
        self.assertIn("| Command | |\n|---|---|\n| [merge](#filter-merge) | Puts together |", self.text)
        self.assertEqual(command_page.commands_in(HELP), ["merge"])

    def test_usage_is_shown(self):
        self.assertIn("```text\naprscope-cli filter [OPTIONS] input\n```", self.text)

    def test_what_all_say_is_left_out(self):
        self.assertNotIn("Reads", self.text)
        self.assertNotIn("--help", self.text)


class Python(unittest.TestCase):
    def test_names_all_that_the_module_gives(self):
        text = python_pages.module_page()
        names = [name for names in python_pages.exported().values() for name in names]
        self.assertGreater(len(names), 20)
        for name in names:
            if name != "__version__":
                with self.subTest(name):
                    self.assertIn(f"\n### {name}\n", text)

    def test_names_all_operations(self):
        text = python_pages.operations_page()
        self.assertGreater(len(python_pages.operations()), 30)
        for name in python_pages.operations():
            with self.subTest(name):
                self.assertIn(f"\n## {name}\n", text)

    def test_docstrings_become_tables(self):
        text = python_pages.text_of("Adds *one*.\n\nParameters\n----------\ndata : Apr | Image\n"
                                    "    What it\n    is.\n\nReturns\n-------\nApr\n    The same.\n")
        self.assertEqual(text, "Adds \\*one\\*.\n\n\n| Parameters | | |\n|---|---|---|\n"
                               "| `data` | Apr \\| Image | What it is. |\n\n"
                               "**Returns** `Apr`: The same.\n")

    def test_attributes_have_their_words(self):
        text = python_pages.module_page()
        self.assertIn("| `seconds` | float | Of all steps. |", text)
        self.assertIn("| `data` |  | The result; what came in where all steps measure. |", text)
        self.assertIn("| `cr` | float | Computational ratio: pixels ÷ particles. |", text)


class Cpp(unittest.TestCase):
    def test_lists_headers_by_folder(self):
        with tempfile.TemporaryDirectory(prefix="aprscope-site-") as folder:
            tags = Path(folder) / "tags"
            tags.write_text(TAGS.format(root=pages.ROOT), encoding="utf-8")
            found = cpp_page.places(tags)
        self.assertEqual(found, CPP)
        self.assertIn("| `core/base` | [result](site:cpp/result_8hpp.html) |", cpp_page.page(found))


if __name__ == "__main__":
    unittest.main(verbosity=2 if "-v" in sys.argv else 1)
