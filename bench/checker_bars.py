"""The checker's bars: makes histories, checks each in a process of its own, prints processor time and peak memory.

    python3 bench/checker_bars.py build/bench/bench/checker_bench              # up to 1e7 operations, minutes
    python3 bench/checker_bars.py build/bench/bench/checker_bench --huge       # 1e8 too: 13 GB of disk

The files go to a folder of their own below TMPDIR, one at a time, and are removed.
"""

import argparse
import math
import os
import pathlib
import platform
import subprocess
import tempfile

# what, form, operations, model, further argument, bar in seconds, bar in MiB
BARS = [
    ("journal, beliefs + leases + fencing", "journal", 10**5, "promises", [], None, 64),
    ("journal, beliefs + leases + fencing", "journal", 10**6, "promises", [], None, 64),
    ("journal, beliefs + leases + fencing", "journal", 10**7, "promises", [], 1.0, 64),
    ("JSON lines, beliefs + leases + fencing", "jsonl", 10**7, "promises", [], 4.0, 64),
    ("journal, plain mutex", "journal", 10**7, "plain", [], 2.0, 512),
    ("JSON lines, 1 % indeterminate, violated at the end", "jsonl", 10**4, "owner", ["violation"], 0.010, None),
]
HUGE = [("journal, beliefs + leases + fencing", "journal", 10**8, "promises", [], 10.0, 64)]


def machine():
    cpu = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "?")
    return f"{os.cpu_count()} processors ({cpu}), Linux {platform.release()}, load {os.getloadavg()[0]:.1f}"


def measure(program, folder, form, operations, model, further):
    """(verdict, seconds of processor time, MiB at most): the best of three, since other work only ever adds."""
    file = str(pathlib.Path(folder) / f"history.{form}")
    subprocess.run([program, "make", form, str(operations), file, *further], check=True)
    runs = []
    for _ in range(3 if operations < 10**8 else 1):
        answer = subprocess.run([program, "check", model, file], check=True, capture_output=True, text=True)
        said = answer.stdout.split()
        runs.append((float(said[3]), float(said[5]), said[0]))
    os.remove(file)
    seconds, mib, verdict = min(runs)
    return verdict, seconds, mib


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program")
    parser.add_argument("--huge", action="store_true")
    options = parser.parse_args()
    print(machine())
    print(f"{'what':52} {'operations':>10} {'verdict':13} {'time':>9} {'bar':>7} {'memory':>9} {'bar':>7}")
    growth = {}
    with tempfile.TemporaryDirectory(prefix="holdfast-bars-") as folder:
        for what, form, operations, model, further, most_s, most_mib in BARS + (HUGE if options.huge else []):
            verdict, seconds, mib = measure(options.program, folder, form, operations, model, further)
            bars = [f"{most_s:g} s" if most_s else "", f"{most_mib}" if most_mib else ""]
            print(f"{what:52} {operations:10} {verdict:13} {seconds:7.3f} s {bars[0]:>7}", end="")
            print(f" {mib:5.1f} MiB {bars[1]:>7}", flush=True)
            if model == "promises" and form == "journal":
                growth[operations] = seconds
    small, large = min(n for n in growth if n >= 10**6), max(growth)
    exponent = math.log(growth[large] / growth[small]) / math.log(large / small)
    print(f"growth from {small:.0e} to {large:.0e}: exponent {exponent:.3f} (bar 1.05)")


if __name__ == "__main__":
    main()
