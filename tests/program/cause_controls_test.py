"""A fault that was in force is suspected; controls decide whether it was the cause."""

import json
import shutil
import unittest

from program import PROGRAM, ProgramTest, quick

# All clients that read the expired lease at the same beat take it: no fault is needed. The client that is cut off never
# takes part.
RACE = {
    "locks": ["ip_lease"],
    "clients": 6,
    "lease_ms": 800,
    "hold_ms": [50, 150],
    "poll_ms": 50,
    "poll_aligned": True,
    "duration_ms": 4000,
    "coverage": {"grants": 2},
    "faults": [{"fault": "partition", "target": "client:5", "at": {"time_ms": 0}, "for_ms": 3500}],
    "expect": {"*": {}},
}

# One is 3.5 s behind and writes a row that has already expired: the other deletes it.
SKEWED = {
    "locks": ["insert_lease_client_clock"],
    "clients": 2,
    "lease_ms": 2000,
    "hold_ms": [700, 900],
    "poll_ms": 50,
    "duration_ms": 3500,
    "coverage": {"grants": 2},
    "faults": [{"fault": "client_skew", "target": "client:0", "at": {"time_ms": 0}, "step_ms": -3500}],
    "expect": {"*": {}},
}


class Causes(ProgramTest):
    def causes(self, cell):
        """{(property, kind): cause} of the cell's first trial."""
        lock, scenario = cell.split("/")
        for each in self.verdict()["cells"]:
            if (each["lock"], each["scenario"]) == (lock, scenario):
                return {(cause["property"], cause["kind"]): cause for cause in each["trials"][0]["causes"]}
        self.fail(cell)

    def stored(self, name):
        return json.loads((self.latest() / name).read_text())

    def test_race_is_not_blamed_on_anothers_partition(self):
        for _ in range(4):  # a race of some milliseconds, which a busy machine may keep from coming
            answer = self.run_suite(self.scenario("race", RACE), "--jobs", "6")
            if answer.returncode == 1:
                break
        self.assertEqual(answer.returncode, 1, self.shown)
        causes = self.causes("ip_lease/race")
        self.assertIn("mutual_exclusion", {prop for prop, _ in causes})
        for (prop, kind), cause in causes.items():
            self.assertNotEqual(cause["state"], "confirmed", (prop, cause))
            if prop == "mutual_exclusion" and kind in ("algorithm", "partition"):
                self.assertEqual(cause["state"], "unconfirmed", cause)
                self.assertLess(cause["held"], cause["judged"])
        self.assertNotIn("cut off: a request that it had sent", answer.stdout, "no advice of a cause that it is not")
        self.assertRegex(" ".join(answer.stdout.split()), r"Controls: algorithm \([a-z_, ]*\): also without any fault")
        control = self.stored("cells/ip_lease/race/1/control-1/plan.json")
        own = self.stored("cells/ip_lease/race/1/plan.json")
        self.assertEqual(control["faults"], [])
        self.assertEqual(self.without_faults(control), self.without_faults(own))

    @staticmethod
    def without_faults(plan):
        """All but the faults, and the client that stands by for each."""
        kept = {key: value for key, value in plan.items() if key != "faults"}
        for key, value in kept.items():
            if isinstance(value, list):
                kept[key] = [item for item in value if not (isinstance(item, dict) and item.get("spare"))]
        return kept

    def test_harmless_fault_on_all_clients_is_not_the_cause(self):
        """All clocks are 5 ms ahead: suspected, since the fault strikes every party, and expected by the scenario."""
        skew = {"fault": "client_skew", "target": "everyone", "at": {"time_ms": 0}, "step_ms": 5}
        claim = "violated:client_skew,algorithm"
        expect = {"*": {prop: claim for prop in ("mutual_exclusion", "lease_exclusion", "resource")}}
        race = {**RACE, "faults": [skew], "expect": expect, "why": {"*": "so it is said"}}
        # The first grants may come before the clocks are moved, on a busy machine: not every property suspects it.
        for _ in range(3):
            answer = self.run_suite(self.scenario("race", race), "--controls", "--jobs", "6")
            self.assertEqual(answer.returncode, 1, self.shown)
            suspected = [cause for (_, kind), cause in self.causes("ip_lease/race").items() if kind == "client_skew"]
            if suspected:
                break
        self.assertTrue(suspected)
        for cause in suspected:
            self.assertEqual((cause["state"], cause["faults"]), ("unconfirmed", ["client_skew"]), cause)
            self.assertLess(cause["held"], cause["judged"])
        shown = " ".join(answer.stdout.split())
        self.assertRegex(shown, r"seen: violated, client_skew unconfirmed, \d of \d")
        self.assertIn("Not the cause: client_skew: only", shown)
        self.assertNotIn("client's clock", shown, "no advice of a cause that it is not")

    # In skipped time, which a busy machine does not change.
    def test_wrong_clock_is_confirmed_by_five_controls(self):
        answer = self.run_suite(self.scenario("skewed", SKEWED), "--jobs", "6", "--time", "skipped")
        self.assertEqual(answer.returncode, 1, self.shown)
        causes = self.causes("insert_lease_client_clock/skewed")
        cause = causes[("lease_exclusion", "client_skew")]
        self.assertEqual((cause["state"], cause["held"], cause["judged"]), ("confirmed", 5, 5), cause)
        self.assertEqual(cause["faults"], ["client_skew"])
        for folder in cause["folders"]:
            self.assertEqual(self.stored(folder + "/plan.json")["faults"], [])
            self.assertTrue((self.latest() / folder / "history.jsonl").exists())
        shown = " ".join(answer.stdout.split())
        self.assertIn("Cause, confirmed: client_skew: 5 of 5 controls without client_skew held.", shown)
        for name in ("report.html", "junit.xml", "summary.md"):
            self.assertIn("5 of 5", (self.latest() / name).read_text().replace("\\", ""), name)
        self.resumed(cause["folders"])
        claimed = ("mutual_exclusion", "lease_exclusion", "resource")
        expected = {prop: "violated:client_skew,algorithm" for prop, kind in causes if prop in claimed}
        others = {prop: "violated" for prop, _ in causes if prop not in expected}
        wanted = {**SKEWED, "expect": {"*": {**others, **expected}}, "why": {"*": "its clock is ahead"}}
        answer = self.run_suite(self.scenario("skewed", wanted), "--controls", "--jobs", "6", "--time", "skipped")
        self.assertEqual(answer.returncode, 0, self.shown)
        self.assertIn("1 cause confirmed", answer.stdout)

    def resumed(self, folders):
        """A run that was cut off during its controls resumes with the missing ones only."""
        run = self.latest()
        (run / "verdict.json").unlink()
        shutil.rmtree(run / folders[0])
        histories = [run / folder / "history.jsonl" for folder in folders[1:]]
        before = [history.stat().st_mtime_ns for history in histories]
        answer = self.call(PROGRAM, "run", "--resume", run)
        self.assertEqual(answer.returncode, 1, self.shown)
        self.assertEqual([history.stat().st_mtime_ns for history in histories], before)
        cause = self.causes("insert_lease_client_clock/skewed")[("lease_exclusion", "client_skew")]
        self.assertEqual((cause["state"], cause["held"], sorted(cause["folders"])), ("confirmed", 5, sorted(folders)))

    def test_cell_that_judges_nothing_is_not_a_pass(self):
        expect = {"*": {prop: "not_exercised" for prop in ("mutual_exclusion", "lease_exclusion", "ownership")}}
        expect["*"].update({prop: "not_judged" for prop in ("resource", "progress")})
        empty = quick(expect=expect, duration_ms=300, coverage={"grants": 100000})
        answer = self.run_suite(self.scenario("empty", empty))
        self.assertEqual(answer.returncode, 3, self.shown)
        self.assertEqual(self.outcomes(), {"insert_lease/empty": "nothing_judged"})
        self.assertTrue(answer.stdout.startswith("NOTHING JUDGED"), self.shown)


if __name__ == "__main__":
    unittest.main()
