"""The house's own scenarios with the nemesis sabotaged: no cell that has a fault comes out as expected."""

import json
import unittest

from program import PROGRAM, SOURCE, ProgramTest
from sabotage_test import MOMENTS

HARMLESS = {"unavailable", "harness_error"}


def fault_names(scenario):
    own = [faults for lock in scenario.get("per_lock", {}).values() for faults in lock.get("faults", [])]
    return {fault["fault"] for fault in scenario.get("faults", []) + own}


class SabotagedScenarios(ProgramTest):
    def sabotaged(self, what, wanted):
        paths = []
        for path in sorted((SOURCE / "scenarios").glob("*/*.json")):
            names = fault_names(json.loads(path.read_text()))
            if names and wanted(names):
                paths.append(path)
        self.assertGreaterEqual(len(paths), 2)
        for path in paths:
            with self.subTest(scenario=path.name):
                answer = self.call(PROGRAM, "run", path, "--sabotage", what, "--out", self.out, "--quiet")
                self.assertEqual(answer.returncode, 5, self.shown)
                self.assertLessEqual(set(self.outcomes().values()), HARMLESS, self.outcomes())

    def test_act(self):
        self.sabotaged("act", lambda names: True)

    def test_heal(self):
        self.sabotaged("heal", lambda names: not names & MOMENTS)


if __name__ == "__main__":
    unittest.main()
