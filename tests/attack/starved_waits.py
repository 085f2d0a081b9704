#!/usr/bin/env python3
"""Refusals that only a starved machine explains: takes the processor from the clients of a sound lock that waits.

    tests/attack/starved_waits.py --program build/release/holdfast --trials 12 --seed 1

Runs trials in real time whose clients ask for keys that are mostly free. A control group takes the processor from the
adapters for BUSY_S (it leaves them LEFT_US in PERIOD_US), then gives it back for FREE_S. A wait of 1 s that falls into
BUSY_S is over before the adapter has asked the server: the lock is refused although its key is free. It ends with the
first such trial: a violation is a false word (exit 1), an undecided trial that names the stall is right (exit 0). If no
trial showed the refusal, the result proves nothing (exit 3). Without control groups for the processor it exits with 4.
"""

import argparse
import contextlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
ADAPTER = SOURCE / "tests/attack/starved_wait/lock.json"
SCENARIO = SOURCE / "tests/attack/starved_wait/free_keys.json"
BUSY_S, FREE_S = 1.3, 0.5
LEFT_US, PERIOD_US = 1000, 1_000_000
BEGIN_S = 2.5  # the adapters have started by then


def adapters():
    """The processes that run the adapter; tests of this kind run alone."""
    program = str(ADAPTER.with_name("lock.py")).encode()
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it has ended
            if program in (folder / "cmdline").read_bytes().split(b"\0"):
                yield int(folder.name)


class Group:
    """A control group that takes the processor from its processes: cgroup v1, or v2 if its root hands out cpu."""

    def __init__(self):
        old = pathlib.Path("/sys/fs/cgroup/cpu")
        self.old = old.is_dir()
        self.folder = (old if self.old else pathlib.Path("/sys/fs/cgroup")) / f"holdfast-starved-{os.getpid()}"
        self.folder.mkdir()
        self.limit(True)

    def limit(self, starved):
        if self.old:
            (self.folder / "cpu.cfs_period_us").write_text(f"{PERIOD_US}")
            (self.folder / "cpu.cfs_quota_us").write_text(f"{LEFT_US if starved else -1}")
        else:
            (self.folder / "cpu.max").write_text(f"{LEFT_US if starved else 'max'} {PERIOD_US}")

    def add(self, pid):
        with contextlib.suppress(ProcessLookupError):
            (self.folder / "cgroup.procs").write_text(str(pid))

    def remove(self):
        until = time.monotonic() + 5
        while time.monotonic() < until:
            try:
                return self.folder.rmdir()
            except OSError:
                time.sleep(0.1)


def starve(group, over):
    """Takes the processor from the adapters again and again."""
    while not over.wait(FREE_S):
        for pid in adapters():
            group.add(pid)
        group.limit(True)
        over.wait(BUSY_S)
        group.limit(False)


def trial(group, program, seed, out):
    command = [program, "run", SCENARIO, "--adapter", ADAPTER, "--time", "real"]
    command += ["--seed", str(seed), "--json", "--quiet", "--out", out]
    with subprocess.Popen(command, cwd=SOURCE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        time.sleep(BEGIN_S)
        over = threading.Event()
        starving = threading.Thread(target=starve, args=(group, over))
        starving.start()
        answer, errors = running.communicate()
        over.set()
        starving.join()
    if not answer:
        sys.exit(f"the run ended with {running.returncode}: {errors}")
    return json.loads(answer)["cells"][0]["trials"][0]


def campaign(group, options):
    with tempfile.TemporaryDirectory(prefix="holdfast-starved-") as folder:
        for seed in range(options.seed, options.seed + options.trials):
            one = trial(group, options.program, seed, folder)
            telling = [p for p in one["verdict"]["properties"] if p["judgement"] in ("undecided", "violated")]
            reasons = [p["reason"] or p["kind"] for p in telling]
            print(f"trial {seed}: {one['outcome']}", *reasons, flush=True)
            if any(m["seen"].startswith("violated") for m in one["mismatches"]):
                print("FAIL  a sound lock is accused of refusals that the starved machine explains")
                return 1
            if any("machine stalled" in reason and " waited for " in reason for reason in reasons):
                print("PASS  a refusal that the starved machine explains is undecided")
                return 0
    print("UNDECIDED  no refusal of a free key happened")
    return 3


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--program", required=True)
    options.add_argument("--trials", type=int, default=12)
    options.add_argument("--seed", type=int, default=1)
    options = options.parse_args()
    try:
        group = Group()
    except OSError as error:
        print(f"this machine has no control groups for the processor: {error}")
        return 4
    try:
        return campaign(group, options)
    finally:
        group.remove()


if __name__ == "__main__":
    sys.exit(main())
