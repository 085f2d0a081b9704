"""Progress of a run: a line that is updated on a terminal, a line now and then in a build server's log."""

import os
import pty
import subprocess
import unittest

from program import ProgramTest, quick

HEARTBEAT_MS = 15_000


class Progress(ProgramTest):
    def on_terminal(self, *arguments, codes=(0,)):
        """Standard error on a terminal."""
        ours, theirs = pty.openpty()
        run = subprocess.Popen(self.run_command(*arguments), stdout=subprocess.DEVNULL, stderr=theirs, cwd=self.folder)
        os.close(theirs)
        shown = b""
        try:
            while chunk := os.read(ours, 4096):
                shown += chunk
        except OSError:
            pass  # its end is closed: the run is over
        os.close(ours)
        self.assertIn(run.wait(timeout=60), codes, shown)
        return shown.decode()

    def test_terminal_shows_one_updating_line(self):
        scenario = self.scenario("none", quick())
        shown = self.on_terminal(scenario, "--time", "real")
        lines = shown.split("\r\033[K")
        self.assertIn("0 of 1 trials, 1 s", lines, "before any trial ended")
        self.assertTrue(any(line.endswith("last: insert_lease/none as_expected") for line in lines), lines)
        self.assertEqual(lines[-1], "", "the line is taken away at the end")
        self.assertEqual(self.on_terminal(scenario, "--quiet"), "")

    def test_status_shares_no_line_with_other_output(self):
        """The suite is named in the middle of the run, while the line is shown."""
        only = ["--lock", "get_lock", "--only", "get_lock/lapses"]
        shown = self.on_terminal("generated", *only, "--time", "real", codes=(0, 3))
        pieces = shown.split("\r\033[K")
        self.assertTrue(any(piece.startswith("0 of 1 trials, ") for piece in pieces), shown)
        for piece in pieces[1:]:
            said = "generated for this lock" in piece
            self.assertEqual("\n" in piece, said or piece == pieces[-1] and piece != "", shown)
            self.assertFalse(said and " of " in piece, shown)
            self.assertLess(len(piece), 80 if not said else 200, "no wider than the terminal")

    def test_log_gets_a_line_every_fifteen_seconds(self):
        self.run_suite(self.scenario("none", quick(duration_ms=HEARTBEAT_MS + 3_000)), "--time", "real")
        self.assertIn("\n0 of 1 trials, 15 s\n", self.shown)
        self.assertNotIn("\r", self.shown)


if __name__ == "__main__":
    unittest.main()
