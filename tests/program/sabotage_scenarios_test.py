"""The house's own scenarios with the nemesis sabotaged: no cell that has a fault comes out as expected."""

import json
import unittest

from program import PROGRAM, SOURCE, ProgramTest
from sabotage_test import MOMENTS

HARMLESS = {"unavailable", "harness_error"}


def faults_of(scenario):
    own = [fault for lock in scenario.get("per_lock", {}).values() for fault in lock.get("faults", [])]
    return scenario.get("faults", []) + own


def is_moment(fault):
    return fault["fault"] in MOMENTS or fault.get("heal") == "keep"


def some_cells(path):
    """A fault is the same whatever lock is under it: two locks of a scenario, and those with faults of their own."""
    scenario = json.loads(path.read_text())
    own = [lock for lock, settings in scenario.get("per_lock", {}).items() if settings.get("faults")]
    locks = dict.fromkeys(scenario["locks"][:2] + own)
    return [word for lock in locks for word in ("--only", f"{lock}/{path.stem}")]


class SabotagedScenarios(ProgramTest):
    def sabotaged(self, what, wanted):
        paths = []
        for path in sorted((SOURCE / "scenarios").glob("*/*.json")):
            faults = faults_of(json.loads(path.read_text()))
            if faults and wanted(faults):
                paths.append(path)
        self.assertGreaterEqual(len(paths), 2)
        for path in paths:
            with self.subTest(scenario=path.name):
                command = ["run", path, *some_cells(path), "--sabotage", what, "--out", self.out, "--quiet"]
                answer = self.call(PROGRAM, *command)
                self.assertEqual(answer.returncode, 5, self.shown)
                self.assertLessEqual(set(self.outcomes().values()), HARMLESS, self.outcomes())

    def test_act(self):
        self.sabotaged("act", lambda faults: True)

    def test_heal(self):
        self.sabotaged("heal", lambda faults: not any(map(is_moment, faults)))


if __name__ == "__main__":
    unittest.main()
