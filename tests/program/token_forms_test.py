"""One lock in four forms, in C++ and as adapters in three languages: what it is written in changes no verdict."""

import os
import unittest

from program import PROGRAM, SOURCE, ProgramTest

FORMS = {"redis_token_py": "lock.py", "redis_token_sh": "lock.sh", "redis_token_node": "node_modules"}
SCENARIOS = SOURCE / "adapters/scenarios"
ELECTIONS = ("leader_*.json", "job_*.json")  # for locks of those kinds only
REPEAT = int(os.environ.get("HOLDFAST_REPEAT", "1"))
# A library that connects again by itself hears that it holds nothing; the session in C++ ends with its connection.
BY_CONNECTION = {("server_kill", "ownership")}


class TokenForms(ProgramTest):
    def violated(self, cell):
        """The violated properties and kinds, in all of its trials."""
        found = set()
        for trial in cell["trials"]:
            for one in trial["verdict"]["properties"]:
                if one["judgement"] == "violated" and (cell["scenario"], one["property"]) not in BY_CONNECTION:
                    found.add((one["property"], one["kind"]))
        return found

    def test_verdicts_are_equal_in_all_languages(self):
        there = [name for name, needs in FORMS.items() if (SOURCE / "adapters" / name / needs).exists()]
        self.assertGreaterEqual(len(there), 2)
        only = [word for name in ("redis_token", *there) for word in ("--only", f"{name}/*")]
        self.call(PROGRAM, "run", SCENARIOS, *only, "--repeat", REPEAT, "--out", self.out, "--seed", "5", "--quiet")
        cells = {(cell["lock"], cell["scenario"]): cell for cell in self.verdict()["cells"]}
        scenarios = {scenario for _, scenario in cells}
        of_others = {file for pattern in ELECTIONS for file in SCENARIOS.glob(pattern)}
        self.assertEqual(scenarios, {file.stem for file in set(SCENARIOS.glob("*.json")) - of_others})
        for scenario in scenarios:
            first = cells["redis_token", scenario]
            self.assertIn(first["outcome"], ("as_expected", "caught"), self.shown)
            for form in there:
                with self.subTest(form=form, scenario=scenario):
                    other = cells[form, scenario]
                    self.assertEqual(other["outcome"], first["outcome"], self.shown)
                    self.assertEqual(self.violated(other), self.violated(first), self.shown)
        if len(there) < len(FORMS):
            self.skipTest(f"not installed: {sorted(set(FORMS) - set(there))}; the others are the same")


if __name__ == "__main__":
    unittest.main()
