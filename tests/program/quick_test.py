"""The suite that `./run` runs without words, whole: it passes, and every cell of it is as its scenario expects."""

import json
import unittest

from program import PROGRAM, SOURCE, ProgramTest

SUITE = SOURCE / "scenarios/quick"


class Quick(ProgramTest):
    def test_quick_suite_passes(self):
        answer = self.call(PROGRAM, "run", SUITE, "--out", self.out, "--quiet")
        wanted = set()
        for file in SUITE.glob("*.json"):
            wanted |= {f"{lock}/{file.stem}" for lock in json.loads(file.read_text())["locks"]}
        self.assertEqual(set(self.outcomes()), wanted)
        good = ("as_expected", "caught")
        self.assertEqual({cell: word for cell, word in self.outcomes().items() if word not in good}, {}, self.shown)
        self.assertEqual(answer.returncode, 0, self.shown)
        first = answer.stdout.splitlines()[0]
        self.assertTrue(first.startswith(f"PASS  {len(wanted)} of {len(wanted)} cells as expected ("), self.shown)
        self.assertIn("caught", self.outcomes().values(), "its flawed locks are flawed")
        proofs = {proof["fault"]: (proof["acted"], proof["planned"]) for proof in self.verdict()["faults"]}
        self.assertGreaterEqual(len(proofs), 5, proofs)
        for fault, (acted, planned) in proofs.items():
            self.assertEqual(acted, planned, fault)


if __name__ == "__main__":
    unittest.main()
