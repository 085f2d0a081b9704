"""A cell whose first trial does not show its expected violation: it is repeated, and the result tells how often."""

import json
import shutil
import unittest

from program import PROGRAM
from telling import TellingTest

EVERYTHING = ("lease_exclusion", "mutual_exclusion", "ownership", "resource", "progress", "loss_notice")
LARGEST = 2**53  # of the numbers that an adapter gets
BROKEN_BY_CHANCE = {
    "clients": 3,
    "duration_ms": 1500,
    "expect": {"*": {**dict.fromkeys(EVERYTHING, "not_judged"), "lease_exclusion": "violated:algorithm"}},
    "why": {"*": "in some trials it grants whatever is asked for"},
}


class MissedViolation(TellingTest):
    def test_cell_is_repeated_and_the_result_tells_it(self):
        self.missed_by_all()
        self.shown_by_the_second()
        self.resumed()
        self.merged()

    def cell(self):
        (cell,) = self.verdict()["cells"]
        return cell

    def missed_by_all(self):
        self.tried({**BROKEN_BY_CHANCE}, self.lock("sound", []))
        self.assertEqual(self.answer.returncode, 1, self.shown)
        self.assertEqual(self.cell()["outcome"], "missed")
        self.assertEqual([one["outcome"] for one in self.cell()["trials"]], ["missed"] * 3)
        self.assertIn("sound/tried (0 of 3 trials showed it)", " ".join(self.answer.stdout.split()))

    def seeds_of(self, trial):
        plan = json.loads((self.latest() / f"cells/sound/tried/{trial}/plan.json").read_text())
        return [int(client["seed"]) % LARGEST for client in plan["client_plans"]]

    def shown_by_the_second(self):
        seeds = self.seeds_of(2)
        shutil.rmtree(self.folder / "sound")
        self.tried({**BROKEN_BY_CHANCE}, self.lock("sound", [], broken_seeds=seeds))
        self.shows_the_second()

    def shows_the_second(self):
        self.assertEqual(self.answer.returncode, 0, self.shown)
        self.assertEqual((self.cell()["outcome"], self.cell()["planned"]), ("caught", 2))
        self.assertEqual([one["outcome"] for one in self.cell()["trials"]], ["missed", "caught"])
        told = " ".join(self.answer.stdout.split())
        self.assertIn("x exp 1/2", told)
        self.assertIn("sound/tried (1 of 2 trials showed it)", told)

    def resumed(self):
        run = self.latest()
        (run / "verdict.json").unlink()
        shutil.rmtree(run / "cells/sound/tried/2")
        self.answer = self.call(PROGRAM, "run", "--resume", run, "--adapter", self.folder / "sound", "-q")
        self.shows_the_second()

    def merged(self):
        suite, lock = self.folder / "scenarios/tried.json", self.folder / "sound"
        self.call(PROGRAM, "run", suite, "--adapter", lock, "--shard", "1/1", "--seed", "1", "--out", self.out, "-q")
        self.answer = self.call(PROGRAM, "merge", self.latest(), "--adapter", lock, "--out", self.out)
        self.shows_the_second()


if __name__ == "__main__":
    unittest.main()
