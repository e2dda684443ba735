"""Runs a check in a virtual environment with packages of other programs that do the same.

The environment lies below the folder that the script is given. The script ends with 77, which is
"skipped", where the network gives no packages.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

SKIPPED = 77


def environment(folder, packages, what, bare):
    """The interpreter of an environment with the packages; none where they cannot be had."""
    python = folder / "bin" / "python"
    ready = folder / "ready"
    wanted = " ".join([*packages, *bare])
    if ready.exists() and ready.read_text() == wanted:
        return python
    try:
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        for options in [packages, ["--no-deps", *bare]] if bare else [packages]:
            subprocess.run([str(python), "-m", "pip", "install", "--quiet", *options], check=True,
                           timeout=300)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired, OSError) as error:
        print(f"SKIPPED: {what} cannot be installed here ({error})")
        return None
    ready.write_text(wanted)
    return python


def main(script, packages, what, check, bare=()):
    """Calls check(cli, folder) inside; returns an exit code. `what`: what the packages are; `bare`
    ones are installed without those that they ask for."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--cli", required=True)
    parser.add_argument("--folder", required=True, type=pathlib.Path)
    parser.add_argument("--inside", action="store_true")
    arguments = parser.parse_args()
    if arguments.inside:
        check(arguments.cli, arguments.folder)
        return 0
    python = environment(arguments.folder / "environment", packages, what, bare)
    if python is None:
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        return subprocess.run([str(python), script, "--inside", "--cli", arguments.cli,
                               "--folder", folder]).returncode
