"""Adapters that replace a file of their trial's folder: by a link to a file that only the caller may read, a link to a
device that never ends, a FIFO, a folder, a file of a terabyte, broken JSON. That trial is an error of the harness,
soon; the link's target is shown nowhere, nothing hangs, and the other cells continue."""

import json
import os
import pathlib
import signal
import subprocess
import time
import unittest

from own_adapters import AdapterTest
from program import PROGRAM, wait_until

SECRET = "root:$6$this-is-read-by-root-alone"
FILES = ("lab.log", "client-0.log", "client-0.journal", "history.jsonl", "facts.json", "result.json", "verdict.json",
         "plan.json", "adapter-0.log", "time.json")
RESULTS = ("result.json", "verdict.json", "time.json")
KINDS = ("secret", "endless", "fifo", "folder", "sparse", "junk")
SOON_S = 30 * int(os.environ.get("HOLDFAST_TIME_FACTOR", "1"))  # limit of a command that reads such a trial

# A scenario is named KIND_FILE_WHEN; the trial's folder is found as any program in a lab can find it. `early`: at
# hello; `late`: when facts.json is there, which is written last, by a process that has left the adapter's group.
HOSTILE = """
def replace(path, kind):
    try:
        os.rename(path, path + ".was")
    except OSError:
        pass
    if kind == "secret":
        os.symlink(SECRET, path)
    elif kind == "endless":
        os.symlink("/dev/zero", path)
    elif kind == "fifo":
        os.mkfifo(path)
    elif kind == "folder":
        os.makedirs(path + "/within")
    elif kind == "junk":
        with open(path, "w") as file:
            file.write("{]")
    elif kind == "sparse":
        with open(path, "w") as file:
            file.write("holdfast: ")
            file.truncate(1 << 40)


def plant(client):
    trial = os.path.dirname(os.path.dirname(os.environ["HOME"]))
    kind, name, when = os.path.basename(os.path.dirname(trial)).split("_")
    path = next((one for one in FILES if one.replace(".", "").replace("-", "") == name), None)
    if client != 0 or path is None:
        return
    if when == "early":
        replace(trial + "/" + path, kind)
        sys.exit(3)
    if when == "begun":
        replace(trial + "/" + path, kind)
    elif os.fork() == 0:
        os.setsid()
        while not os.path.exists(trial + "/facts.json"):
            time.sleep(0.001)
        replace(trial + "/" + path, kind)
        os._exit(0)


"""


def scenario_name(kind, file, when):
    return f"{kind}_{file.replace('.', '').replace('-', '')}_{when}"


