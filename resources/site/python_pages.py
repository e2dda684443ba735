"""The pages of the Python module, from its sources and stubs: nothing is imported."""
import ast
import re

from contents import ROOT

MODULE = ROOT / "app/python/aprscope"
WIDTH = 88
# What people need first.
ORDER = ["_data", "_run", "_measured", "_error", "_exchange", "_core"]

HEAD = """# Classes and functions
All that `import aprscope` gives beside the [operations](python-operations.md). How they go together:
[Python](python.md).

"""
HEAD_OF_OPERATIONS = """# Operations
Each operation of the program is a function of `aprscope`. They share the keywords `voxel`, `device` and
`progress`; see [Python](python.md#operations).

"""


def parsed(name):
    """The syntax of a module of the package: of its stub, where it has one."""
    stub = MODULE / f"{name}.pyi"
    file = stub if stub.is_file() else MODULE / f"{name}.py"
    return ast.parse(file.read_text(encoding="utf-8")), file


def exported():
    """{module: [name…]} of what the package takes from its modules and gives on."""
    out = {}
    known = []
    for node in parsed("__init__")[0].body:
        if isinstance(node, ast.ImportFrom) and node.level == 1 and node.module:
            out.setdefault(node.module, []).extend(one.name for one in node.names)
        if isinstance(node, ast.Assign) and node.targets[0].id == "__all__":
            known = [one.value for one in node.value.elts if isinstance(one, ast.Constant)]
    given = {module: [name for name in names if name in known] for module, names in out.items()}
    modules = sorted((module for module, names in given.items() if names),
                     key=lambda one: ORDER.index(one) if one in ORDER else len(ORDER))
    return {module: given[module] for module in modules}


def operations():
    """Names of the operations, in their order."""
    for node in parsed("_functions")[0].body:
        if isinstance(node, ast.Assign) and node.targets[0].id == "__all__":
            return [one.value for one in node.value.elts]
    raise ValueError("_functions.pyi names no operations")


def plain(text):
    """Text that is Markdown in its `code` only."""
    parts = re.split(r"(``.*?``|`[^`]*`)", text)
    for i in range(0, len(parts), 2):
        parts[i] = re.sub(r"([\\*_\[\]<>|$])", r"\\\1", parts[i])
    return "".join(part.replace("|", "\\|") if i % 2 else part for i, part in enumerate(parts))


def blocks(docstring):
    """[(heading, [line…])] of a docstring in the style of NumPy; the first has no heading."""
    lines = docstring.splitlines()
    out, i = [("", [])], 0
    while i < len(lines):
        if i + 1 < len(lines) and lines[i].strip() and re.fullmatch(r"\s*-{3,}\s*", lines[i + 1]):
            out.append((lines[i].strip(), []))
            i += 2
            continue
        out[-1][1].append(lines[i])
        i += 1
    return out


def described(lines):
    """[(name, type, text)] of a list of parameters."""
    out = []
    for line in lines:
        if not line.strip():
            continue
        if not line.startswith(" "):
            name, _, kind = line.partition(" : ")
            out.append((name.strip(), kind.strip(), ""))
        else:
            name, kind, text = out[-1]
            out[-1] = (name, kind, f"{text} {line.strip()}".strip())
    return out


def words(lines):
    """Paragraphs; lines that begin with >>> are code."""
    out, code = [], False
    for line in lines:
        if line.startswith((">>>", "...")) != code:
            out += ["```python"] if not code else ["```", ""]
            code = not code
        out.append(line.removeprefix(">>> ").removeprefix("... ") if code else plain(line))
    return out + ["```"] if code else out


def text_of(docstring):
    """A docstring as Markdown."""
    out = []
    for heading, lines in blocks(docstring or ""):
        if not heading:
            out += words(lines)
        elif heading == "Returns":
            found = described(lines)
            said = "; ".join(f"`{name}`" + (f": {plain(text)}" if text else "")
                             for name, _, text in found)
            out += [f"**Returns** {said}", ""]
        else:
            rows = [f"| `{name}` | {plain(kind)} | {plain(text)} |"
                    for name, kind, text in described(lines)]
            out += ["", f"| {heading} | | |", "|---|---|---|", *rows, ""]
    return "\n".join(out).strip() + "\n" if out else ""


def decorators(node):
    return {ast.unparse(one) for one in node.decorator_list}


