#!/usr/bin/env python3
"""clang-tidy on files, each once: what was clean with the same content is not checked again.

usage: tidy_cached.py BUILD_FOLDER FILE…     BUILD_FOLDER has a compile_commands.json

What counts as the same: the file with all of this project that it includes, but not comments from
// on (NOLINT aside), the options of its compiler, .clang-tidy of its folder and of those above, and
the versions of clang-tidy and of the packages whose headers are used most. Where the source tree lies does not count.
Clean results are remembered in $XDG_CACHE_HOME/aprscope/tidy (~/.cache), those of the last 60 days.
Few files are checked one by one, which also shows an include that is missing in one of them. Many
are joined, those of a folder, so that the headers that they share are read once; an include that is
missing in one of them shows only when that one changes again.
Exit code 1 when a file has remarks, which are printed.
"""
import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "aprscope" / "tidy"
KEPT_SECONDS = 60 * 24 * 3600
# From so many files on they are joined, so many at a time.
MANY = 60
JOINED = 10
# Not all packages with headers that a machine has: what is not used would part it from others.
HEADERS = ["libstdc++-12-dev", "qt6-base-dev", "libvtk9-dev", "nlohmann-json3-dev", "libgtest-dev", "libcli11-dev"]

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+"([^"]+)"', re.MULTILINE)
# Literals first, so that // in them is no comment.
PARTS = re.compile(r'R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|/\*.*?\*/|//[^\n]*', re.DOTALL)
AUTOGEN = re.compile(r"-I\S*_autogen/include|-I\S*/tidy/moc\S*")


def commands(build):
    """The compile command of each source: its folder, and the words without input and output."""
    known = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        words = shlex.split(entry["command"])
        # Up to the compiler stand launchers and their settings.
        begin = next((i for i, word in enumerate(words) if word.endswith(("c++", "g++", "clang++"))), None)
        if begin is None:
            continue  # kernels
        kept = []
        rest = iter(words[begin:])
        for word in rest:
            if word in ("-o", "-MT", "-MF"):
                next(rest)
            elif word not in ("-c", "-MD", entry["file"]):
                kept.append(word)
        known[str(Path(entry["directory"], entry["file"]))] = (entry["directory"], kept)
    return known


@cache
def code(file):
    """The text of a file without comments from // on, and the files of this project it includes."""
    try:
        text = (ROOT / file).read_text()
    except (OSError, UnicodeDecodeError):
        return "", ()
    includes = []
    for name in INCLUDE.findall(text):
        for path in (ROOT / name, (ROOT / file).parent / name):
            if path.exists():
                includes.append(os.path.relpath(path, ROOT))
                break
    def keep(match):
        part = match[0]
        return "" if part.startswith("//") and "NOLINT" not in part else part
    return PARTS.sub(keep, text), tuple(includes)


def all_included(file):
    """The file and what it includes of this project, through any number of headers."""
    found, waiting = {file}, [file]
    while waiting:
        for name in code(waiting.pop())[1]:
            if name not in found:
                found.add(name)
                waiting.append(name)
    return sorted(found)


def rule_files(file):
    """The .clang-tidy files of the folder of a file and of those above."""
    folders = [folder for folder in (ROOT / file).parents if folder.is_relative_to(ROOT)]
    return [folder / ".clang-tidy" for folder in folders if (folder / ".clang-tidy").exists()]


