"""Each place of the program that makes a process or a thread, opens, maps or writes fails once: the run ends with a
message that says what was refused, or goes on and is right; nothing is left, and the run can be resumed.

The places are those that short runs pass (tests/sites/fail_site.cpp, which also says what is not reached). Each is
tried in the shortest cell that passes it, several at a time. Places that are not passed again are counted, and must be
few.

HOLDFAST_SITES_LIBRARY: the library. HOLDFAST_SITES_COUNT: how many are tried, spread over all (default: all).
HOLDFAST_SITES_ONLY: only those whose line has this text. HOLDFAST_SITES_JOBS: how many at a time (4).
"""

import bisect
import collections
import concurrent.futures
import errno
import fcntl
import json
import os
import pathlib
import platform
import shutil
import signal
import subprocess
import sys
import unittest

import needs
from killed_run_test import in_own_world, namespaces, others, own_places
from program import CALL_S, PROGRAM, ProgramTest, processes, wait_until

LIBRARY = os.environ["HOLDFAST_SITES_LIBRARY"]
COUNT = int(os.environ.get("HOLDFAST_SITES_COUNT", "0"))
ONLY = os.environ.get("HOLDFAST_SITES_ONLY", "")
JOBS = int(os.environ.get("HOLDFAST_SITES_JOBS", "4"))

# A later one was seen to end a process where the handler of SIGSYS could not be called; why was not found.
C_LIBRARY = tuple(int(part) for part in platform.libc_ver()[1].split(".")[:2])
LETS_NO_SIGNAL_IN = (2, 41)

SHORT = {
    "locks": ["insert_lease"],
    "clients": 2,
    "lease_ms": 1000,
    "hold_ms": [5, 10],
    "poll_ms": 5,
    "duration_ms": 300,
    "coverage": {"grants": 2, "attempts_in_hold": 1},
    "expect": {"*": {"ownership": "not_exercised", "resource": "not_exercised"}},
}
PAUSE = {"fault": "pause", "target": "holder", "at": {"phase": "critical_section"}, "for_ms": 50}
PARTITION = {"fault": "partition", "target": "holder", "at": {"phase": "before_release"}, "for_ms": 150}
CLOCK = {"fault": "server_clock", "at": {"time_ms": 100}, "for_ms": 150, "step_ms": 100}
CELLS = {  # the shortest first
    "none": SHORT,
    "redis": {**SHORT, "locks": ["redis_token"]},
    "server_clock": {**SHORT, "duration_ms": 600, "threads": 2, "faults": [CLOCK, PAUSE]},
    "partition": {**SHORT, "duration_ms": 600, "faults": [PARTITION]},
}
FEW_CELLS = ["none", "partition"]

REFUSALS = {  # the C library reports EAGAIN for a thread whose stack gets no memory
    "clone": [os.strerror(errno.EAGAIN)],
    "open": [os.strerror(errno.EMFILE)],
    "mmap": [os.strerror(errno.ENOMEM), os.strerror(errno.EAGAIN)],
    "write": [os.strerror(errno.ENOSPC)],
    "write-stdout": [os.strerror(errno.ENOSPC)],
}
DOCUMENTED = (0, 2, 3, 4, 5)  # not 1: the lock is as expected
NEVER = ("terminate called", "what():", "exited without output", "without output")
PIPE_BYTES = 1 << 20
LONGEST_S = 150  # limit of a run that takes two seconds


