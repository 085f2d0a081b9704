"""A scenario's load settings reach the server and the history: real trials."""

import json
import unittest

from program import ProgramTest, quick

ANYTHING = {
    name: "not_judged"
    for name in ["lease_exclusion", "mutual_exclusion", "resource", "fencing", "ownership", "progress"]
}

BROKEN = ["harness_error", "unavailable", "unexpected"]


class LoadOfAScenario(ProgramTest):
    def trial(self, name, **changes):
        """Runs one cell; its outcome, and the lines of its history after the header."""
        scenario = quick(**changes)
        self.shown_run = self.run_suite(self.scenario(name, scenario))
        self.assertIn(self.shown_run.returncode, (0, 1, 3), self.shown)
        cell = self.latest() / "cells" / scenario["locks"][0] / name / "1"
        self.plan = json.loads((cell / "plan.json").read_text())
        lines = [json.loads(line) for line in (cell / "history.jsonl").read_text().splitlines()]
        self.header = lines[0]
        return self.outcomes()[f"{scenario['locks'][0]}/{name}"], lines[1:]

    @staticmethod
    def granted(lines):
        return [line for line in lines if line.get("f") == "acquire" and line["type"] == "ok"]

    def test_each_client_has_its_own_lease_and_its_own_keys(self):
        outcome, lines = self.trial(
            "own", clients=2, lease_ms=[900, 2500], keys_of=[["orders", "bills"], ["bills"]],
            expect={"*": ANYTHING})  # fmt: skip
        self.assertNotIn(outcome, BROKEN, self.shown)
        leases = {(line["client"], line["lease_ms"]) for line in self.granted(lines)}
        self.assertEqual(leases, {(0, 900), (1, 2500)})
        keys = {(line["client"], line["key"]) for line in self.granted(lines)}
        self.assertEqual(keys, {(0, "orders"), (0, "bills"), (1, "bills")})
        self.assertEqual(self.header["lease_ns"], 2_500_000_000, "the longest, by which patience is measured")

    def test_keys_are_exact_and_null_is_supported(self):
        outcome, lines = self.trial("exact", keys=["order", "Order", "order ", None], lease_ms=500,
                                    progress_bound_ms=200, expect={"*": ANYTHING})  # fmt: skip
        self.assertNotIn(outcome, BROKEN, self.shown)
        asked = {line["key"] for line in lines if line.get("f") == "acquire"}
        self.assertEqual(asked, {"order", "Order", "order ", "<NULL>"})
        refused = [line for line in lines if line.get("key") == "<NULL>" and line["type"] == "fail"]
        self.assertTrue(refused, "its column takes no NULL")
        errors = {statement["error"] for line in refused for statement in line["statements"]}
        self.assertEqual(errors, {0, 1048}, "the insert is refused, and its transaction rolled back")
        self.assertTrue(self.granted(lines))

    def test_several_keys_are_held_at_once(self):
        outcome, lines = self.trial("several", keys=3, keys_at_once=2, duration_ms=2500)
        self.assertEqual(outcome, "as_expected", self.shown)
        held, most = {}, 0
        for line in lines:
            if line.get("f") == "acquire" and line["type"] == "ok":
                held.setdefault(line["process"], set()).add(line["key"])
            if line.get("f") == "release" and line["type"] == "invoke":
                held.get(line["process"], set()).discard(line["key"])
            most = max([most, *map(len, held.values())])
        self.assertEqual(most, 2)
        self.assertFalse([keys for keys in held.values() if keys], "all is given back")

    def test_equal_owners_are_unexpected(self):
        for owner, outcome in [("same", "unexpected"), ("job {uuid}", "as_expected")]:
            with self.subTest(owner):
                seen, _ = self.trial("owner", locks=["fenced_lease"], owners=owner, duration_ms=2000)
                self.assertEqual(seen, outcome, self.shown)
        self.assertEqual(self.plan["owners"], ["job {uuid}"])

    def test_threads_of_one_client_are_judged_as_two(self):
        for lock, outcome in [("ip_lease", "unexpected"), ("fenced_lease", "as_expected")]:
            with self.subTest(lock):
                seen, lines = self.trial("threads", locks=[lock], clients=1, threads=3, duration_ms=2500,
                                         expect={"*": {**ANYTHING, "mutual_exclusion": "holds"}})  # fmt: skip
                self.assertEqual(seen, outcome, self.shown)
                asked = [line for line in lines if line.get("f") == "acquire"]
                self.assertEqual({line["client"] for line in asked}, {0})
                self.assertEqual(len({line["process"] for line in asked}), 3)

    def test_a_killed_client_ends_with_all_its_threads(self):
        outcome, lines = self.trial(
            "killed", locks=["fenced_lease"], clients=2, threads=2, duration_ms=6000,
            faults=[{"fault": "kill", "target": "holder", "at": {"time_ms": 800}, "for_ms": 200}],
            expect={"*": {**ANYTHING, "mutual_exclusion": "holds", "lease_exclusion": "holds"}})  # fmt: skip
        self.assertEqual(outcome, "as_expected", self.shown)
        killed = next(line for line in lines if line.get("step") == "kill")
        after = [line for line in lines if line.get("type") == "invoke" and line["time"] > killed["time"]]
        self.assertNotIn(killed["clients"][0], {line.get("client") for line in after})
        self.assertEqual(len({line["process"] for line in after if line.get("client") == 2}), 2, "the spare has two")

    def test_whole_second_lease_is_rounded_and_reported(self):
        plain = {"ownership": "not_exercised", "resource": "not_exercised"}
        outcome, lines = self.trial("rounded", locks=["upsert_lease"], lease_ms=1900, hold_ms=[1700, 1800],
                                    duration_ms=6000, expect={"*": plain})  # fmt: skip
        self.assertEqual(outcome, "as_expected", self.shown)
        self.assertEqual({line["lease_ms"] for line in self.granted(lines)}, {2000})
        self.assertEqual((self.plan["lease_ms"], self.plan["asked_leases_ms"]), (2000, [1900]))
        note = "A lease of 1900 ms was requested, but 2000 ms is promised: upsert_lease takes only whole seconds."
        self.assertEqual(self.verdict()["cells"][0]["why"], note)
        self.assertIn(note, (self.latest() / "report.html").read_text())

    def test_mistakes_are_named(self):
        for keys, words in [
            ({"keys": ["a", "a"]}, "duplicate key"),
            ({"keys_at_once": 2}, "keys_at_once is 2"),
            ({"owners": "{uid}"}, "unknown placeholder 'uid'"),
            ({"asked_leases_ms": [1]}, "unknown key 'asked_leases_ms'"),
            ({"locks": ["redis_token"], "keys": ["a", None]}, "Redis has no NULL"),
        ]:
            with self.subTest(words):
                self.refused([words, "col.json:1"], *self.run_command(self.scenario("col", quick(**keys))))


if __name__ == "__main__":
    unittest.main()
