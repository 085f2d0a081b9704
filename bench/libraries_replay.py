#!/usr/bin/env python3
"""How often what runs of `holdfast libraries run` found comes again: a replay of each cell that broke a promise.

    bench/libraries_replay.py HOLDFAST replays.json RUN...
    bench/libraries_table.py RUN... --replays replays.json > tables.md

Of a cell that several runs have, the last one's counts. The file holds {"LOCK/SCENARIO": [times it came again, times it
was tried], ...}, and is written after each cell: what is in it is not tried again.
"""

import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

from libraries_table import Measured

TIMES = 5
SIDE_BY_SIDE = 4  # replays; each runs one trial after the other, and a trial mostly sleeps


def adapters_of(run):
    """{lock: its lock.json}, from the command that repeats the run."""
    words = shlex.split(run["command"])
    paths = [path for word, path in zip(words, words[1:]) if word == "--adapter"]
    return {json.loads(pathlib.Path(path).read_text())["name"]: path for path in paths}


def replayed(program, folder, name, adapter):
    with tempfile.TemporaryDirectory() as out:
        command = [program, "replay", folder, name, "--repeat", TIMES, "--adapter", adapter, "--out", out, "--quiet"]
        answer = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    said = re.search(r"reproduced (\d+) of (\d+)", answer.stdout + answer.stderr)
    if not said:
        raise RuntimeError(f"{shlex.join(map(str, command))} does not say how often: {answer.stdout}{answer.stderr}")
    return [int(said[1]), int(said[2])]


def keep(file, found):
    """Whole or not at all."""
    beside = file.with_suffix(".part")
    beside.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n")
    os.replace(beside, file)


def main():
    program, file, *folders = sys.argv[1:]
    file = pathlib.Path(file)
    found = json.loads(file.read_text()) if file.exists() else {}
    measured = Measured(folders)
    adapters = {}
    for run in measured.runs:
        adapters |= adapters_of(run)
    left = {}
    with concurrent.futures.ThreadPoolExecutor(SIDE_BY_SIDE) as pool:
        for (lock, scenario), (cell, folder, _) in sorted(measured.cells.items()):
            name = f"{lock}/{scenario}"
            if cell["outcome"] == "unexpected" and name not in found:
                left[pool.submit(replayed, program, folder, name, adapters[lock])] = name
        for done in concurrent.futures.as_completed(left):
            name = left[done]
            if done.exception():
                print(name, done.exception(), file=sys.stderr)
                continue
            found[name] = done.result()
            keep(file, found)
            print(name, *found[name], file=sys.stderr, flush=True)
    if missing := set(left.values()) - set(found):
        sys.exit(f"{len(missing)} of {len(left)} could not be replayed: {', '.join(sorted(missing))}")


if __name__ == "__main__":
    main()
