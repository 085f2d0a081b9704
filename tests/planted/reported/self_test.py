"""reported_test.py judges answers as it says, and expected.json is what its head promises."""

import json
import pathlib
import re
import unittest

import reported_test

HERE = pathlib.Path(__file__).parent
EXPECTED = json.loads((HERE / "expected.json").read_text())
MENU = (
    "no fault explains it, so look at the lock's own statements. Usual causes: a release or renewal that does not "
    "check who owns the lock, or one that had no answer and took effect late."
)


def told(kind, cause, grade="broken", promise=True):
    finding = {"kind": kind, "cause": cause, "flaw": cause, "promise_broken": promise}
    return {"grade": {"word": grade}, "findings": [finding]}


class Judged(unittest.TestCase):
    bug = {"grade": "broken", "finds": ["algorithm"], "cause": ["renew"]}

    def judge(self, *answer, **more):
        return reported_test.judged_bug(self.bug, told(*answer, **more))

    def test_cause_must_name_the_bug(self):
        self.assertEqual(self.judge("algorithm", "the renewal shortens the lease"), (True, True))
        self.assertEqual(self.judge("algorithm", "the release deletes by key"), (True, False))

    def test_list_of_all_mistakes_names_no_bug(self):
        self.assertEqual(self.judge("algorithm", MENU), (True, False))

    def test_wrong_kind_or_grade_or_lapse_is_not_a_find(self):
        self.assertEqual(self.judge("stuck", "the renewal"), (False, False))
        self.assertEqual(self.judge("algorithm", "the renewal", grade="not_known"), (False, False))
        self.assertEqual(self.judge("algorithm", "the renewal", promise=False), (False, False))


class Expected(unittest.TestCase):
    def test_64_bugs_half_on_redis_half_as_adapters(self):
        bugs = EXPECTED["bugs"]
        self.assertEqual(len(bugs), 64)
        adapters = sum(bug.get("manifest", {}).get("servers") == ["redis"] for bug in bugs)
        self.assertEqual(adapters + sum(bug["name"].endswith(".redis") for bug in bugs), 32)
        languages = [bug["language"] for bug in bugs if "language" in bug]
        self.assertGreaterEqual(len(languages), 32)
        self.assertEqual(set(languages), {"python", "node", "go"})

    def test_each_bug_names_its_report_and_an_existing_twin(self):
        names = [twin["name"] for twin in EXPECTED["twins"]]
        names += [bug["name"] + "+twin" for bug in EXPECTED["bugs"] if "language" in bug]
        self.assertEqual(len({bug["report"] for bug in EXPECTED["bugs"]}), 64)
        for bug in EXPECTED["bugs"]:
            with self.subTest(bug["name"]):
                self.assertRegex(bug["report"], r"^[\w.-]+/[\w.-]+ \d+$")
                self.assertIn(bug["twin"], names)
                self.assertTrue(bug["finds"] and bug["cause"])
                re.compile("|".join(bug["cause"]))
                if "language" not in bug:
                    self.assertTrue((HERE / bug["name"]).is_file())


if __name__ == "__main__":
    unittest.main()
