"""A thousand trials in a row: the resources of the run's own process (memory, threads, descriptors) stay the same,
except for the little that each verdict needs, and nothing is left behind.

HOLDFAST_TRIALS: how many (default 1000).
"""

import os
import pathlib
import subprocess
import time
import unittest

from program import ProgramTest, processes, quick

TRIALS = int(os.environ.get("HOLDFAST_TRIALS", "1000"))
JOBS = 8
# The allowed excess of the largest value of the second half over that of the first.
MORE_DESCRIPTORS = 8
MORE_THREADS = 1
MORE_KIB = 2048
MORE_KIB_PER_TRIAL = 6  # the verdict that the report is made of; measured: 3.5
LOOK_S = 0.05

# As short as a trial can be. Without contention only progress is exercised.
SHORT = quick(
    clients=1,
    hold_ms=1,
    pause_ms=0,
    poll_ms=5,
    duration_ms=100,
    progress_bound_ms=100,
    coverage={"grants": 1, "attempts_in_hold": 0},
    expect={"*": {"lease_exclusion": "not_exercised", "mutual_exclusion": "not_exercised", "resource": "not_exercised",
                  "ownership": "not_exercised", "progress": "not_exercised"}},
)  # fmt: skip


def status(pid, word):
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(word + ":"):
            return int(line.split()[1])
    raise ValueError(word)


def zombies(pid):
    children = pathlib.Path(f"/proc/{pid}/task").glob("*/children")
    states = []
    for child in (child for path in children for child in path.read_text().split()):
        try:
            states.append(pathlib.Path(f"/proc/{child}/stat").read_text().rsplit(")", 1)[1].split()[0])
        except OSError:
            continue
    return states.count("Z")


def look(pid):
    return {
        "KiB": status(pid, "VmRSS"),
        "threads": status(pid, "Threads"),
        "descriptors": len(os.listdir(f"/proc/{pid}/fd")),
        "zombies": zombies(pid),
    }


class ManyTrials(ProgramTest):
    def watch(self, run):
        """[(trials begun, what it takes)] until the run ends."""
        seen = []
        trials = self.out / "latest/cells/insert_lease/short"
        while run.poll() is None:
            try:
                seen.append((len(os.listdir(trials)), look(run.pid)))
            except (OSError, ValueError):
                pass  # not begun yet, or it has just ended
            time.sleep(LOOK_S)
        return seen

    def test_thousand_trials_use_constant_resources(self):
        own = self.folder / "temporary"
        own.mkdir()
        command = self.run_command(
            self.scenario("short", SHORT), "--repeat", TRIALS, "--jobs", JOBS, "--quiet", "--json"
        )
        begin = time.monotonic()
        with (self.folder / "log").open("w") as log:
            run = subprocess.Popen(command, stdout=log, stderr=log, env={**os.environ, "TMPDIR": str(own)})
            self.addCleanup(run.kill)
            seen = self.watch(run)
        print(f"{TRIALS} trials in {time.monotonic() - begin:.0f} s, exit {run.returncode}, {len(seen)} looks")
        self.nothing_is_left(own)
        self.assertEqual(len(self.verdict()["cells"][0]["trials"]), TRIALS)
        outcomes = {trial["outcome"] for trial in self.verdict()["cells"][0]["trials"]}
        self.assertNotIn("harness_error", outcomes)
        self.compare(seen)

    def compare(self, seen):
        """All jobs are at work after the first tenth; the page is written after the last trial began."""
        halves = [
            [what for begun, what in seen if TRIALS * low < begun * 100 <= TRIALS * high]
            for low, high in ((10, 50), (50, 99))
        ]
        self.assertTrue(all(len(half) > 10 for half in halves), "too few looks")
        bounds = {
            "KiB": MORE_KIB + MORE_KIB_PER_TRIAL * TRIALS // 2,
            "threads": MORE_THREADS,
            "descriptors": MORE_DESCRIPTORS,
            "zombies": JOBS,
        }
        for name, bound in bounds.items():
            first, second = (max(what[name] for what in half) for half in halves)
            print(f"{name}: at most {first} in the first half, {second} in the second (bound: {bound} more)")
            self.assertLessEqual(second, first + bound, name)

    def nothing_is_left(self, own):
        self.assertEqual(processes(str(self.out)), {})
        self.assertEqual(list(own.iterdir()), [])
        self.assertEqual(list(self.out.rglob("*.part")), [])
        self.assertEqual(list(self.out.glob("*/cells/*/*/*/lab")), [])


if __name__ == "__main__":
    unittest.main()