class Pipe:
    """A FIFO that others may open; what they write is kept for us."""

    def __init__(self, path, content=b""):
        os.mkfifo(path)
        os.chmod(path, 0o666)
        self.path = str(path)
        self.descriptor = os.open(path, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
        fcntl.fcntl(self.descriptor, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
        os.write(self.descriptor, content)

    def take(self):
        said = b""
        try:
            while True:
                said += os.read(self.descriptor, PIPE_BYTES)
        except BlockingIOError:
            os.close(self.descriptor)
            return said.decode()


def functions():
    """The functions that contain a place's offsets, from the program's symbol table."""
    lines = subprocess.run(["nm", "-nC", PROGRAM], capture_output=True, text=True, check=True).stdout.splitlines()
    words = [line.split(" ", 2) for line in lines if line[:1] == "0"]
    begins = [int(word[0], 16) for word in words]

    def name_of(offset):
        return words[bisect.bisect_right(begins, int(offset, 16) - 1) - 1][2].split("(")[0]

    def shown(place):
        role, kind, *offsets = place.split()
        again = " (again)" if offsets[-1] == "again" else ""
        return f"{role} {kind} in " + " < ".join(name_of(at) for at in offsets if at != "again") + again

    return shown


def files_of(run):
    return {str(path.relative_to(run)) for path in run.rglob("*") if path.suffix != ".log"}


class Sites(ProgramTest):
    def start(self, cell, name, fails=None):
        """Runs the cell; (exit code, output, library's report, the run's folder or None)."""
        place = self.folder / name
        place.mkdir()
        place.chmod(0o755)
        told = Pipe(place / "told")
        token = Pipe(place / "token", b"!")
        # A copy: the loader of programs takes a blank in a path for its end, and the lab's user must reach it.
        library = shutil.copy(LIBRARY, place / "sites.so")
        environment = {**os.environ, "LD_PRELOAD": library, "HOLDFAST_SITES": told.path}
        if fails:
            environment.update({"HOLDFAST_SITES_FAIL": fails, "HOLDFAST_SITES_TOKEN": token.path})
        command = [PROGRAM, "run", self.scenarios[cell], "--seed", "1", "--jobs", "3", "--out", place / "runs"]
        try:
            answer = subprocess.run(
                command, capture_output=True, text=True, timeout=LONGEST_S, cwd=place, env=environment, check=False
            )
            code, said = answer.returncode, answer.stdout + answer.stderr
        except subprocess.TimeoutExpired:
            code, said = None, f"has not ended after {LONGEST_S} s"
        token.take()
        runs = sorted(place.glob("runs/2*"))
        return code, said, told.take(), runs[0] if runs else None

    def recorded(self):
        """{place: the first cell that passes it}."""
        cells = FEW_CELLS if COUNT else list(CELLS)
        with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
            runs = dict(zip(cells, pool.map(lambda cell: self.start(cell, f"record-{cell}"), cells)))
        places = {}
        self.stored = {}
        for cell, (code, said, told, run) in runs.items():
            if code == -signal.SIGSYS and C_LIBRARY >= LETS_NO_SIGNAL_IN:
                self.skipTest("needs a C library that lets SIGSYS in at each of its calls, as Debian 12's does")
            self.assertEqual(code, 0, f"{cell}: {said}")
            self.stored[cell] = files_of(run)
            for place in sorted(told.splitlines()):
                places.setdefault(place, cell)
        return places

    def chosen(self, places):
        """A share of each process and kind, at even distances; all without a count."""
        every = sorted(place for place in places if ONLY in place)
        if not COUNT or len(every) <= COUNT:
            return every
        return [every[i * len(every) // COUNT] for i in range(COUNT)]

    def setUp(self):
        super().setUp()
        self.scenarios = {name: self.scenario(name, content) for name, content in CELLS.items()}

    def test_each_system_call_fails_once(self):
        before = self.traces()
        places = self.recorded()
        shown = functions()
        chosen = self.chosen(places)
        with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
            found = list(pool.map(lambda at: self.strike(*at), [(n, p, places[p]) for n, p in enumerate(chosen)]))
        counts = collections.Counter()
        bad = []
        for place, (what, complaint) in zip(chosen, found):
            counts[what] += 1
            if complaint:
                bad.append(f"{shown(place)}\n    [{place}; {places[place]}] {complaint}")
        kinds = dict(sorted(collections.Counter(" ".join(place.split()[:2]) for place in places).items()))
        summary = f"{len(places)} places {kinds}; {len(chosen)} tried: {dict(counts)}, {len(bad)} bad"
        print(summary, file=sys.stderr)
        self.assertEqual(wait_until(lambda: not others(), 5), True, others())
        self.assertEqual(self.traces(), before)
        self.assertFalse(bad, summary + "\n" + "\n".join(bad))
        self.assertLess(counts["not struck"] + counts["exit 3"], 0.1 * len(chosen), "too few show anything")

    def traces(self):
        files = [str(path) for place in own_places() for path in pathlib.Path(place).rglob("*")]
        files = [path for path in files if not path.startswith(str(self.folder))]
        return files, namespaces(), os.listdir("/sys/class/net"), pathlib.Path("/proc/self/mounts").read_text()

    def strike(self, number, place, cell):
        """(what became of it, complaint or "")."""
        name = f"site-{number}"
        code, said, told, run = self.start(cell, name, fails=place)
        if "struck" not in told:
            return "not struck", "" if code in (0, 3) else f"exit {code} though nothing failed: {said}"
        what = f"exit {code}"
        done = 0 if place.split()[1] == "write-stdout" else code  # all but its words
        complaint = self.judge(place, code, said, run) or self.left(name, run) or self.read_again(done, run, cell)
        return what, complaint and f"exit {code}: {complaint}\n{said.strip()}"

    def judge(self, place, code, said, run):
        kind = place.split()[1]
        if code not in DOCUMENTED:
            return "not an exit code of such a run"
        logs = [path.read_text(errors="replace") for path in run.rglob("*.log")] if run else []
        for word in NEVER:
            if any(word in text for text in [said, *logs]):
                return f"'{word}' was said"
        if code in (0, 3):  # 3: undecided, on a busy machine
            return self.stored_code(code, run)
        if kind in REFUSALS and not any(words in said for words in REFUSALS[kind]):
            return f"it does not say {REFUSALS[kind]}"
        limit = kind in ("clone", "open", "mmap") or kind == "write" and code != 4  # 4: into a file of the kernel's
        if limit and "remedy: " not in said:
            return "it names no limit and no remedy"
        return ""

    def stored_code(self, code, run):
        stored = json.loads((run / "verdict.json").read_text())["exit_code"]
        return "" if stored == code else f"verdict.json has exit code {stored}"

    def left(self, name, run):
        own = str(self.folder / name) + "/"
        if not wait_until(lambda: not processes(own), 10):
            return f"left: {processes(own)}"
        found = [path for path in run.rglob("*") if path.name == "lab" or path.suffix == ".part"] if run else []
        return f"left: {found}" if found else ""

    def read_again(self, code, run, cell):
        """A stored run can be reported; its missing trials can be run again, with nothing in the way."""
        if run is None:
            return ""
        report = self.again("report", run)
        if report.returncode != code and not (code != 0 and report.stderr.startswith("holdfast: ")):
            return f"report: exit {report.returncode}: {report.stderr}"
        if code in (0, 3):
            # A trial whose clock was in doubt was run again in real time, which leaves no record of it.
            missing = {file for file in self.stored[cell] - files_of(run) if not file.endswith("/time.json")}
            return f"a pass without {missing}" if missing else ""
        if not (run / "run.json").exists():
            return ""
        resumed = self.again("run", "--resume", run, "--again")
        if resumed.returncode != 0:
            return f"--resume: exit {resumed.returncode}: {resumed.stdout}{resumed.stderr}"
        return self.left(run.parent.parent.name, run)

    def again(self, *words):
        command = [PROGRAM, *map(str, words)]
        return subprocess.run(command, capture_output=True, text=True, timeout=CALL_S, cwd=self.folder, check=False)


if __name__ == "__main__":
    if "HOLDFAST_OWN_WORLD" not in os.environ and not needs.refused_lab():
        sys.exit(in_own_world())
    unittest.main()
