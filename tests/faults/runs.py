"""Runs of the programs under test, and what must hold after each."""
import json
import os
import resource
import shutil
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

OLD = b"what was there before\n"
# Longer than anything here takes by itself.
LIMIT_SECONDS = 120


@dataclass
class Programs:
    cli: Path
    tool: Path
    preload: Path
    inputs: Path
    long: bool
    most: int


@dataclass
class Case:
    """A command that writes one file; "" where it writes none: then what it prints is its result."""
    name: str
    arguments: list
    output: str = ""
    reference: bytes = b""
    # Where memory is short blosc leaves chunks plain that it would have packed: then an .apr with
    # the same particles, values and facts is the new file, too.
    by_content: bool = False


@dataclass
class Row:
    """A line of the table."""
    section: str
    case: str
    runs: int = 0
    whole: int = 0
    refused: int = 0
    ended: int = 0
    problems: list = field(default_factory=list)


def cases(programs):
    """Commands on the small image; the outputs that they give when nothing goes wrong are kept."""
    cli, inputs = str(programs.cli), programs.inputs
    apr, tif = str(inputs / "image.apr"), str(inputs / "image.tif")
    blur = ["--psf", "gaussian:sigma=1", "--iterations", "6"]
    made = [
        Case("open", [cli, "info", apr]),
        Case("open TIFF", [cli, "info", str(inputs / "few.tif")]),
        Case("convert", [cli, "convert", tif, "--no-error-report", "-o"], "out.apr"),
        Case("filter", [cli, "filter", apr, "--stencil", "gaussian:sigma=1", "-o"], "out.apr"),
        Case("deconvolve", [cli, "deconvolve", apr, *blur, "-o"], "out.apr"),
        Case("export", [cli, "reconstruct", apr, "-o"], "out.tif"),
        Case("save", [str(programs.tool), "save-workspace"], "out.aprscope"),
    ]
    return [with_reference(case) for case in made]


def with_reference(case):
    with Folder(case) as folder:
        done = folder.run()
        if done.returncode != 0:
            raise SystemExit(f"{case.name} fails by itself: {done.stderr.decode()}")
        case.reference = folder.bytes() if case.output else told(done)
    return case


def told(done):
    """What a run printed, but for what it took."""
    return b"".join(line for line in done.stdout.splitlines(True) if not line.startswith(b"peak rss"))


def reading_cases(programs):
    """Other formats, for what goes wrong while they are read."""
    cli, inputs = str(programs.cli), programs.inputs
    return [with_reference(Case(name, [cli, "convert", str(inputs / file), "--no-error-report",
                                       "-o"], "out.apr"))
            for name, file in (("few pages", "few.tif"), ("HDF5", "large.h5"),
                               ("OME-Zarr", "image.zarr"))]


def make_inputs(programs):
    subprocess.run([programs.tool, "inputs", programs.inputs], check=True)
    subprocess.run([programs.cli, "synth", "spheres", "-o", programs.inputs / "few.tif", "--size",
                    "4,16,16", "--voxel-size", "2,0.5,0.25", "--quiet"], check=True)
    for name in ("image.apr", "image.zarr"):
        subprocess.run([programs.cli, "convert", programs.inputs / "image.tif", "-o",
                        programs.inputs / name, "--quiet", "--no-error-report"], check=True)


