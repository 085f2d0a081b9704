"""A nemesis that leaves something out must never lead to a pass: every fault of the catalogue, with the act left out,
with the heal left out, with an act that fails half-way, undone in secret shortly after it acted, and (for comparison)
with nothing left out."""

import json
import unittest

from program import PROGRAM, ProgramTest, quick

AT = {"phase": "critical_section"}
# A fault's settings besides its injection point and its end.
SETTINGS = {
    "client_skew": {"step_ms": -700},
    "clock_drift": {"percent": 20},
    "delay": {"delay_ms": 30},
    "server_clock": {"step_ms": 900},
    "server_drift": {"percent": 50},
    "reply_lost": {"at": {"statement": "release", "when": "after"}},
    "hold_request": {"at": {"request": 1, "of": "release"}},
    "duplicate": {"at": {"request": 1, "of": "release"}},
    "request_lost": {"at": {"request": 1, "of": "release"}},
    "server_flush": {"at": {"statement": "release", "when": "after"}},
}
# Where it can strike, if not everywhere, and its trial's other needs.
PLACE = {
    "failover": {"locks": ["redis_token"], "topology": "replica"},
    "server_partition": {"topology": "galera"},
    # A process takes long to start on a busy machine; a holder that is cut off meanwhile must not outlive its lease.
    "address_reuse": {"lease_ms": 20_000},
    # Another client would lose the lock that it holds meanwhile.
    "server_flush": {"clients": 1},
}
MOMENTS = {"reply_lost", "connection_kill", "duplicate", "request_lost", "server_flush"}  # no time to heal from


class Sabotage(ProgramTest):
    def outcomes_with(self, *flags):
        self.call(PROGRAM, "run", self.folder / "scenarios", "--out", self.out, "--seed", "1", "--quiet", *flags)
        return {cell.split("/")[1]: outcome for cell, outcome in self.outcomes().items()}

    def setUp(self):
        super().setUp()
        self.faults = [fault["name"] for fault in json.loads(self.call(PROGRAM, "list", "--json").stdout)["faults"]]
        for name in self.faults:
            fault = {"fault": name, "at": AT, "for_ms": 300, **SETTINGS.get(name, {})}
            self.scenario(name, quick(faults=[fault], **PLACE.get(name, {})))

    def here(self, outcomes):
        """The faults that this machine can do."""
        self.assertEqual(sorted(outcomes), sorted(self.faults), self.shown)
        here = {name for name, outcome in outcomes.items() if outcome != "unavailable"}
        self.assertGreaterEqual(len(here), 2)
        return here

    def left_out(self, what, excepted=()):
        """A skipped or secret step is a harness error for each fault except the excepted."""
        found = self.outcomes_with("--sabotage", what)
        self.assertEqual(self.verdict()["exit_code"], 5, self.shown)
        broken = {name for name, outcome in found.items() if outcome == "harness_error"}
        self.assertEqual(broken, self.here(found) - set(excepted), f"--sabotage {what}: {self.shown}")
        for cell in self.verdict()["cells"]:
            if cell["scenario"] in broken:
                self.assertTrue(cell["trials"][0]["error"].startswith(f"fault {cell['scenario']}: "), cell)

    def test_complete_faults_are_not_errors(self):
        whole = self.outcomes_with()
        self.here(whole)
        self.assertNotIn("harness_error", whole.values(), self.shown)

    def test_skipped_act_is_an_error(self):
        self.left_out("act")

    def test_skipped_heal_is_an_error(self):
        self.left_out("heal", MOMENTS)

    def test_failing_act_is_an_error(self):
        self.left_out("fail")

    def test_early_end_is_an_error(self):
        self.left_out("undo_early", MOMENTS)


if __name__ == "__main__":
    unittest.main()
