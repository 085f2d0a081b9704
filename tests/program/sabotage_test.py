"""A nemesis that leaves something out must never lead to a pass: every fault of the catalogue, with the act left out,
with the heal left out, with an act that fails half-way, undone in secret shortly after it acted, and (for comparison)
with nothing left out."""

import json
import unittest

from program import PROGRAM, ProgramTest, quick

AT = {"phase": "critical_section"}
# What a fault needs besides a moment and an end.
SETTINGS = {
    "client_skew": {"step_ms": -700},
    "clock_drift": {"percent": 20},
    "delay": {"delay_ms": 30},
    "server_clock": {"step_ms": 900},
    "server_drift": {"percent": 50},
    "reply_lost": {"at": {"statement": "release", "when": "after"}},
    "hold_request": {"at": {"request": 1, "of": "release"}},
    "duplicate": {"at": {"request": 1, "of": "release"}},
}
# Where it can strike, when not everywhere.
PLACE = {
    "failover": {"locks": ["redis_token"], "topology": "replica"},
    "server_partition": {"topology": "galera"},
}
MOMENTS = {"reply_lost", "connection_kill", "duplicate"}  # no time to heal from


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

    def test_what_was_left_out_is_a_harness_error(self):
        whole = self.outcomes_with()
        self.assertEqual(sorted(whole), sorted(self.faults), self.shown)
        here = {name for name, outcome in whole.items() if outcome != "unavailable"}
        self.assertGreaterEqual(len(here), 2)
        self.assertNotIn("harness_error", whole.values(), self.shown)
        for flags, expected in [
            ("act", here),
            ("heal", here - MOMENTS),
            ("fail", here),
            ("undo_early", here - MOMENTS),
        ]:
            found = self.outcomes_with("--sabotage", flags)
            self.assertEqual(self.verdict()["exit_code"], 5)
            broken = {name for name, outcome in found.items() if outcome == "harness_error"}
            self.assertEqual(broken, expected, f"--sabotage {flags}: {self.shown}")
            for cell in self.verdict()["cells"]:
                if cell["scenario"] in broken:
                    self.assertTrue(cell["trials"][0]["error"].startswith(f"fault {cell['scenario']}: "), cell)


if __name__ == "__main__":
    unittest.main()
