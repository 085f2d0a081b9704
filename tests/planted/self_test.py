"""That planted_test.py fails where it must: judged on made-up results, without a program."""

import json
import unittest

import planted_test
from planted_test import HERE, Result, cheapest, faults_of_bug, faults_of_twin, violations

BUG = {"lock": "some_bug", "explore": {"finds": ["two_holders"], "also": ["stuck"]},
       "generated": {"finds": ["ownership"]}}  # fmt: skip
TWIN = {"lock": "some_twin", "generated": {"inherent": ["mutual_exclusion:overrun"]}}


def said(code, *found, cut=None):
    return Result(code, list(found), 1.0, "", cut)


class Self(unittest.TestCase):
    def bug(self, explore, generated):
        return faults_of_bug(BUG, {"explore": explore, "generated": generated})

    def test_bug_found_by_both_passes(self):
        self.assertEqual(self.bug(said(1, "two_holders", "stuck"), said(1, "ownership:foreign_release")), [])

    def test_bug_missed_by_one_fails(self):
        self.assertIn("generated did not find ownership", self.bug(said(1, "two_holders"), said(0)))
        self.assertIn("nothing caught it", self.bug(said(0), said(0)))

    def test_bug_with_a_wrong_kind_fails(self):
        self.assertIn("explore found token_order", self.bug(said(1, "token_order"), said(1, "ownership:x")))
        self.assertIn("nothing caught it", self.bug(said(1, "stuck"), said(0)))

    def test_consequence_of_a_find_is_not_a_find(self):
        right = said(1, "ownership:foreign_release", "lease_exclusion:algorithm")
        self.assertEqual(self.bug(said(1, "two_holders"), right), [])
        blamed = said(1, "ownership:foreign_release", "lease_exclusion:partition")
        self.assertIn("generated found lease_exclusion:partition", self.bug(said(1, "two_holders"), blamed))
        self.assertIn("generated found lease_exclusion:algorithm",
                      self.bug(said(1, "two_holders"), said(1, "lease_exclusion:algorithm")))  # fmt: skip

    def test_error_is_not_a_find(self):
        self.assertIn("explore failed", self.bug(said(5), said(1, "ownership:x")))

    def test_known_miss_must_be_missed(self):
        bug = {"explore": {"finds": ["stuck"], "missed": "a reason"}, "generated": {"finds": ["progress"]}}
        self.assertEqual(faults_of_bug(bug, {"explore": said(0), "generated": said(1, "progress:stuck")}), [])
        self.assertEqual(faults_of_bug(bug, {"explore": said(5)}), [])
        self.assertTrue(faults_of_bug(bug, {"explore": said(1, "stuck"), "generated": said(1, "progress:stuck")}))
        self.assertTrue(faults_of_bug(bug, {"explore": said(1, "two_holders")}))

    def test_accused_twin_fails(self):
        self.assertEqual(faults_of_twin(TWIN, {"generated": said(0)}), [])
        self.assertEqual(faults_of_twin(TWIN, {"generated": said(1, "mutual_exclusion:overrun")}), [])
        self.assertTrue(faults_of_twin(TWIN, {"generated": said(1, "ownership:lost")}))
        self.assertTrue(faults_of_twin(TWIN, {"explore": said(1, "mutual_exclusion:overrun")}))

    def test_unjudged_twin_fails(self):
        for code in (2, 3, 5, 130):
            self.assertTrue(faults_of_twin(TWIN, {"generated": said(code)}), code)
        self.assertTrue(faults_of_twin(TWIN, {"generated": said(1)}), "violated, and nothing is named")
        self.assertEqual(faults_of_twin(TWIN, {"explore": said(3, cut=2)}), [])
        self.assertTrue(faults_of_twin(TWIN, {"explore": said(3, cut=0)}), "not even what costs nothing")

    def test_the_first_find_counts(self):
        cost = {"preemptions": 0, "faults": 0}
        finds = [{"invariant": "b", "time_jumps": 2, **cost}, {"invariant": "a", "time_jumps": 1, **cost}]
        self.assertEqual(cheapest(finds), ["a"])
        self.assertEqual(cheapest([]), [])

    def test_verdict_words_of_a_run_are_read(self):
        seen = [{"property": "progress", "expected": "holds", "seen": "violated:stuck,refused_free"},
                {"property": "mutual_exclusion", "expected": "violated:overrun", "seen": "violated:overrun,algorithm"},
                {"property": "resource", "expected": "holds", "seen": "undecided"}]  # fmt: skip
        blamed = "violated:client_skew,reply_lost,lost_lock"
        seen += [{"property": "ownership", "expected": "allowed", "seen": blamed}]
        told = [("client_skew", True, "unconfirmed"), ("reply_lost", True, "confirmed")]
        told += [("lost_lock", False, "unconfirmed")]
        causes = [{"property": "ownership", "kind": kind, "of_fault": of_fault, "state": state}
                  for kind, of_fault, state in told]  # fmt: skip
        verdict = {"cells": [{"trials": [{"mismatches": seen, "causes": causes}, {}]}]}
        wanted = ["mutual_exclusion:algorithm", "ownership:lost_lock", "ownership:reply_lost"]
        wanted += ["progress:refused_free", "progress:stuck"]
        self.assertEqual(violations(verdict), wanted)

    def test_expected_and_planted_are_the_same_locks(self):
        expected = json.loads((HERE / "expected.json").read_text())
        listed = {entry["lock"].partition("+")[0] for part in expected.values() for entry in part}
        self.assertEqual(listed, {path.stem for path in (HERE / "locks").glob("*.cpp")})
        twins = {twin["lock"] for twin in expected["twins"]}
        for bug in expected["bugs"]:
            self.assertIn(bug["twin"], twins)
            wanted = [bug.get(tool, {}).get("finds") for tool in planted_test.TOOLS]
            self.assertTrue(any(wanted), bug["lock"])
            missed = [bug[tool]["missed"] for tool in planted_test.TOOLS if "missed" in bug[tool]]
            self.assertTrue(all(missed), f"{bug['lock']}: a reason is missing")
            first = (HERE / "locks" / f"{bug['lock'].partition('+')[0]}.cpp").read_text()
            self.assertTrue(first.startswith("// Bug: "), bug["lock"])
        self.assertGreaterEqual(len(expected["bugs"]), 30)
        self.assertEqual(sum(bool(bug.get("few")) for bug in expected["bugs"]), 5)


if __name__ == "__main__":
    unittest.main()
