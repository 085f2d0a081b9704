"""Faults at the n-th request of a lock, whatever it is written in: a reply that is lost, a request that arrives late,
and one that arrives twice; on Redis and on MySQL, with a lock in C++ and with one that is a program of its own."""

import unittest

from program import PROGRAM, ProgramTest

ANYTHING = {
    name: "allowed" for name in ("mutual_exclusion", "lease_exclusion", "ownership", "resource", "progress")
}


class Requests(ProgramTest):
    def scenario_of(self, name, locks, fault, expect, **load):
        common = {"clients": 3, "lease_ms": 2000, "hold_ms": [50, 150], "duration_ms": 6000, "coverage": {"grants": 3}}
        return self.scenario(name, {"locks": locks, **common, **load, "faults": [fault], "expect": expect})

    def run_all(self, *flags):
        self.call(PROGRAM, "run", self.folder / "scenarios", "--out", self.out, "--seed", "7", "--quiet", *flags)
        return self.outcomes()

    def kinds(self, cell, judged):
        found = next(one for one in self.verdict()["cells"] if f"{one['lock']}/{one['scenario']}" == cell)
        return {one["kind"] for one in found["trials"][0]["verdict"]["properties"] if one["judgement"] == judged}

    def test_they_act_on_every_lock(self):
        """The late deletion of a lock that compares nothing frees another's; a script that compares does not."""
        lost = {"fault": "reply_lost", "at": {"request": 1, "of": "acquire", "when": "after", "nth": 4}}
        late = {"fault": "hold_request", "at": {"request": 1, "of": "release", "nth": 3}, "for_ms": 3500}
        twice = {"fault": "duplicate", "at": {"request": 1, "of": "release", "nth": 3}}
        both = ["redis_token", "redis_token_py"]
        self.scenario_of("lost", [*both, "insert_lease"], lost, {"*": ANYTHING})
        self.scenario_of("late", both, late, {"*": {**ANYTHING, "ownership": "not_exercised"}}, duration_ms=7500)
        self.scenario_of("twice", both, twice, {"*": ANYTHING})
        outcomes = self.run_all()
        self.assertEqual({outcome for cell, outcome in outcomes.items() if "twice" not in cell}, {"as_expected"})
        proofs = {fault["fault"]: (fault["acted"], fault["planned"]) for fault in self.verdict()["faults"]}
        self.assertEqual(proofs, {"reply_lost": (3, 3), "hold_request": (2, 2), "duplicate": (2, 2)}, self.shown)

    def test_what_makes_no_sense_is_refused(self):
        at = {"request": 1, "of": "release"}
        for number, (fault, said) in enumerate([
            ({"fault": "pause", "at": {**at, "phase": "granted"}, "for_ms": 1}, "name exactly one of"),
            ({"fault": "pause", "at": at, "target": "holder", "for_ms": 1}, "who sends a request"),
            ({"fault": "pause", "at": {**at, "key": "held"}, "for_ms": 1}, "is said of a phase or a statement"),
            ({"fault": "pause", "at": {"phase": "granted", "of": "background"}, "for_ms": 1}, "in the background"),
            ({"fault": "hold_request", "at": {"phase": "granted"}, "for_ms": 1}, "needs a moment like"),
            ({"fault": "duplicate", "at": {**at, "when": "after"}}, "needs a moment like"),
        ]):  # fmt: skip
            with self.subTest(said):
                scenario = self.scenario_of(f"wrong{number}", ["redis_token"], fault, {"*": {}})
                answer = self.call(PROGRAM, "run", scenario, "--out", self.out)
                self.assertEqual(answer.returncode, 2, self.shown)
                self.assertIn(said, answer.stderr)


if __name__ == "__main__":
    unittest.main()
