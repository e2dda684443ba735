"""Kills, starves and disturbs the programs, and prints what became of the files as a table.

usage: faults.py --cli PROGRAM --tool PROGRAM --preload LIBRARY [--long] [--most N] [SECTION…]
Sections: kills, allocations, calls, memory, truncation; all of them without. The short form takes a
sample of each; --most: no more allocations than these of a command, spread evenly. Exit code 1
when anything that SECURITY.md promises does not hold.
"""
import argparse
import sys
import tempfile
from pathlib import Path

from runs import Programs, cases, make_inputs
from sections import SECTIONS


def main():
    parser = argparse.ArgumentParser()
    for name in ("cli", "tool", "preload"):
        parser.add_argument("--" + name, type=Path, required=True)
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--most", type=int, default=10**9, metavar="N")
    parser.add_argument("sections", nargs="*", metavar="SECTION")
    options = parser.parse_args()
    unknown = [name for name in options.sections if name not in SECTIONS]
    if unknown:
        parser.error("no such section: " + ", ".join(unknown))

    failed = False
    with tempfile.TemporaryDirectory(prefix="aprscope-inputs-") as folder:
        programs = Programs(options.cli.resolve(), options.tool.resolve(),
                            options.preload.resolve(), Path(folder), options.long, options.most)
        make_inputs(programs)
        all_cases = cases(programs)
        print(f"{'fault':22} {'command':12} {'runs':>6} {'whole':>6} {'refused':>8} {'ended':>6} "
              " broken")
        for section in options.sections or SECTIONS:
            for row in SECTIONS[section](programs, all_cases):
                print(f"{row.section:22} {row.case:12} {row.runs:6} {row.whole:6} {row.refused:8} "
                      f"{row.ended:6}  {len(row.problems)}", flush=True)
                for problem in row.problems[:5]:
                    print("    " + problem, flush=True)
                if row.runs == 0:
                    print("    nothing was tried", flush=True)
                failed = failed or bool(row.problems) or row.runs == 0
    print("broken promises, see above" if failed else "nothing broken")
    return 1 if failed else 0


sys.exit(main())