class Planted(AdapterTest):
    def hostile(self, name="my_lock"):
        folder = self.made(name)
        secret = self.folder / "secret"
        secret.write_text(SECRET + "\n")
        secret.chmod(0o600)
        lock = folder / "lock.py"
        facts = f"FILES = {FILES!r}\nSECRET = {str(secret)!r}\n"
        text = lock.read_text().replace("import json\n", "import json\nimport os\n", 1)
        text = text.replace("def answer(lock, ask):", facts + HOSTILE + "def answer(lock, ask):")
        begins = "            lock = MyLock(ask)\n"
        self.assertIn(begins, text)
        lock.write_text(text.replace(begins, begins + '            plant(ask["client"])\n'))
        return folder

    def run_planted(self, cells, *more):
        """One run of a cell for each (kind, file, when), and of one that plants nothing; {cell: outcome}."""
        # A plain file that exists before holdfast's own is overwritten or replaced, so it does no harm.
        harmless = [cell for cell in cells if cell[0] in ("sparse", "junk") and cell[2] == "begun"]
        harmless.append(("junk", "plan.json", "late"))  # nothing reads it then
        self.expected = {f"my_lock/{scenario_name(*cell)}": "harness_error" for cell in cells}
        self.expected.update({f"my_lock/{scenario_name(*cell)}": "as_expected" for cell in harmless if cell in cells})
        self.expected["my_lock/sound_none_never"] = "as_expected"
        for cell in self.expected:
            self.tiny(cell.split("/")[1])
        answer = self.run_suite(self.folder / "scenarios", "--adapter", self.hostile(), *more)
        self.assertEqual(answer.returncode, 5, self.shown)
        return answer

    def look_at(self, *command):
        begin = time.monotonic()
        answer = self.call(PROGRAM, *command)
        self.assertLess(time.monotonic() - begin, SOON_S, self.shown)
        self.assertNotIn(SECRET, answer.stdout + answer.stderr)
        self.assertNotIn("terminate called", answer.stderr)
        return answer

    def check_all(self, cells, answer, too_late=0):
        """`too_late`: how many of the processes that wait for the trial's end may be killed with it before they act."""
        outcomes = self.outcomes()
        spared = [cell for cell, outcome in outcomes.items()
                  if (self.expected.get(cell), outcome) == ("harness_error", "as_expected")]  # fmt: skip
        self.assertLessEqual(len(spared), too_late, self.shown)
        self.assertEqual(outcomes, {**self.expected, **dict.fromkeys(spared, "as_expected")}, self.shown)
        self.assertNotIn(SECRET, answer.stdout + answer.stderr)
        for file in self.latest().rglob("*"):
            if file.is_file() and not file.is_symlink() and file.stat().st_size < 1 << 30:
                self.assertNotIn(SECRET, file.read_text(errors="replace"), file)
        for cell in self.verdict()["cells"]:
            for trial in cell["trials"]:
                self.assertLess(trial["seconds"], SOON_S, (cell["scenario"], trial["error"]))
        self.assertEqual(self.look_at("report", self.latest()).returncode, 5, self.shown)
        for cell in cells:
            trial = self.latest() / "cells/my_lock" / scenario_name(*cell) / "1"
            self.assertIn(self.look_at("check", trial).returncode, (0, 1, 2, 3), self.shown)
            self.look_at("report", trial, "--out", self.folder / "page.html")
        self.nothing_left()

    def every(self, when, files, *more, too_late=0):
        cells = [(kind, file, when) for kind in KINDS for file in files]
        self.check_all(cells, self.run_planted(cells, *more), too_late)

    def test_planted_before_the_trial_fails(self):
        self.every("early", ("lab.log", "client-0.log", "adapter-0.log"))

    def test_planted_before_the_file_is_written(self):
        self.every("begun", ("client-0.journal", "history.jsonl", "facts.json"))

    def test_planted_before_the_results_are_written(self):
        self.every("begun", RESULTS)

    def test_planted_after_the_trial(self):
        # In skipped time the trial has ended before the one that waits for the file runs again.
        self.every("late", ("history.jsonl", "facts.json", "plan.json"), "--time", "real", too_late=3)

    def test_interrupt_ends_a_run_with_a_planted_fifo(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            self.tiny("fifo_historyjsonl_begun")
            folder = self.folder / "my_lock"
            folder = folder if folder.exists() else self.hostile()
            run = subprocess.Popen([*self.run_command(self.folder / "scenarios", "--adapter", folder), "--repeat", "9",
                                    "--jobs", "1"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=self.folder)
            self.addCleanup(run.kill)
            cells = self.out / "latest/cells/my_lock/fifo_historyjsonl_begun/1"
            self.assertTrue(wait_until(lambda: (cells / "history.jsonl").exists()))
            time.sleep(0.5)
            run.send_signal(number)
            self.assertEqual(run.wait(SOON_S), 130, run.stdout.read())
            self.nothing_left()

    def test_endless_adapter_log_is_bounded(self):
        """Its log is cut, with a notice in it and in the report; the verdict is that of the lock."""
        folder = self.made()
        lock = folder / "lock.py"
        begins = "            lock = MyLock(ask)\n"
        noise = '            for _ in range(300):\n                print("x" * 1_000_000, file=sys.stderr)\n'
        lock.write_text(lock.read_text().replace(begins, begins + noise))
        self.assertEqual(self.run_tiny(folder).returncode, 0, self.shown)
        trial = self.latest() / "cells/my_lock/tiny/1"
        logs = sorted(trial.glob("adapter-*.log"))
        self.assertGreaterEqual(len(logs), 3)
        for log in logs:
            self.assertLess(log.stat().st_size, 5 << 20)
            self.assertRegex(log.read_text(), r"\nholdfast: the log is full; .*\nholdfast: \d+ bytes left out\n")
        cut = json.loads((self.latest() / "environment.json").read_text())["cut_logs"]
        self.assertEqual(sorted(cut), [str(log.relative_to(self.latest())) for log in logs])
        self.assertIn("cells/my_lock/tiny/1/adapter-0.log", (self.latest() / "report.html").read_text())
        self.nothing_left()

    def test_short_adapter_log_is_kept(self):
        self.assertEqual(self.run_tiny(self.made()).returncode, 0, self.shown)
        self.assertNotIn("cut_logs", json.loads((self.latest() / "environment.json").read_text()))


if __name__ == "__main__":
    unittest.main()
