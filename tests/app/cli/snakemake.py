"""The Snakefile of resources/cluster, by Snakemake on this machine.

usage: snakemake.py --cli PROGRAM
Ends with 77, which is "skipped", where Snakemake is not installed.
"""
import argparse
import csv
import pathlib
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
SNAKEFILE = pathlib.Path(__file__).resolve().parents[3] / "resources/cluster/Snakefile"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cli", type=pathlib.Path, required=True)
    cli = parser.parse_args().cli.resolve()
    if shutil.which("snakemake") is None:
        print("SKIPPED: Snakemake is not installed")
        return SKIPPED
    with tempfile.TemporaryDirectory(prefix="aprscope-snakemake-") as name:
        folder = pathlib.Path(name)
        names = ["a.tif", "b's.tif", "c {d}.tif"]
        for image in names:
            subprocess.run([cli, "synth", "cells", "-o", folder / image, "--size", "12,24,24",
                            "--quiet"], check=True)
        (folder / "bad.tif").write_text("no image")
        (folder / "r.json").write_text('{"aprscope": 2, "steps": [{"operation": "box"}]}')

        def rows_of_a_run():
            subprocess.run(["snakemake", "-s", SNAKEFILE, "--cores", "2", "--config",
                            "recipe=r.json", "images=*.tif", "out=out", "parts=2", f"cli={cli}"],
                           cwd=folder, check=True, timeout=300)
            with open(folder / "out/table.csv", newline="") as table:
                return {row["file"]: row for row in csv.DictReader(table)}

        errors = {name: bool(row["error"]) for name, row in rows_of_a_run().items()}
        assert errors == {"a.tif": False, "b's.tif": False, "c {d}.tif": False, "bad.tif": True}, \
            errors
        assert (folder / "out/c {d}.tif").exists()
        # Another image of that name: its result is made again, and no other.
        subprocess.run([cli, "synth", "spheres", "-o", folder / "a.tif", "--size", "12,24,32",
                        "--quiet"], check=True)
        before = {name: row["done_before"] for name, row in rows_of_a_run().items()}
        assert before == {"a.tif": "", "b's.tif": "yes", "c {d}.tif": "yes", "bad.tif": ""}, before
    return 0


sys.exit(main())
