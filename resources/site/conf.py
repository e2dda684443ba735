"""How Sphinx builds the site of the pages that gather.py gathered."""
import re
import sys
from pathlib import Path

from docutils import nodes

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from contents import ROOT  # noqa: E402
from links import OTHER  # noqa: E402

project = "aprscope"
version = re.search(r"project\(\s*aprscope\s+VERSION\s+([\d.]+)",
                    (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))[1]
release = version
copyright = "the authors of aprscope; Apache License 2.0"

extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
root_doc = "index"
highlight_language = "text"
# Text stays as it was written: --json is no dash.
smartquotes = False
# Headings have the anchors that the pages' links use, which tests/docs/pages.py knows.
myst_heading_anchors = 6
myst_heading_slug_func = "pages.anchor_of"
myst_url_schemes = ["http", "https", "mailto", OTHER.rstrip(":")]

html_theme = "furo"
html_title = f"aprscope {version}"
html_logo = str(ROOT / "resources/icons/aprscope.svg")
html_favicon = html_logo
html_static_path = [str(HERE / "static")]
html_css_files = ["site.css"]
html_theme_options = {
    "top_of_page_buttons": [],
    "light_css_variables": {"color-brand-primary": "#5a4fb0", "color-brand-content": "#5a4fb0",
                            "color-brand-visited": "#5a4fb0"},
    "dark_css_variables": {"color-brand-primary": "#a79df0", "color-brand-content": "#a79df0",
                           "color-brand-visited": "#a79df0"},
}
html_show_sphinx = False
html_show_sourcelink = False
html_copy_source = False
html_use_index = False
html_domain_indices = False


def lead_out(app, doctree, page):
    """Links to what lies in the site beside Sphinx's pages, as seen from this one."""
    up = "../" * page.count("/")
    for link in doctree.findall(nodes.reference):
        target = link.get("refuri", "")
        if target.startswith(OTHER):
            link["refuri"] = up + target.removeprefix(OTHER)
            link["classes"] = [one for one in link["classes"] if one != "external"]
            link["internal"] = True


def setup(app):
    app.connect("doctree-resolved", lead_out)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
