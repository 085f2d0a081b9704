"""Disturbances of a run from outside: impatient users, closed pipes, removed folders, truncated files."""

import json
import os
import pathlib
import re
import signal
import subprocess
import unittest

from program import PROGRAM, ProgramTest, processes, quick, wait_until


def answer_lines(shown):
    return [line for line in shown.splitlines()[1:] if line]


class Edges(ProgramTest):
    def started(self, *more):
        """A run in the middle of its first trial."""
        run = subprocess.Popen(
            self.run_command(self.scenario("none", quick()), "--jobs", "1", *more),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=self.folder,
        )  # fmt: skip
        self.addCleanup(run.kill)
        journal = self.out / "latest/cells/insert_lease/none/1/client-2.journal"
        self.assertTrue(wait_until(journal.exists))
        return run

    def ended(self, run):
        out, err = run.communicate(timeout=100)
        self.shown = f"exit {run.returncode}\n{out}\n{err}"
        self.assertEqual(wait_until(lambda: not processes(str(self.out)), 5), True, processes(str(self.out)))
        return out, err

    def test_second_ctrl_c_ends_the_run(self):
        run = self.started("--repeat", "3", "--quiet")
        run.send_signal(signal.SIGINT)
        run.send_signal(signal.SIGINT)
        self.ended(run)
        self.assertEqual(run.returncode, 130, self.shown)
        self.assertTrue(self.verdict()["interrupted"])

    def test_closed_output_pipe(self):
        scenario = self.scenario("none", quick())
        script = '"$@" | head -1; echo ${PIPESTATUS[0]}'
        answer = self.call("bash", "-c", script, "bash", *self.run_command(scenario, "--json", "--quiet"))
        self.assertEqual(answer.stdout.splitlines(), ["{", "0"], self.shown)
        self.assertNotIn("cannot be written", answer.stderr)
        self.assertEqual(self.outcomes(), {"insert_lease/none": "as_expected"})

    def test_full_output_device_is_an_error(self):
        for command in (["list", "--json"], ["schema"], ["--help"]):
            with self.subTest(command=command), open("/dev/full", "w") as full:
                answer = subprocess.run([PROGRAM, *command], stdout=full, stderr=subprocess.PIPE, text=True)
                self.assertEqual(answer.returncode, 5)
                self.assertRegex(answer.stderr, r"^holdfast: standard output cannot be written.*\n$")

    def test_removed_run_folder_is_an_error(self):
        run = self.started("--repeat", "2", "--quiet")
        self.out.rename(self.folder / "elsewhere")  # at once; a removal can be overtaken by what is just written
        _, err = self.ended(run)
        self.assertEqual(run.returncode, 5, self.shown)
        self.assertTrue(err.startswith("holdfast: ") and len(err.splitlines()) == 1, self.shown)
        self.assertEqual(list(self.out.glob("2*/verdict.json")), [], "no result from half a folder")

    def test_truncated_results_are_refused(self):
        self.run_suite(self.scenario("none", quick()), "--quiet")
        run = self.latest()
        for file in (run / "verdict.json", run / "cells/insert_lease/none/1/verdict.json"):
            whole = file.read_text()
            wrong = {"cut": whole[: len(whole) // 2], "empty": "", "other": "[1]", "keyless": json.dumps({"seed": "1"})}
            for what, text in wrong.items():
                with self.subTest(file=file.name, what=what):
                    file.write_text(text)
                    answer = self.call(PROGRAM, "report", run)
                    self.assertEqual(answer.returncode, 2, self.shown)
                    self.assertRegex(answer.stderr, rf"^holdfast: {re.escape(str(file))}(:\d+)?: ")
                    self.assertEqual((answer.stdout, len(answer.stderr.splitlines())), ("", 1), self.shown)
            file.write_text(whole)
        self.assertEqual(self.call(PROGRAM, "report", run).returncode, 0, self.shown)

    def deep(self, length):
        """A path of so many characters, below the test's folder."""
        path = str(self.folder)
        while (left := length - len(path)) > 0:
            path += "/" + "d" * min(80, left - 1) if left > 1 else "d"
        return pathlib.Path(path)

    def test_longest_supported_paths_work(self):
        """MariaDB's paths have at most 511 bytes: a trial's folder 440, of which the run's own part has 60 here."""
        self.out = self.deep(440 - 24 - 60)
        answer = self.run_suite(self.scenario("none", quick()), "--quiet")
        self.assertEqual(answer.returncode, 0, self.shown)

    def test_too_long_paths_are_refused(self):
        path = self.scenario("none", quick())
        for length in (440 - 24 - 60 + 1, 500, 4000):
            self.out = self.deep(length)
            commands = [self.run_command(path), [PROGRAM, "explore", "ip_lease", "--out", self.out]]
            commands.append([PROGRAM, "compare", "ip_lease", "get_lock", "--scenario", path, "--out", self.out])
            for command in commands:
                with self.subTest(length=length, command=command[1]):
                    self.refused(["servers accept no more than 440; remedy: --out FOLDER"], *command)
                    self.assertEqual(len(answer_lines(self.shown)), 1, self.shown)
                    self.assertFalse((self.folder / ("d" * 80)).exists(), "nothing was made")

    def test_two_runs_in_parallel(self):
        command = self.run_command(self.scenario("none", quick()), "--quiet")
        runs = [subprocess.Popen(command, stdout=subprocess.DEVNULL) for _ in range(2)]
        self.assertEqual([run.wait(timeout=100) for run in runs], [0, 0])
        self.assertEqual(len(list(self.out.glob("2*/verdict.json"))), 2)
        self.assertTrue((self.out / "latest/verdict.json").exists())
        self.assertEqual([name for name in os.listdir(self.out) if name.startswith(".")], [])


if __name__ == "__main__":
    unittest.main()
