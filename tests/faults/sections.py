"""The kinds of faults; each yields rows of the table."""
import os
import random
import shutil
import time
from dataclasses import replace
from subprocess import CompletedProcess

from runs import Case, Folder, Row, in_parallel, judge, judge_ended, reading_cases, spread


def lasting(case):
    """How long a command takes where as many run at once as will: the longest of some."""
    times = []

    def run(_):
        with Folder(case) as folder:
            begin = time.monotonic()
            folder.run()
            times.append(time.monotonic() - begin)

    in_parallel(run, range(2 * os.cpu_count()))
    return max(times)


def kills(programs, all_cases):
    """kill -9 at random moments; the next run that is left alone leaves the output and no more."""
    generator = random.Random(1)
    for case in (c for c in all_cases if c.output):
        row = Row("kill -9", case.name)
        seconds = lasting(case)
        delays = [generator.uniform(0.0, 1.1 * seconds)
                  for _ in range(600 if programs.long else 8)]

        def kill_after(delay, case=case, row=row):
            with Folder(case) as folder:
                process = folder.start()
                time.sleep(delay)
                process.kill()
                process.communicate()
                judge_ended(folder, process, row, f"after {delay:.4f} s")

        in_parallel(kill_after, delays)
        yield row


def counts(programs, case):
    """How often a command makes each call."""
    with Folder(case) as folder:
        file = folder.path.parent / (folder.path.name + ".counts")
        folder.run({"LD_PRELOAD": str(programs.preload), "APRSCOPE_COUNT": str(file)})
        lines = [line.split() for line in file.read_text().splitlines()]
        file.unlink()
        return {name: int(number) for name, number in lines}


def fail_in_turn(programs, case, call, error, most, last=None):
    """Each call of a kind, or of the last of them, fails once. Two rows: calls of ours, and those that libhdf5, libtiff or the
    OpenMP runtime make, which may end the program: then what holds is what holds of a kill."""
    ours, library = Row(f"{call} {error}", case.name), Row("  in a library", case.name)
    total = counts(programs, case)[call]

    def fail(number):
        with Folder(case) as folder, Folder(Case("", [])) as notes:
            where = notes.path / "where"
            done = folder.run({"LD_PRELOAD": str(programs.preload), "APRSCOPE_WHERE": str(where),
                               "APRSCOPE_FAIL": f"{call}:{number}:{error}"})
            if where.exists():
                judge_ended(folder, done, library, f"call {number} of {total}")
            else:
                judge(folder, done, ours, f"call {number} of {total}")

    in_parallel(fail, spread(total, most) if last is None else range(total - last, total + 1))
    return [ours, library] if library.runs else [ours]


def allocations(programs, all_cases):
    """Every allocation fails in turn; the short form takes some of them."""
    for case in all_cases:
        # Most come before the file is opened; libtiff leaves out tags that it has no memory for.
        if case.name == "open TIFF" and not programs.long:
            yield from fail_in_turn(programs, case, "malloc", "ENOMEM", 0, last=240)
        elif case.name in ("open", "open TIFF", "convert", "filter", "save"):
            yield from fail_in_turn(programs, replace(case, by_content=True), "malloc", "ENOMEM",
                                    programs.most if programs.long else 40)


def calls(programs, all_cases):
    """A full disk, a broken one and a signal in each call that writes."""
    for case in (c for c in all_cases if c.output):
        for call in ("write", "fsync", "rename"):
            for error in ("ENOSPC", "EIO", "EINTR"):
                yield from fail_in_turn(programs, case, call, error, 400 if programs.long else 3)
    for case in all_cases + reading_cases(programs):
        # So small a file has each reading fail also in the short form: a page or a size that goes
        # missing shows nowhere else.
        few = 3 if case.name != "few pages" else 400
        for error in ("EIO", "EINTR"):
            yield from fail_in_turn(programs, case, "read", error, 400 if programs.long else few)


def starts(case, memory):
    """Whether the program of a command comes as far as saying what it is."""
    with Folder(Case("", [case.arguments[0], "--version"])) as folder:
        return folder.run(memory=memory).returncode >= 0


def memory(programs, all_cases):
    """Less address space than is needed, from hardly any to enough. Libraries that are loaded end a
    program that has not begun yet with signals of their own."""
    for case in (replace(case, by_content=True) for case in all_cases):
        # The system ends a program that it cannot even load, with a signal of its own.
        least = max(24, (os.path.getsize(case.arguments[0]) >> 20) + 8)
        row = Row(f"memory {least} to 400 MB", case.name)

        def run_with(megabytes, case=case, row=row):
            with Folder(case) as folder:
                done = folder.run(memory=megabytes << 20)
                early = done.returncode < 0 and not starts(case, megabytes << 20)
                elsewhere = early or b"libgomp: Out of memory" in done.stderr
                (judge_ended if elsewhere else judge)(folder, done, row, f"{megabytes} MB")

        in_parallel(run_with, range(least, 401, 2 if programs.long else 60))
        yield row


def truncation(programs, _):
    """An input that shrinks while it is streamed gives an error, or was read whole before."""
    generator = random.Random(2)
    for name in ("large.tif", "large.h5"):
        source = programs.inputs / name
        # The copy that shrinks lies beside the folder of the run, which must stay clean.
        base = Case("", [str(programs.cli), "convert", "--stream", "--no-error-report", str(source),
                         "-o"], "out.apr")
        with Folder(base) as folder:
            folder.run()
            reference = folder.bytes()
        seconds = lasting(base)
        row = Row("truncation", name)

        def shrink(moment, source=source, base=base, row=row, reference=reference):
            delay, share = moment
            with Folder(base) as folder, Folder(base) as elsewhere:
                copy = elsewhere.path / source.name
                shutil.copy(source, copy)
                folder.case = Case("", [str(copy) if a == str(source) else a
                                        for a in base.arguments], base.output, reference)
                process = folder.start()
                time.sleep(delay)
                with open(copy, "r+b") as file:
                    file.truncate(int(share * source.stat().st_size))
                out, err = process.communicate()
                judge(folder, CompletedProcess(process.args, process.returncode, out, err), row,
                      f"after {delay:.3f} s")

        in_parallel(shrink, [(generator.uniform(0, seconds), generator.uniform(0, 1))
                             for _ in range(100 if programs.long else 4)])
        yield row


SECTIONS = {"kills": kills, "allocations": allocations, "calls": calls, "memory": memory,
            "truncation": truncation}
