"""The house's own scenarios with the nemesis sabotaged: no cell that has a fault comes out as expected."""

import concurrent.futures
import json
import os
import unittest

from program import PROGRAM, SOURCE, ProgramTest
from sabotage_test import MOMENTS

HARMLESS = {"unavailable", "harness_error"}
UNAVAILABLE = 4  # a server that is not here


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
        # They mostly wait for what does not come, so they are run side by side.
        with concurrent.futures.ThreadPoolExecutor(3 * os.cpu_count()) as pool:
            runs = list(pool.map(lambda path: self.run_sabotaged(what, path), paths))
        for path, (answer, outcomes) in zip(paths, runs):
            with self.subTest(scenario=path.name):
                if answer.returncode == UNAVAILABLE:
                    self.skipTest(answer.stderr.strip())
                self.assertEqual(answer.returncode, 5, answer.stdout + answer.stderr)
                self.assertTrue(outcomes, answer.stdout + answer.stderr)
                self.assertLessEqual(set(outcomes.values()), HARMLESS, outcomes)

    def run_sabotaged(self, what, path):
        out = self.out / f"{path.parent.name}_{path.stem}"
        command = [PROGRAM, "run", path, *some_cells(path), "--sabotage", what, "--out", out, "--jobs", 2, "--quiet"]
        answer = self.call(*command)
        verdict = out / "latest" / "verdict.json"
        cells = json.loads(verdict.read_text())["cells"] if verdict.is_file() else []
        return answer, {f"{cell['lock']}/{cell['scenario']}": cell["outcome"] for cell in cells}

    def test_sabotaged_act_is_never_as_expected(self):
        self.sabotaged("act", lambda faults: True)

    def test_sabotaged_heal_is_never_as_expected(self):
        self.sabotaged("heal", lambda faults: not any(map(is_moment, faults)))


if __name__ == "__main__":
    unittest.main()
