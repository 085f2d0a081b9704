"""The library that moves a server's wall clock, in a small program that reads every clock and waits in every way."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import time
import unittest

from clock import Clock

VICTIM = os.environ["HOLDFAST_VICTIM"]
WALL = {"realtime", "coarse", "gettimeofday", "time", "timespec_get"}
MS = 1_000_000
WAIT_MS = 100
HOUR_MS = 3_600_000
# Far more than any machine needs to answer, far less than an hour.
LONG_NS = 60_000 * MS


class VictimTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="holdfast-preload-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.clock = Clock(self.folder)
        self.start(self.clock.environment())

    def start(self, environment):
        options = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "env": environment}
        self.program = subprocess.Popen([VICTIM], **options)
        self.addCleanup(self.program.communicate)

    def ask(self, question):
        self.program.stdin.write(question + "\n")
        self.program.stdin.flush()
        words = self.program.stdout.readline().split()
        return {name: int(value) for name, value in (word.split("=") for word in words)}

    def assert_ahead(self, offset_ms):
        """Every wall clock was read between two of ours, shifted; time() is whole seconds, coarse has ticks."""
        before = time.time_ns() + offset_ms * MS
        seen = self.ask("clocks")
        after = time.time_ns() + offset_ms * MS
        for name in WALL:
            early = before - {"time": 1_020 * MS, "coarse": 20 * MS}.get(name, 1000)
            self.assertTrue(early <= seen[name] <= after, f"{name}: {early} <= {seen[name]} <= {after}")

    def test_only_wall_clocks_follow_the_page(self):
        self.assert_ahead(0)
        for offset_ms in (HOUR_MS, -HOUR_MS, 700, -700, 0):
            self.clock.set(offset_ms)
            self.assert_ahead(offset_ms)
            before = time.monotonic_ns()
            seen = self.ask("clocks")["monotonic"]
            self.assertTrue(before <= seen <= time.monotonic_ns(), "the monotonic clock was moved")

    def test_without_a_page_all_clocks_are_right(self):
        self.start({**self.clock.environment(), "HOLDFAST_CLOCK": "/nonexistent"})
        self.assert_ahead(0)

    def test_drift_begins_when_it_is_set(self):
        earliest = time.monotonic_ns()
        self.clock.set(0, 100_000_000)  # a hundred seconds more in each, so that noise is small beside it
        begin = time.monotonic_ns()
        time.sleep(0.1)
        wall, monotonic = time.time_ns(), time.monotonic_ns()
        seen = self.ask("clocks")["realtime"]
        late = time.monotonic_ns()
        self.assertGreaterEqual(seen - wall, 100 * (monotonic - begin) - MS)
        self.assertLessEqual(seen - time.time_ns(), 100 * (late - earliest) + MS)

    def test_frozen_clock_stays_until_released(self):
        frozen_ns = 1_900_000_000 * 1_000_000_000
        self.clock.set(offset_ms=HOUR_MS, frozen_ns=frozen_ns)
        first = self.ask("clocks")
        time.sleep(0.05)
        second = self.ask("clocks")
        for name in WALL:
            self.assertEqual([first[name], second[name]], [frozen_ns] * 2, name)
        self.assertGreaterEqual(second["monotonic"] - first["monotonic"], 50 * MS)
        self.clock.set()
        self.assert_ahead(0)

    def test_deadlines_on_a_wrong_clock_come_in_time(self):
        for offset_ms in (0, HOUR_MS, -HOUR_MS):
            self.clock.set(offset_ms)
            waits = {**self.ask(f"waits {WAIT_MS}"), **self.ask(f"steady_waits {WAIT_MS}")}
            for name, took in waits.items():
                self.assertGreaterEqual(took, (WAIT_MS - 1) * MS, f"{name} at {offset_ms} ms")
                self.assertLess(took, LONG_NS, f"{name} at {offset_ms} ms")

    def test_deadlines_on_a_fast_clock_come_sooner(self):
        self.clock.set(0, 99_000_000)  # a hundred seconds in each
        for name, took in self.ask("waits 30000").items():
            self.assertGreaterEqual(took, 290 * MS, name)
            self.assertLess(took, 29_000 * MS, name)
        for name, took in self.ask(f"steady_waits {WAIT_MS}").items():
            self.assertGreaterEqual(took, (WAIT_MS - 1) * MS, name)


if __name__ == "__main__":
    unittest.main()
