"""Ctrl-C in the middle of a run: exit 130, what was done is kept, nobody is left."""

import signal
import subprocess
import time
import unittest

from program import ProgramTest, processes, quick, wait_until

PROMPT_S = 5


class Interrupt(ProgramTest):
    def interrupted(self, number):
        run = subprocess.Popen(
            self.run_command(self.scenario("none", quick(duration_ms=4000)), "--jobs", "1", "--repeat", "5"),
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
        self.assertEqual(wait_until(lambda: not processes(str(self.out)), PROMPT_S), True, processes(str(self.out)))

    def test_ctrl_c_keeps_what_was_done(self):
        self.interrupted(signal.SIGINT)
        verdict = self.verdict()
        self.assertTrue(verdict["interrupted"])
        self.assertEqual(verdict["exit_code"], 130)
        self.assertEqual([trial["number"] for trial in verdict["cells"][0]["trials"]], [1])
        self.assertEqual(verdict["cells"][0]["trials"][0]["outcome"], "as_expected")
        self.assertEqual(verdict["cells"][0]["outcome"], "not_run", "four trials are missing")
        self.assertTrue((self.latest() / "report.html").exists())

    def test_terminate_does_the_same(self):
        self.interrupted(signal.SIGTERM)


if __name__ == "__main__":
    unittest.main()