def signature(node, skip_self=False):
    """As it is called: in one line where it fits."""
    arguments = node.args
    listed = []
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults = [None] * (len(positional) - len(arguments.defaults)) + arguments.defaults
    both = list(zip(positional, defaults))
    for one, default in both[1:] if skip_self else both:
        listed.append(argument(one, default))
    if arguments.vararg:
        listed.append("*" + argument(arguments.vararg, None))
    elif arguments.kwonlyargs:
        listed.append("*")
    listed += [argument(one, default)
               for one, default in zip(arguments.kwonlyargs, arguments.kw_defaults)]
    if arguments.kwarg:
        listed.append("**" + argument(arguments.kwarg, None))
    gives = f" -> {ast.unparse(node.returns).strip(chr(39))}" if node.returns else ""
    line = f"{node.name}({', '.join(listed)}){gives}"
    if len(line) > WIDTH:
        inner = ",\n".join(f"    {one}" for one in listed)
        line = f"{node.name}(\n{inner},\n){gives}"
    return line


def argument(one, default):
    kind = f": {ast.unparse(one.annotation)}" if one.annotation else ""
    if default is None:
        return one.arg + kind
    between = " = " if kind else "="
    return f"{one.arg}{kind}{between}{ast.unparse(default)}"


def function(node, level, skip_self=False, owner=""):
    return "\n".join([f"{'#' * level} {owner}{node.name}", "```python",
                      signature(node, skip_self), "```", text_of(ast.get_docstring(node)), ""])


def attributes(node, source):
    """[(name, type, text)] of what __init__ sets and of properties. The text of an attribute is the
    comment "#: …" before it."""
    out = []
    told = blocks(ast.get_docstring(node) or "")
    known = {name for heading, lines in told if heading == "Attributes"
             for name, _, _ in described(lines)}
    lines = source.splitlines()
    for item in node.body:
        if not isinstance(item, ast.FunctionDef):
            continue
        if item.name == "__init__":
            for step in item.body:
                target = getattr(step, "target", None)
                if isinstance(step, ast.Assign):
                    target = step.targets[0]
                if not isinstance(target, ast.Attribute) or target.attr.startswith("_"):
                    continue
                before = lines[step.lineno - 2].strip()
                text = before.removeprefix("#:").strip() if before.startswith("#:") else ""
                kind = ast.unparse(step.annotation) if isinstance(step, ast.AnnAssign) else ""
                if target.attr not in known:
                    out.append((target.attr, kind, text))
        elif "property" in decorators(item):
            kind = ast.unparse(item.returns).strip("'") if item.returns else ""
            out.append((item.name, kind, " ".join((ast.get_docstring(item) or "").split())))
    return out


def class_(node, source):
    bases = ", ".join(ast.unparse(base) for base in node.bases)
    out = [f"### {node.name}", "```python", f"class {node.name}" + (f"({bases})" if bases else ""),
           "```", text_of(ast.get_docstring(node))]
    found = attributes(node, source)
    if found:
        out += ["| Attributes | | |", "|---|---|---|"]
        out += [f"| `{name}` | {plain(kind)} | {plain(text)} |" for name, kind, text in found]
        out.append("")
    for item in node.body:
        if isinstance(item, ast.FunctionDef) and not item.name.startswith("_") and \
                not decorators(item) & {"property"}:
            out.append(function(item, 4, skip_self="staticmethod" not in decorators(item),
                                owner=f"{node.name}."))
    return "\n".join(out)


def module_page():
    """Classes and functions."""
    classes, functions = [], []
    for module, names in exported().items():
        tree, file = parsed(module)
        source = file.read_text(encoding="utf-8")
        known = {node.name: node for node in tree.body
                 if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
        missing = set(names) - set(known) - {"__version__"}
        if missing:
            raise ValueError(f"{file} does not define {', '.join(sorted(missing))}")
        for name in (name for name in known if name in names):
            if isinstance(known[name], ast.ClassDef):
                classes.append(class_(known[name], source))
            else:
                functions.append(function(known[name], 3))
    about = ast.get_docstring(parsed("__init__")[0])
    return (HEAD + "\n".join(words(about.splitlines())) + "\n\n## Functions\n" + "\n".join(functions) +
            "\n## Classes\n" + "\n".join(classes))


def operations_page():
    """A function each."""
    known = {node.name: node for node in parsed("_functions")[0].body
             if isinstance(node, ast.FunctionDef)}
    return HEAD_OF_OPERATIONS + "\n".join(function(known[name], 2) for name in operations())
