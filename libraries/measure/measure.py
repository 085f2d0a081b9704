#!/usr/bin/env python3
"""Measures libraries, and keeps what was found in libraries/measured.

    libraries/measure/measure.py HOLDFAST RUNS [NAME...]    # without a name: all that lack a record
    libraries/measure/table.py --write                      # docs/libraries_table.md

Each library has the whole suite, five trials a cell, and what was broken again without its fault; then what was found
against a promise is replayed. HOLDFAST is the program, RUNS a folder for its runs. Some libraries are measured side by
side, since the last trials of a run wait for each other. Ended at any moment and started again it goes on where it was.
"""

import argparse
import concurrent.futures
import json
import pathlib
import shlex
import subprocess
import sys

import record as records
import replay

SEED = 29
JUDGED, OF_THE_HARNESS, INTERRUPTED = (0, 1, 3), 5, 130  # exit codes of a run


class Interrupted(Exception):
    """By the user: nothing more is begun."""


def run_of(runs, name):
    """The folder of its last run; None: it has none."""
    return max((runs / name).glob("2*"), default=None)


def ask(program, *words):
    command = [program, "libraries", "run", *map(str, words), "--quiet"]
    code = subprocess.run(command, stdout=subprocess.DEVNULL).returncode
    if code == INTERRUPTED:
        raise Interrupted("interrupted")
    if code not in (*JUDGED, OF_THE_HARNESS):
        raise RuntimeError(f"{shlex.join(map(str, command))}: exit code {code}")


def verdict_of(folder):
    """Of its run; None: it was cut off."""
    file = folder / "verdict.json"
    verdict = json.loads(file.read_text()) if file.exists() else {"interrupted": True}
    return None if verdict["interrupted"] else verdict


def run_whole(program, runs, jobs, name):
    """The folder of its run, of which nothing is missing. Trials in which the harness failed are tried once more."""
    folder = run_of(runs, name)
    if folder is None:
        ask(program, name, "--repeat", 5, "--controls", "--seed", SEED, "--jobs", jobs, "--out", runs / name)
        folder = run_of(runs, name)
    elif verdict_of(folder) is None:
        ask(program, "--resume", folder, "--jobs", jobs)
    else:
        return folder
    if verdict_of(folder)["exit_code"] == OF_THE_HARNESS:
        ask(program, "--resume", folder, "--again", "--jobs", jobs)
    return folder


def measure(program, runs, jobs, name):
    folder = run_whole(program, runs, jobs, name)
    found = {}
    records.add_run(found, folder)
    for one in found.values():
        records.keep(one)
    left = replay.replay_all(program, folder, name)
    return f"{len(found[name]['cells'])} cells, {left} replays failed"


def whole(name):
    """Each of its locks was measured, and what was found was replayed."""
    cells = records.load(name)["cells"]
    locks = {lock for lock, library in records.library_of().items() if library == name}
    found = [cell["broken"] for cell in cells.values() if "broken" in cell]
    measured = {cell.split("/")[0] for cell in cells}
    return locks == measured and all("replayed" in one for one in found if one["promised"])


def without_record(program):
    told = subprocess.run([program, "libraries", "list", "--json"], capture_output=True, check=True, text=True)
    names = [one["name"] for one in json.loads(told.stdout)["libraries"] if one["installed"]]
    return [name for name in names if not whole(name)]


def main():
    line = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    line.add_argument("holdfast")
    line.add_argument("runs", type=pathlib.Path)
    line.add_argument("names", nargs="*")
    line.add_argument("--libraries", type=int, default=2, metavar="N", help="libraries side by side (2)")
    line.add_argument("--jobs", type=int, default=4, metavar="N", help="trials side by side, of each library (4)")
    asked = line.parse_intermixed_args()
    failed = []
    with concurrent.futures.ThreadPoolExecutor(asked.libraries) as pool:
        names = asked.names or without_record(asked.holdfast)
        under_way = {pool.submit(measure, asked.holdfast, asked.runs, asked.jobs, name): name for name in names}
        for done in concurrent.futures.as_completed(under_way):
            if done.cancelled():
                continue
            name = under_way[done]
            if done.exception():
                failed.append(name)
            if isinstance(done.exception(), Interrupted):
                pool.shutdown(wait=False, cancel_futures=True)
            print(f"{name}: {done.exception() or done.result()}", flush=True)
    if failed:
        sys.exit(f"not measured: {', '.join(failed)}")


if __name__ == "__main__":
    main()
