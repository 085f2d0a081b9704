"""The checker's bars: makes histories, has `holdfast check` judge each, prints processor time and peak memory.

    python3 bench/checker_bars.py build/bench/bench/checker_bench build/bench/holdfast       # up to 1e7 operations
    python3 bench/checker_bars.py ... --huge                                                 # 1e8 too: 13 GB of disk
    python3 bench/checker_bars.py ... --only 'jsonl'                                         # rows that match
    python3 bench/checker_bars.py ... --peer bench/peer/peer                                 # side by side as well

The measurement covers the command, including the start of the program, with every property that it judges on the
file: nothing that a user would wait for is left out. Each kind of history is made twice: as holdfast writes it, and
shuffled (keys and processes with arbitrary names, the fields of each line in another order, several events a
moment). The best of several runs counts, since other work on the machine only ever adds. `scan` is the time of a
program that only counts the lines of the same file: no check of it can be quicker.

The peer is a general checker of linearizability (bench/peer says how to build the program that runs it); what counts
is its own check, without reading the file. The files go to a folder of their own below TMPDIR, one at a time, and are
removed.
"""

import argparse
import dataclasses
import math
import os
import pathlib
import platform
import re
import subprocess
import tempfile

SMALL = 10**5


@dataclasses.dataclass
class Row:
    form: str
    operations: int
    options: tuple = ()
    most_s: float = None
    most_mib: int = None
    model: str = ""  # of checker_bench's own check: the promises of an own run, or a model

    def name(self):
        return " ".join([self.form, *self.options, *([f"[{self.model}]"] if self.model else [])])


SHUFFLED = ("shuffled",)
KEYS = ("keys=100",)
ROWS = [
    Row("jsonl", 10**7, (), 3, 64),
    Row("jsonl", 10**7, SHUFFLED, 3, 64),
    Row("jsonl", 10**7, KEYS, 3, 64),
    Row("jsonl", 10**7, KEYS + SHUFFLED, 3, 64),
    Row("edn", 10**6, (), None, 64),
    Row("edn", 10**6, SHUFFLED, None, 64),
    Row("journal", 10**5, (), None, 64),
    Row("journal", 10**6, (), None, 64),
    Row("journal", 10**7, (), 1, 64),
    Row("journal", 10**7, SHUFFLED, 1, 64),
    Row("journal", 10**7, KEYS, 1, 64),
    Row("journal", 10**7, KEYS + SHUFFLED, 1, 64),
    Row("journal", 10**7, (), 1, 64, "promises"),
    Row("journal", 10**7, (), 2, 512, "plain"),
    Row("jsonl", 10**4, ("violation",), 0.010),
    Row("jsonl", 10**4, ("violation",) + SHUFFLED, 0.010),
]
HUGE = [Row("journal", 10**8, (), 10, 64)]
# Without unknown outcomes, which the peer does not support.
SIDE_BY_SIDE = [
    (10**5, ("indeterminate=0",)),
    (10**6, ("indeterminate=0",) + KEYS),
]
TIMES = {"jsonl": 80, "journal": 250}


def machine():
    cpu = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "?")
    return f"{os.cpu_count()} processors ({cpu}), Linux {platform.release()}, load {os.getloadavg()[0]:.1f}"


def run(command, allowed=(0, 1)):
    """(seconds of processor time, MiB at most, what it printed)."""
    with tempfile.TemporaryFile("w+") as said:
        child = subprocess.Popen(command, stdout=said)
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode not in allowed:
            raise RuntimeError(f"{command} ended with {child.returncode}")
        said.seek(0)
        return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, said.read()


def best(command, times):
    return min(run(command) for _ in range(times))


class Measured:
    def __init__(self, options, folder):
        self.options = options
        self.file = str(pathlib.Path(folder) / "history")

    def make(self, form, operations, options):
        subprocess.run([self.options.bench, "make", form, str(operations), self.file, *options], check=True)

    def check(self, row):
        """Measures this row's file: (verdict, seconds, MiB, seconds of a scan)."""
        self.make(row.form, row.operations, row.options)
        times = 1 if row.operations > 10**7 else 3 if row.operations > SMALL else 9
        command = [self.options.holdfast, "check", self.file]
        if row.model:
            command = [self.options.bench, "check", row.model, self.file]
        seconds, mib, said = best(command, times)
        verdict = said.removeprefix(f"{self.file}: ").split()[0]
        scan = best([self.options.bench, "scan", self.file], times)[0]
        os.remove(self.file)
        return verdict, seconds, mib, scan

    def side_by_side(self, operations, options):
        self.make("jsonl", operations, options)
        told = best([self.options.peer, self.file], 2)[2]
        peer_s, peer_mib = (float(n) for n in re.search(r"check: ([\d.]+) s.* (\d+) MiB", told).groups())
        print(f"{operations:.0e} {' '.join(options)}: the peer's check {peer_s:.3f} s, {peer_mib:.0f} MiB")
        for form, bar in TIMES.items():
            verdict, seconds, mib, scan = self.check(Row(form, operations, options))
            print(
                f"    {form:8} {verdict:8} {seconds:6.3f} s: {peer_s / seconds:5.0f} times faster (bar {bar}), "
                f"{peer_mib / mib:4.0f} times smaller; a scan: {peer_s / max(scan, 1e-3):5.0f}"
            )


def print_row(row, measured):
    verdict, seconds, mib, scan = measured
    bars = [f"{row.most_s:g} s" if row.most_s else "", f"{row.most_mib}" if row.most_mib else ""]
    print(f"{row.name():34} {row.operations:10} {verdict:9} {seconds:7.3f} s {bars[0]:>7}", end="")
    print(f" {mib:5.1f} MiB {bars[1]:>4} {scan:7.3f} s", flush=True)


def print_growth(seconds):
    sizes = sorted(n for n in seconds if n >= 10**6)
    if len(sizes) < 2:
        return
    small, large = sizes[0], sizes[-1]
    exponent = math.log(seconds[large] / seconds[small]) / math.log(large / small)
    print(f"growth from {small:.0e} to {large:.0e}: exponent {exponent:.3f} (bar 1.05)")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("bench")
    parser.add_argument("holdfast")
    parser.add_argument("--huge", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--peer")
    parser.add_argument("--most", type=float, default=1e9, help="leave out histories with more operations")
    options = parser.parse_args()
    print(machine())
    print(f"{'history':34} {'operations':>10} {'verdict':9} {'time':>9} {'bar':>7} {'memory':>9} {'bar':>4}      scan")
    growth = {}
    with tempfile.TemporaryDirectory(prefix="holdfast-bars-") as folder:
        measured = Measured(options, folder)
        for row in ROWS + (HUGE if options.huge else []):
            if not re.search(options.only, row.name()) or row.operations > options.most:
                continue
            result = measured.check(row)
            print_row(row, result)
            if row.name() == "journal":
                growth[row.operations] = result[1]
        print_growth(growth)
        for operations, made in SIDE_BY_SIDE if options.peer else []:
            measured.side_by_side(operations, made)


if __name__ == "__main__":
    main()
