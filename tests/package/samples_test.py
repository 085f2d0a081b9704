"""The packages for other test runners: made, installed beside the sample of the language, and run for its two locks.

Each sample is copied to a folder that other users can read: if root runs the tests, the lab runs as `nobody`.
"""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

import needs

SOURCE = pathlib.Path(os.environ["HOLDFAST_SOURCE"])
SETTINGS = {"HOLDFAST_SEED": "5", "HOLDFAST_FOR": "120"}
STORY = ("expected as_safe_as_a_lease, is broken", "GET orders", "DEL orders", "replay: holdfast replay")
REASON = "this machine has no such server"
CANNOT_RUN = f"#!/bin/sh\necho '{REASON}' >&2\nexit 4\n"


def call(*command, expected=0, cwd=None, **environment):
    there = {**os.environ, **environment}
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, timeout=1500, cwd=cwd, env=there)
    if done.returncode != expected:
        raise AssertionError(f"{command}: exit {done.returncode}\n{done.stdout[-6000:]}\n{done.stderr[-4000:]}")
    return done.stdout


def copied(test, language):
    """The sample in a folder of its own, which is removed when the class is done."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix=f"holdfast-{language}-"))
    folder.chmod(0o755)
    test.addClassCleanup(shutil.rmtree, folder)
    ignored = shutil.ignore_patterns("holdfast", "node_modules", "runs")
    return shutil.copytree(SOURCE / "samples" / language, folder / "sample", ignore=ignored)


class Sample:
    """A language's class has `folder`, `command`, and the marks of its runner for a test's end."""

    passes, fails, skips = (), (), ()

    def test_one_passes_and_one_fails_with_its_story(self):
        shown = call(*self.command, expected=1, cwd=self.folder, **SETTINGS)
        for mark in (*self.passes, *self.fails, *STORY):
            self.assertIn(mark, shown)

    def test_is_skipped_where_the_machine_cannot_run_it(self):
        program = self.folder / "cannot_run"
        program.write_text(CANNOT_RUN)
        program.chmod(0o755)
        shown = call(*self.command, cwd=self.folder, HOLDFAST_PROGRAM=str(program))
        for mark in (*self.skips, REASON):
            self.assertIn(mark, shown)


class Go(Sample, unittest.TestCase):
    command = ("go", "test", "-count=1", "-v", "-timeout", "30m")
    passes = ("--- PASS: TestTokenLock",)
    fails = ("--- FAIL: TestGetThenDelLock",)
    skips = ("--- SKIP: TestTokenLock", "--- SKIP: TestGetThenDelLock")

    @classmethod
    def setUpClass(cls):
        needs.registry("Go")
        have = re.search(r"go(\d+)\.(\d+)", call("go", "version", cwd="/"))
        old = tuple(map(int, have.groups())) < (1, 21)
        needs.skip_if(f"needs Go 1.21 or later, this is {have[0]}; remedy: put such a Go into PATH" if old else "")
        cls.folder = copied(cls, "go")
        call(SOURCE / "go/make.sh", cls.folder / "holdfast")


class Node(Sample, unittest.TestCase):
    command = ("node", "--test", "--test-reporter=tap")
    passes = ("\nok 1 - token lock",)
    fails = ("\nnot ok 2 - get then del lock",)
    skips = ("\nok 1 - token lock # SKIP", "\nok 2 - get then del lock # SKIP")

    @classmethod
    def setUpClass(cls):
        needs.registry("npm")
        cls.folder = copied(cls, "node")
        npm = ("npm", f"--cache={cls.folder}/cache", "--no-audit", "--no-fund", "--no-update-notifier")
        call(*npm, "ci", cwd=cls.folder)
        package = call(SOURCE / "node/make.sh", cls.folder).strip()
        call(*npm, "install", "--no-save", package, cwd=cls.folder)


if __name__ == "__main__":
    unittest.main()
