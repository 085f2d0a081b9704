"""Shared code of the explore tests."""

import json

from program import PROGRAM, ProgramTest

SMALL = ("--preemptions", "1", "--time-jumps", "1", "--faults", "0", "--budget", "60s")


class ExploreTest(ProgramTest):
    def explore(self, *arguments, code):
        done = self.call(PROGRAM, "explore", *arguments, "--out", self.out)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout

    def explored(self, *arguments, code):
        return json.loads(self.explore(*arguments, "--json", code=code))

    def found(self, result):
        """The cheapest story of each invariant."""
        return {one["invariant"]: one for one in result["violations"] if one["number"] == 1}
