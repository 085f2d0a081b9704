"""Measures many clients in one trial: memory, time to start, and throughput.

    python3 bench/crowd.py PROGRAM [CLIENTS...]

One trial of fenced_lease for each number of clients (5, 25 and 100 where none is given), each client on a key of its
own as far as there are keys, so that the machine and not the lock is the limit. Memory is the sum, by part, of what
each process has for itself (Pss), at the busiest moment seen.
"""

import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time

LOAD_MS = 6000
MOST_KEYS = 64


def scenario(clients):
    return {
        "locks": ["fenced_lease"],
        "clients": clients,
        "keys": min(clients, MOST_KEYS),
        "lease_ms": 5000,
        "hold_ms": 0,
        "pause_ms": 0,
        "poll_ms": 100,
        "duration_ms": LOAD_MS,
        "coverage": {"grants": 1, "attempts_in_hold": 0},
        "expect": {},
    }


def part_of(line):
    words = line.split(b"\0")
    name = words[0].rsplit(b"/", 1)[-1].decode(errors="replace")
    return words[1].decode() if name.startswith(("holdfast", "hf")) and len(words) > 1 else name


def memory(word):
    """{part: KiB} of the processes whose command line has the word."""
    parts = collections.Counter()
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            line = (entry / "cmdline").read_bytes()
            if word in line:
                pss = re.search(r"^Pss:\s+(\d+)", (entry / "smaps_rollup").read_text(), re.M)
                parts[part_of(line)] += int(pss.group(1))
        except (OSError, AttributeError):
            continue
    return parts


def journals(folder):
    return len(list(folder.glob("runs/latest/cells/*/*/1/client-*.journal")))


def watch(command, folder, clients):
    """Memory by part at its largest, and the time until the last client was about to connect."""
    begin, start, most = time.monotonic(), None, collections.Counter()
    run = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while run.poll() is None:
        if start is None:
            start = time.monotonic() - begin if journals(folder) == clients else None
            time.sleep(0.005)
            continue
        for part, kib in memory(str(folder).encode()).items():
            most[part] = max(most[part], kib)
        time.sleep(0.5)
    return most, start


def measure(program, clients):
    with tempfile.TemporaryDirectory(prefix="holdfast-crowd-") as name:
        folder = pathlib.Path(name)
        (folder / "crowd.json").write_text(json.dumps(scenario(clients)))
        command = [program, "run", folder / "crowd.json", "--out", folder / "runs", "--seed", "1", "--quiet"]
        most, start = watch(command, folder, clients)
        trial = json.loads((folder / "runs/latest/verdict.json").read_text())["cells"][0]["trials"][0]
        if trial["error"]:
            sys.exit(trial["error"])
        grants = trial["verdict"]["measures"]["grants"] / LOAD_MS * 1000
        mib = {part: f"{most[part] / 1024:.1f}" for part in ("trial", "mariadbd", "client", "run")}
        each = most["client"] / 1024 / clients
        own = f"{mib['trial']} | {mib['mariadbd']} | {each:.2f} | {mib['run']}"
        return f"| {clients} | {start:.2f} s | {grants:.0f} | {own} |"


def main():
    numbers = [int(word) for word in sys.argv[2:]] or [5, 25, 100]
    print("| clients | started after | grants a second | runner, MiB | server, MiB | a client, MiB | `run`, MiB |")
    print("|---|---|---|---|---|---|---|")
    for clients in numbers:
        print(measure(sys.argv[1], clients), flush=True)


if __name__ == "__main__":
    main()