class Folder:
    """A folder of its own for one run, with an old file where the output goes."""

    def __init__(self, case):
        self.case = case
        self.path = Path(tempfile.mkdtemp(prefix="aprscope-faults-"))
        self.output = self.path / case.output if case.output else None
        if self.output:
            self.output.write_bytes(OLD)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.path)

    def bytes(self):
        return self.output.read_bytes() if self.output else b""

    def start(self, environment=None, memory=None):
        def limit():
            if memory is not None:
                resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        arguments = self.case.arguments + ([str(self.output)] if self.output else [])
        return subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, preexec_fn=limit, cwd=self.path,
                                env={**os.environ, "OMP_WAIT_POLICY": "passive",
                                     **(environment or {})})

    def run(self, environment=None, memory=None):
        process = self.start(environment, memory)
        try:
            out, err = process.communicate(timeout=LIMIT_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            out, err = process.communicate()
            err = b"hangs: ended after %d s\n" % LIMIT_SECONDS + err
        return subprocess.CompletedProcess(process.args, process.returncode, out, err)

    def file_problem(self):
        """The old file, or all of the new one; nothing else beside it."""
        if not self.output:
            return None
        if not self.output.exists():
            return "the old file is gone"
        if self.bytes() != OLD and not self.is_new():
            return "the file is neither the old one nor the new one"
        return None

    def is_done(self, done):
        """Whether a run with exit code 0 gave the result."""
        return self.is_new() if self.output else told(done) == self.case.reference

    def is_new(self):
        if self.bytes() == self.case.reference:
            return True
        if not self.case.by_content or not self.case.output.endswith(".apr"):
            return False
        cli = self.case.arguments[0]
        with tempfile.NamedTemporaryFile(suffix=".apr") as reference:
            reference.write(self.case.reference)
            reference.flush()

            def report(*arguments):
                done = subprocess.run([cli, *arguments, "--json"], stdout=subprocess.PIPE,
                                      stderr=subprocess.DEVNULL, check=False)
                return json.loads(done.stdout) if done.returncode == 0 else None

            def facts(file):
                own = ("path", "file_bytes", "peak_rss_bytes", "seconds")
                return {name: value for name, value in (report("info", str(file)) or {}).items()
                        if name not in own}
            compared = report("compare", reference.name, str(self.output))
            return (compared is not None and compared["identical"] is True
                    and facts(self.output) == facts(reference.name) != {})

    def leftovers(self):
        return sorted(p.name for p in self.path.iterdir() if p != self.output)


def judge(folder, done, row, mark):
    """What must hold of a program that nobody killed: exit code 0 with all of the new file, or 1
    with one sentence and the old file; no file left beside it that the next run does not remove."""
    row.runs += 1
    lines = done.stderr.decode(errors="replace").splitlines()
    problem = folder.file_problem()
    if done.returncode == 0:
        row.whole += 1
        if not folder.is_done(done):
            problem = problem or "exit code 0 without the result"
    elif done.returncode == 1:
        row.refused += 1
        if len(lines) != 1 or not lines[0].split(":")[0] in ("aprscope-cli", "fault_tool"):
            problem = problem or f"exit code 1 without one sentence: {lines[:3]}"
    elif done.returncode == 127 and "error while loading shared libraries" in done.stderr.decode():
        row.ended += 1  # the system could not even start it
    else:
        problem = problem or f"ended with code {done.returncode}: {lines[:2]}"
    left = folder.leftovers()
    if left and (folder.run().returncode != 0 or folder.leftovers()):
        problem = problem or f"left behind, and not removed by the next run: {left}"
    if problem:
        row.problems.append(f"{mark}: {problem}")


def judge_ended(folder, done, row, mark):
    """What must hold of a program however it ended: the old file or all of the new one, and the next
    run writes it and leaves nothing else there."""
    row.runs += 1
    problem = folder.file_problem()
    if done.returncode == 0:
        row.whole += 1
        if not folder.case.output and not folder.is_done(done):
            problem = "exit code 0 without the result"
    elif done.returncode == 1:
        row.refused += 1
    else:
        row.ended += 1
    again = folder.run()
    new = folder.bytes() if folder.output else told(again)
    if again.returncode != 0 or new != folder.case.reference:
        problem = problem or "the next run does not write it"
    if folder.leftovers():
        problem = problem or f"the next run leaves {folder.leftovers()}"
    if problem:
        row.problems.append(f"{mark}: {problem}")


def in_parallel(work, items):
    """Calls work(item) for all, as many at once as there are cores."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for _ in pool.map(work, items):
            pass


def spread(count, most):
    """1 … count, or `most` of them evenly."""
    if count <= most:
        return range(1, count + 1)
    return sorted({1 + i * (count - 1) // (most - 1) for i in range(most)})
