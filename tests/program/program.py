"""The real program under test: how to call it, small scenarios, and what must not be left behind.

HOLDFAST_PROGRAM and HOLDFAST_SOURCE name the program and the source folder; HOLDFAST_LAB=1 says that the tests make
labs (ctest sets them).
"""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

import needs

PROGRAM = os.environ["HOLDFAST_PROGRAM"]
SOURCE = pathlib.Path(os.environ["HOLDFAST_SOURCE"])
LONG_S = 120
CALL_S = 1500  # of one command, which others may slow down; ctest has a limit for each test
USER = 1000  # a normal user; needs no entry in /etc/passwd

# A trial of about three seconds. Properties that so short a trial cannot exercise are named.
QUICK = {
    "locks": ["insert_lease"],
    "clients": 3,
    "lease_ms": 1000,
    "hold_ms": [20, 60],
    "poll_ms": 20,
    "duration_ms": 1500,
    "coverage": {"grants": 2, "attempts_in_hold": 1},
    "expect": {"*": {"ownership": "not_exercised", "fencing": "not_exercised"}},
}


def quick(**changes):
    """A short scenario; locks without fencing get no expectation of it."""
    scenario = {**QUICK, **changes}
    if "expect" not in changes:
        plain = {"ownership": "not_exercised", "resource": "not_exercised"}  # on a full machine one may get all grants
        fenced = {**plain, "fencing": "not_exercised"}
        scenario["expect"] = {lock: fenced if lock.startswith("fenced") else plain for lock in scenario["locks"]}
    return scenario


class ProgramTest(unittest.TestCase):
    """`self.folder` is a folder of the test's own; `self.out` gets the runs."""

    def setUp(self):
        if os.environ.get("HOLDFAST_LAB") == "1":
            needs.lab()
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="holdfast-program-"))
        self.folder.chmod(0o755)
        self.out = self.folder / "runs"
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def scenario(self, name, content):
        """Writes scenarios/NAME.json and gives its path."""
        path = self.folder / "scenarios" / f"{name}.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return path

    def run_command(self, *arguments):
        return [PROGRAM, "run", *map(str, arguments), "--out", str(self.out), "--seed", "1"]

    def call(self, *command, prefix=(), **options):
        answer = subprocess.run(
            [*prefix, *map(str, command)], capture_output=True, text=True, timeout=CALL_S, cwd=self.folder, **options
        )
        self.shown = f"exit {answer.returncode}\n{answer.stdout}\n{answer.stderr}"
        return answer

    def refused(self, words, *command):
        answer = self.call(*command)
        self.assertEqual(answer.returncode, 2, self.shown)
        self.assertEqual(answer.stdout, "", self.shown)
        for word in words if isinstance(words, list) else [words]:
            self.assertIn(word, answer.stderr)
        self.assertFalse(self.out.exists(), "nothing may have been started")

    def locks_in_this_program(self):
        """Without those that are programs of their own."""
        listed = json.loads(self.call(PROGRAM, "list", "--json").stdout)["locks"]
        return [lock["name"] for lock in listed if lock["driver"] == "in_process"]

    def locks_with_statements(self):
        """Those on one MySQL or one Redis, whose statements have files of their own."""
        listed = json.loads(self.call(PROGRAM, "list", "--json").stdout)["locks"]
        ours = [lock for lock in listed if lock["driver"] == "in_process" and lock["server"] in ("mysql", "redis")]
        return [lock["name"] for lock in ours if "quorum" not in lock["name"]]

    def run_suite(self, *arguments, prefix=()):
        return self.call(*self.run_command(*arguments), prefix=prefix)

    def latest(self):
        return (self.out / "latest").resolve()

    def verdict(self):
        return json.loads((self.latest() / "verdict.json").read_text())

    def outcomes(self):
        """{"LOCK/SCENARIO": outcome} of the latest run."""
        return {f"{cell['lock']}/{cell['scenario']}": cell["outcome"] for cell in self.verdict()["cells"]}


def unshare(*flags):
    """The command that runs another in namespaces of its own; a normal user becomes root there."""
    return ["unshare", *flags] if os.geteuid() == 0 else ["unshare", "-Ur", *flags]


def program_for_all(folder):
    """The program where others can run it: a source tree below /root is closed to them."""
    copy = pathlib.Path(folder) / "holdfast"
    if not copy.exists():
        shutil.copy(PROGRAM, copy)
        copy.chmod(0o755)
    return str(copy)


def as_user(command):
    return ["setpriv", "--reuid", str(USER), "--regid", str(USER), "--clear-groups", *command]


def processes(word):
    """{pid: command line} of those whose command line has the word, this one left out."""
    found = {}
    for entry in [path for path in pathlib.Path("/proc").iterdir() if path.name.isdigit()]:
        try:
            line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue  # it has ended
        pid = int(entry.name)
        if word in line and pid != os.getpid():
            found[pid] = line
    return found


def wait_until(what, seconds=LONG_S):
    """The first true value of what(), or its last when the time is over."""
    limit = time.monotonic() + seconds
    while not (value := what()) and time.monotonic() < limit:
        time.sleep(0.01)
    return value


def kill(pid):
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
