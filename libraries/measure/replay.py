#!/usr/bin/env python3
"""How often what a run of `holdfast libraries run` found against a promise comes again, into the records.

    libraries/measure/record.py RUN && libraries/measure/replay.py HOLDFAST RUN     # of cells that were measured again

measure.py does both for whole libraries.
"""

import concurrent.futures
import json
import pathlib
import shlex
import subprocess
import sys
import tempfile

import record as records

TIMES = 5
SIDE_BY_SIDE = 4  # replays, each of one trial after the other


def adapters_of(program):
    """{lock: its lock.json}, of all libraries that are installed."""
    listed = subprocess.run([program, "libraries", "list", "--json"], check=True, capture_output=True, text=True)
    paths = pathlib.Path(json.loads(listed.stdout)["folder"]).glob("*@*/lock*.json")
    return {json.loads(path.read_text())["name"]: path for path in paths}


def replayed(program, folder, cell, adapter):
    """[in how many replays a promise was broken again, of how many], of the first trial that broke one."""
    number = next(trial["number"] for trial in cell["trials"] if records.against_a_promise(trial))
    command = [program, "replay", folder, f"{cell['lock']}/{cell['scenario']}", "--trial", number, "--repeat", TIMES,
               "--jobs", 1, "--adapter", adapter, "--json"]  # fmt: skip
    with tempfile.TemporaryDirectory() as out:
        words = [str(word) for word in [*command, "--out", out]]
        answer = subprocess.run(words, capture_output=True, text=True)
    run = json.loads(answer.stdout) if answer.stdout else {"interrupted": True}
    judged = [] if run["interrupted"] else records.judged(run["cells"][0])
    if not judged:
        raise RuntimeError(f"{shlex.join(words)}: none of them was judged: {answer.stderr}")
    return [sum(map(records.against_a_promise, judged)), len(judged)]


def replay_all(program, folder, library):
    """Into its record, of each cell of this run; what is in it is not tried again. Returns how many failed."""
    run = json.loads((folder / "verdict.json").read_text())
    adapters, record = adapters_of(program), records.load(library)
    cells = {f"{cell['lock']}/{cell['scenario']}": cell for cell in run["cells"]}
    left = {}
    with concurrent.futures.ThreadPoolExecutor(SIDE_BY_SIDE) as pool:
        for name, cell in record["cells"].items():
            broken = cell.get("broken", {})
            if broken.get("promised") and "replayed" not in broken and cell["run"] == run["started_utc"]:
                left[pool.submit(replayed, program, folder, cells[name], adapters[cells[name]["lock"]])] = name
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
