"""Processor time of one trial, by part: what `run`, the trial's runner, the server and the clients use, and what
judging and rendering the result costs.

    python3 bench/processor_time.py PROGRAM SCENARIO CELL
"""

import collections
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

TICKS = os.sysconf("SC_CLK_TCK")


def used(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def part_of(line):
    words = line.split(b"\0")
    name = os.path.basename(words[0]).decode(errors="replace")
    return words[1].decode() if name.startswith("holdfast") and len(words) > 1 else name


def watch(run, word):
    """{part: seconds} of the processes of the run, by looking at them until it ends."""
    seen = {}
    while run.poll() is None:
        for entry in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                line = (entry / "cmdline").read_bytes()
                if word in line:
                    seen[entry.name] = (part_of(line), used(entry.name))
            except OSError:
                continue
        time.sleep(0.02)
    parts = collections.Counter()
    for part, seconds in seen.values():
        parts[part] += seconds
    return parts


def cost(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, capture_output=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    program, scenario, cell = sys.argv[1:4]
    with tempfile.TemporaryDirectory(prefix="holdfast-cpu-") as folder:
        command = [program, "run", scenario, "--only", cell, "--out", folder, "--quiet", "--seed", "1"]
        begin = time.monotonic()
        parts = watch(subprocess.Popen(command, stdout=subprocess.DEVNULL), folder.encode())
        print(f"{cell}: {time.monotonic() - begin:.1f} s of wall time; seconds of processor time:")
        history = next(pathlib.Path(folder).glob("latest/cells/*/*/1/history.jsonl"))
        parts["check"] = cost([program, "check", history])
        parts["report"] = cost([program, "report", f"{folder}/latest"])
        for part, seconds in sorted(parts.items(), key=lambda item: -item[1]):
            print(f"  {part:10} {seconds:6.2f}")


if __name__ == "__main__":
    main()
