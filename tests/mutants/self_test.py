"""The command that changes rules, put to the test itself: what changes nothing survives, what fits nowhere is named."""

import contextlib
import io
import os
import pathlib
import tempfile
import unittest

import histories
import mutants
from rebuild import Checker, Mutant, NotBuilt

FILE = "checker/retirement.cpp"  # small: compiled in a moment


class Self(unittest.TestCase):
    checker = Checker(os.environ["HOLDFAST_BUILD"])
    entries = histories.load()

    def survivors(self, old, new, entries=None, crowd=""):
        with contextlib.redirect_stdout(io.StringIO()) as shown:
            survivors = mutants.run(self.checker, [Mutant(FILE, "a rule", old, new, crowd)], entries or self.entries)
        self.shown = shown.getvalue()
        return [mutant.rule for mutant in survivors]

    def test_comment_mutant_survives(self):
        survivors = self.survivors("namespace holdfast {\n\n", "namespace holdfast {\n// more words\n")
        self.assertEqual(survivors, ["a rule"])
        self.assertIn("SURVIVED  checker/retirement.cpp: a rule", self.shown)

    def test_broken_rule_is_caught(self):
        self.assertEqual(self.survivors("state = State::may_clean_up;\n  //", "state = State::active;\n  //"), [])
        self.assertIn("by_hand.goes_on_after_no_answer.jsonl as semaphore:1", self.shown)

    def test_crowd_replaces_the_stored_histories(self):
        """No client cleans up in it, so the same mutant survives."""
        broken = ("state = State::may_clean_up;\n  //", "state = State::active;\n  //")
        self.assertEqual(self.survivors(*broken, crowd="all_believe_at_once"), ["a rule"])

    def test_crashed_checker_is_reported(self):
        self.assertEqual(self.survivors("if (!broken()", "__builtin_trap();\n  if (!broken()"), [])
        self.assertIn("crashed", self.shown)

    def test_wrong_index_is_refused(self):
        wrong = [{**self.entries[0], "verdict": {"trial": "violated"}}]
        with self.assertRaisesRegex(NotBuilt, "contradicts the index: insert_lease.calm.jsonl"):
            self.survivors("namespace holdfast {\n\n", "namespace holdfast {\n", wrong)

    def test_ambiguous_or_missing_text_is_named(self):
        for text, times in [("State state", 0), ("State::may_clean_up", 3)]:
            with self.assertRaisesRegex(NotBuilt, f"{FILE}: a rule: the text to change stands there {times} times"):
                self.checker.changed(Mutant(FILE, "a rule", text, ""))
        with self.assertRaisesRegex(NotBuilt, "checker/nowhere.cpp: a rule: the text"):
            self.checker.changed(Mutant("checker/nowhere.cpp", "a rule", "x", ""))

    def test_mutant_that_does_not_compile_is_refused(self):
        with tempfile.TemporaryDirectory() as folder, self.assertRaisesRegex(NotBuilt, "a rule: does not compile"):
            self.checker.build(Mutant(FILE, "a rule", "state = State::retired;", "state =;"), pathlib.Path(folder))

    def test_header_change_recompiles_its_includers(self):
        units = self.checker.units("checker/latest_token.hpp")
        properties = ["checker/properties/fencing.cpp", "checker/properties/terms.cpp"]
        self.assertEqual(units, ["checker/check.cpp", "checker/observations.cpp", *properties])
        self.assertIn("checker/busy_rule.cpp", self.checker.units("checker/hold.hpp"))

    def test_every_mutated_text_is_unique(self):
        for rules in mutants.load().values():
            for mutant in rules:
                found = (self.checker.source / mutant.file).read_text().count(mutant.old)
                self.assertEqual(found, 1, f"{mutant.file}: {mutant.rule}")

    def test_every_rule_file_has_a_mutant(self):
        """A property or rule without a mutant is not proved to matter."""
        changed = {mutant.file for rules in mutants.load().values() for mutant in rules}
        source = self.checker.source
        rules = {f"checker/properties/{path.name}" for path in (source / "checker/properties").glob("*.cpp")}
        rules |= {f"checker/{path.name}" for path in (source / "checker").glob("*_rule.cpp")}
        self.assertLessEqual(rules, changed)


if __name__ == "__main__":
    unittest.main()
