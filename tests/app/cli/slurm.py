"""A batch on a real Slurm: one controller and one node on this machine, with ports, state and logs of
their own, which are ended at the end.

usage: slurm.py --cli PROGRAM --slurm FOLDER
FOLDER is what resources/setup/slurm.sh has unpacked; without one, the Slurm that is installed. Ends
with 77, which is "skipped", where there is none, or where it cannot run.
"""
import argparse
import contextlib
import csv
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time

SKIPPED = 77
SECONDS_TO_START = 30

CONFIGURATION = """ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller}
SlurmdPort={node}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/none
CredType=cred/none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SchedulerParameters=bf_interval=1,sched_interval=1
ReturnToService=2
{plugins}
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} RealMemory=2000
PartitionName=main Nodes=ALL Default=YES State=UP
"""


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def programs(root):
    """Paths of slurmctld, slurmd and slurmstepd; none where one is missing."""
    found = []
    for name in ("slurmctld", "slurmd", "slurmstepd"):
        places = [root / "usr/sbin" / f"{name}-wlm"] if root else []
        installed = shutil.which(name) or shutil.which(name, path="/usr/sbin:/usr/local/sbin")
        places += [pathlib.Path(installed)] if installed else []
        here = [place for place in places if place.exists()]
        if not here:
            return None
        found.append(str(here[0]))
    return found


@contextlib.contextmanager
def cluster(root, folder):
    """The environment in which Slurm's programs speak to a cluster of this test; none where that
    cannot be."""
    daemons = programs(root)
    if daemons is None:
        print("SKIPPED: there is no Slurm here; resources/setup/slurm.sh unpacks one")
        yield None
        return
    environment = dict(os.environ, SLURM_CONF=str(folder / "slurm.conf"))
    plugins = ""
    if root and daemons[0].startswith(str(root)):
        libraries = next((root / "usr/lib").glob("*-linux-gnu"))
        plugins = f"PluginDir={libraries}/slurm-wlm"
        environment["LD_LIBRARY_PATH"] = f"{libraries}:{libraries}/slurm-wlm"
        environment["PATH"] = f"{root}/usr/bin:" + environment["PATH"]
    for name in ("state", "spool"):
        (folder / name).mkdir()
    host = socket.gethostname().split(".")[0]
    (folder / "slurm.conf").write_text(CONFIGURATION.format(
        host=host, controller=free_port(), node=free_port(), folder=folder, plugins=plugins,
        cpus=os.cpu_count(), user=subprocess.check_output(["id", "-un"], text=True).strip()))
    started = []
    try:
        for words in ([daemons[0], "-D"], [daemons[1], "-D", "-d", daemons[2], "-N", host]):
            log = open(folder / (pathlib.Path(words[0]).name + ".log"), "wb")
            started.append(subprocess.Popen(words, env=environment, stdout=log, stderr=log))
        end = time.monotonic() + SECONDS_TO_START
        while time.monotonic() < end and all(one.poll() is None for one in started):
            asked = subprocess.run(["sinfo", "--noheader", "--format=%T"], env=environment,
                                   capture_output=True, text=True)
            if asked.stdout.strip() == "idle":
                yield environment
                return
            time.sleep(0.2)
        for log in sorted(folder.glob("*.log")):
            print(log.name, log.read_text(errors="replace")[-2000:])
        print("SKIPPED: Slurm does not run here")
        yield None
    finally:
        for one in started:
            one.terminate()
        for one in started:
            try:
                one.wait(20)
            except subprocess.TimeoutExpired:
                one.kill()
                one.wait()


def run_array(cli, folder, environment):
    """An array over four files, one of them bad, becomes one table with its error in it."""
    data = folder / "some data"
    data.mkdir()
    names = ["a.tif", "it's b.tif", "c.tif"]
    for name in names:
        subprocess.run([cli, "synth", "cells", "-o", data / name, "--size", "12,24,24", "--quiet"],
                       check=True)
    (data / "bad\nname.tif").write_text("no image")
    names.insert(1, "bad\nname.tif")
    recipe = folder / "r.json"
    recipe.write_text('{"aprscope": 2, "steps": [{"operation": "statistics"}, '
                      '{"operation": "convert"}]}')
    out = folder / "results"
    command = [cli, "run", recipe, *[data / name for name in names], "-o", f"{out}/",
               "--submit", "slurm:partition=main,time=5,cpus=1,mem=300M", "--parts", "3",
               "--skip-done", "--device", "cpu", "--json"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=240)
    logs = "".join(log.read_text() for log in (out / "slurm").glob("*.log"))
    assert done.returncode == 1, (done.stdout, done.stderr, logs)
    assert "1 of 4 files failed" in done.stderr, (done.stderr, logs)
    said = json.loads(done.stdout)
    assert said["done"] == 3 and said["failed_tasks"] == 0, said
    with open(out / "table.csv", newline="") as table:
        rows = list(csv.DictReader(table))
    assert [row["file"] for row in rows] == [str(data / name) for name in names], rows
    assert [bool(row["error"]) for row in rows] == [False, True, False, False], rows
    for name in ("a.apr", "it's b.apr", "c.apr"):
        assert (out / name).stat().st_size > 0
    with open(out / "statistics.csv", newline="") as table:
        files = [row["file"] for row in csv.DictReader(table)]
    assert files == [str(data / name) for name in names if "bad" not in name], files
    # Once more: what is there is not made again.
    again = subprocess.run([*command, "--allow-failures"], env=environment, capture_output=True,
                           text=True, timeout=240)
    assert again.returncode == 0, again.stderr
    with open(out / "table.csv", newline="") as table:
        assert [row["done_before"] for row in csv.DictReader(table)] == ["yes", "", "yes", "yes"]
    print("an array of 3 tasks over 4 files, twice: passed")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cli", type=pathlib.Path, required=True)
    parser.add_argument("--slurm", type=pathlib.Path)
    options = parser.parse_args()
    root = options.slurm.resolve() if options.slurm and options.slurm.exists() else None
    with tempfile.TemporaryDirectory(prefix="aprscope-slurm-") as name:
        with cluster(root, pathlib.Path(name)) as environment:
            if environment is None:
                return SKIPPED
            run_array(options.cli.resolve(), pathlib.Path(name), environment)
    return 0


sys.exit(main())
