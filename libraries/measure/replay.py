#!/usr/bin/env python3
"""How often what a run of `holdfast libraries run` found against a promise comes again, into the records.

    libraries/measure/record.py RUN && libraries/measure/replay.py HOLDFAST RUN     # of cells that were measured again

measure.py does both for whole libraries.
"""

import concurrent.futures
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

import record as records

TIMES = 5
SIDE_BY_SIDE = 4  # replays; each runs one trial after the other, and a trial mostly sleeps


def adapters_of(run):
    """{lock: its lock.json}, from the command that repeats the run."""
    words = shlex.split(run["command"])
    paths = [path for word, path in zip(words, words[1:]) if word == "--adapter"]
    return {json.loads(pathlib.Path(path).read_text())["name"]: path for path in paths}


def replayed(program, folder, name, adapter):
    """[how often it came again, of how many replays]."""
    with tempfile.TemporaryDirectory() as out:
        command = [program, "replay", folder, name, "--repeat", TIMES, "--adapter", adapter, "--out", out, "--quiet"]
        answer = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    said = re.search(r"reproduced (\d+) of (\d+)", answer.stdout + answer.stderr)
    if not said:
        raise RuntimeError(f"{shlex.join(map(str, command))} does not say how often: {answer.stdout}{answer.stderr}")
    return [int(said[1]), int(said[2])]


def replay_all(program, folder, library):
    """Into its record, of each cell of this run; what is in it is not tried again. Returns how many failed."""
    run = json.loads((folder / "verdict.json").read_text())
    adapters, record = adapters_of(run), records.load(library)
    left = {}
    with concurrent.futures.ThreadPoolExecutor(SIDE_BY_SIDE) as pool:
        for name, cell in record["cells"].items():
            broken = cell.get("broken", {})
            if broken.get("promised") and "replayed" not in broken and cell["run"] == run["started_utc"]:
                left[pool.submit(replayed, program, folder, name, adapters[name.split("/")[0]])] = name
        for done in concurrent.futures.as_completed(left):
            if failed := done.exception():
                print(f"{left[done]}: {failed}", file=sys.stderr)
                continue
            record["cells"][left[done]]["broken"]["replayed"] = done.result()
            records.keep(record)
    return sum("replayed" not in record["cells"][name]["broken"] for name in left.values())


def main():
    program, folder = sys.argv[1:]
    run, libraries = json.loads((pathlib.Path(folder) / "verdict.json").read_text()), records.library_of()
    for name in sorted({libraries[cell["lock"]] for cell in run["cells"]}):
        print(f"{name}: {replay_all(program, pathlib.Path(folder), name)} replays failed", flush=True)


if __name__ == "__main__":
    main()
