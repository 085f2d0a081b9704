#!/usr/bin/env python3
"""How often what a run of `holdfast libraries run` found comes again: a replay of each cell that broke a promise.

    bench/libraries_replay.py HOLDFAST RUN... > replays.json
    bench/libraries_table.py RUN... --replays replays.json > tables.md

Writes {"LOCK/SCENARIO": [times it came again, times it was tried], ...}.
"""

import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

TIMES = 5


def adapters_of(run):
    """{lock: its lock.json}, from the command that repeats the run."""
    words = shlex.split(run["command"])
    paths = [path for word, path in zip(words, words[1:]) if word == "--adapter"]
    return {json.loads(pathlib.Path(path).read_text())["name"]: path for path in paths}


def replayed(program, folder, name, adapter, out):
    command = [program, "replay", folder, name, "--repeat", str(TIMES), "--adapter", adapter, "--out", out, "--quiet"]
    answer = subprocess.run(command, capture_output=True, text=True)
    said = re.search(r"reproduced (\d+) of (\d+)", answer.stdout + answer.stderr)
    if not said:
        sys.exit(f"{shlex.join(map(str, command))} did not say how often: {answer.stdout}{answer.stderr}")
    return [int(said[1]), int(said[2])]


def main():
    program, *folders = sys.argv[1:]
    found = {}
    with tempfile.TemporaryDirectory() as out:
        for folder in folders:
            run = json.loads((pathlib.Path(folder) / "verdict.json").read_text())
            adapters = adapters_of(run)
            for cell in run["cells"]:
                if cell["outcome"] != "unexpected":
                    continue
                name = f"{cell['lock']}/{cell['scenario']}"
                found[name] = replayed(program, folder, name, adapters[cell["lock"]], out)
                print(name, *found[name], file=sys.stderr)
    json.dump(found, sys.stdout, indent=1, sort_keys=True)


if __name__ == "__main__":
    main()