def tidy(build, file):
    """What clang-tidy says, and whether that is nothing."""
    done = subprocess.run(["clang-tidy", "--quiet", "-p", str(build),
                           "--extra-arg=-Wno-unknown-warning-option", str(file)],
                          cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr, done.returncode == 0


class Joined:
    """Several sources as one, in a folder of the same name, so that the same .clang-tidy holds."""

    def __init__(self, build, files, known):
        name = hashlib.sha256("\n".join(files).encode()).hexdigest()[:12]
        folder = build / "joined" / Path(files[0]).parent
        folder.mkdir(parents=True, exist_ok=True)
        self.source = folder / f"{name}.cpp"
        self.build = build / "joined" / name
        self.lines = []
        text = []
        for number, file in enumerate(files):
            text.append(f"#define main main_{number}\n")
            self.lines.append((file, 1))
            lines = (ROOT / file).read_text().removesuffix("\n").split("\n")
            for at, line in enumerate(lines, 1):
                text.append(line + "\n")
                self.lines.append((file, at))
            text.append("#undef main\n")
            self.lines.append((file, len(lines)))
        self.source.write_text("".join(text))
        self.folder, words = known[str(ROOT / files[0])]
        more = {word for file in files for word in known[str(ROOT / file)][1] if AUTOGEN.fullmatch(word)}
        # A name of one file may be that of a local variable in another.
        self.words = [*words, *sorted(more - set(words)), "-Wno-shadow"]
        self.build.mkdir(exist_ok=True)
        (self.build / "compile_commands.json").write_text(json.dumps([{
            "directory": self.folder, "file": str(self.source),
            "command": shlex.join([*self.words, "-c", str(self.source)])}]))

    def clashing(self):
        """Files that cannot be compiled with the others; None where only others are to blame."""
        words = ["clang++", *self.words[1:], "-w", "-Wno-unknown-warning-option", "-ferror-limit=0",
                 "-fsyntax-only", str(self.source)]
        done = subprocess.run(words, cwd=self.folder, capture_output=True, text=True, check=False)
        if done.returncode == 0:
            return []
        at = re.findall(re.escape(str(self.source)) + r":(\d+):\d+: (?:fatal )?error:", done.stderr)
        return sorted({self.lines[int(line) - 1][0] for line in at}) or None

    def check(self):
        said, clean = tidy(self.build, self.source)
        def place(match):
            file, line = self.lines[int(match[1]) - 1]
            return f"{ROOT / file}:{line}"
        return re.sub(re.escape(str(self.source)) + r":(\d+)", place, said), clean

    def remove(self):
        self.source.unlink(missing_ok=True)
        shutil.rmtree(self.build, ignore_errors=True)


def main():
    build = Path(sys.argv[1]).resolve()
    known = commands(build)
    versions = subprocess.run(["clang-tidy", "--version"], capture_output=True, check=True).stdout
    versions += subprocess.run(["dpkg-query", "-W", *HEADERS], capture_output=True, check=False).stdout
    CACHE.mkdir(parents=True, exist_ok=True)
    for old in CACHE.iterdir():
        if time.time() - old.stat().st_mtime > KEPT_SECONDS:
            old.unlink(missing_ok=True)

    def mark(file):
        """Where it is remembered that a file is clean."""
        digest = hashlib.sha256(versions)
        for rule in rule_files(file):
            digest.update(rule.read_bytes())
        digest.update(" ".join(known[str(ROOT / file)][1]).replace(str(ROOT), "").encode())
        for name in all_included(file):
            digest.update(f"\0{name}\0{code(name)[0]}".encode())
        return CACHE / digest.hexdigest()

    def remember(files):
        for file in files:
            mark(file).touch()

    def alone(file):
        said, clean = tidy(build, file)
        if clean:
            remember([file])
        return "" if clean else said

    def together(files):
        """What is said of files that are checked as one, those that cannot be, apart."""
        if len(files) == 1:
            return alone(files[0])
        joined = Joined(build, files, known)
        try:
            bad = joined.clashing()
            if bad == []:
                said, clean = joined.check()
                if clean:
                    remember(files)
                return "" if clean else said
        finally:
            joined.remove()
        if bad is None or len(bad) == len(files):
            bad = files[: len(files) // 2]
        return together([f for f in files if f not in bad]) + together(bad)

    files = sys.argv[2:]
    wanted = []
    for file in files:
        at = mark(file)
        if at.exists():
            at.touch()
        else:
            wanted.append(file)

    tasks = [[file] for file in wanted]
    if len(wanted) >= MANY:
        # Rules are copied before anything reads them; those of an earlier run may be gone here.
        shutil.rmtree(build / "joined", ignore_errors=True)
        for rule in {rule for file in wanted for rule in rule_files(file)}:
            copy = build / "joined" / rule.relative_to(ROOT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(rule, copy)
        alike = {}
        for file in wanted:
            options = tuple(w for w in known[str(ROOT / file)][1] if not AUTOGEN.fullmatch(w))
            alike.setdefault((Path(file).parent, options), []).append(file)
        tasks = [group[i : i + JOINED] for group in alike.values() for i in range(0, len(group), JOINED)]

    failed = False
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for remarks in pool.map(together, tasks):
            if remarks:
                failed = True
                print("\n".join(line for line in remarks.splitlines()
                                if "warnings generated" not in line), file=sys.stderr, flush=True)
    print(f"clang-tidy: {len(files)} files, {len(files) - len(wanted)} of them known to be clean")
    return 1 if failed else 0


sys.exit(main())
