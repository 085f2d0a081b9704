"""Ctrl-C in the middle of a run: exit 130, finished trials are kept, no process is left."""

import signal
import subprocess
import time
import unittest

from own_adapters import AdapterTest
from program import PROGRAM, ProgramTest, processes, quick, wait_until

PROMPT_S = 5


class Interrupt(ProgramTest):
    def interrupted(self, number):
        scenario = self.scenario("none", quick(duration_ms=4000))  # in real time, so that the signal meets a trial
        run = subprocess.Popen(
            self.run_command(scenario, "--time", "real", "--jobs", "1", "--repeat", "5"),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=self.folder,
        )  # fmt: skip
        self.addCleanup(run.kill)
        trials = self.out / "latest/cells/insert_lease/none"
        self.assertTrue(wait_until(lambda: (trials / "2/client-2.journal").exists()))
        time.sleep(0.5)
        self.assertGreaterEqual(len(processes(str(self.out))), 5, "lab, trial, server and clients are there")
        begin = time.monotonic()
        run.send_signal(number)
        out, err = run.communicate(timeout=60)
        self.assertLess(time.monotonic() - begin, PROMPT_S)
        self.assertEqual(run.returncode, 130, out + err)
        self.assertIn("\nholdfast: stopping, 8 s at most\n", err)
        self.assertEqual(wait_until(lambda: not processes(str(self.out)), PROMPT_S), True, processes(str(self.out)))

    def test_ctrl_c_keeps_finished_trials(self):
        self.interrupted(signal.SIGINT)
        verdict = self.verdict()
        self.assertTrue(verdict["interrupted"])
        self.assertEqual(verdict["exit_code"], 130)
        self.assertEqual([trial["number"] for trial in verdict["cells"][0]["trials"]], [1])
        self.assertEqual(verdict["cells"][0]["trials"][0]["outcome"], "as_expected")
        self.assertEqual(verdict["cells"][0]["outcome"], "not_run", "four trials are missing")
        self.assertTrue((self.latest() / "report.html").exists())

    def test_sigterm_keeps_finished_trials(self):
        self.interrupted(signal.SIGTERM)


class EveryCommand(AdapterTest):
    def ends(self, number, word, *command):
        """Sends the signal when a process with the word has begun, beside the command itself."""
        run = subprocess.Popen([PROGRAM, *map(str, command)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               cwd=self.folder)
        self.addCleanup(run.kill)
        self.assertTrue(wait_until(lambda: [pid for pid in processes(word) if pid != run.pid]), "nothing has begun")
        run.send_signal(number)
        out, err = run.communicate(timeout=60)
        self.assertEqual(run.returncode, 130, f"{command[0]}, signal {number}\n{out}{err}")
        self.assertTrue(wait_until(lambda: not processes(word), PROMPT_S), processes(word))
        return err

    def test_signals_end_adapter_check(self):
        folder = self.made()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            self.assertIn("interrupted", self.ends(number, self.word, "adapter", "check", folder))
            self.nothing_left()

    def test_signals_end_other_commands(self):
        cell = self.scenario("none", quick(duration_ms=8000))
        out = ["--out", self.out]
        for number, command in (
            (signal.SIGINT, ["compare", "insert_lease", "--scenario", cell, *out]),
            (signal.SIGTERM, ["soak", cell, "--for", "60s", *out]),
            (signal.SIGHUP, ["run", cell, *out]),
            (signal.SIGTERM, ["explore", "ip_lease", *out]),
            (signal.SIGHUP, ["try", "insert_lease", *out]),
            (signal.SIGINT, ["doctor", "--out", self.out / "doctor"]),
        ):
            with self.subTest(command=command[0]):
                self.ends(number, str(self.out), *command)


if __name__ == "__main__":
    unittest.main()
