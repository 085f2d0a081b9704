"""A hundred clients in one trial: a sound lock, a flawed one, and faults that strike all clients; and refused sizes."""

import json
import re
import unittest

from program import PROGRAM, SOURCE, ProgramTest, quick

CLIENTS = 100
FLAWED = "upsert_lease+found_rows"  # it refuses no client
HARMED = ("mutual_exclusion", "resource")
MOST = int(re.search(r"kMostClients = (\d+)", (SOURCE / "src/artifact/capacity.hpp").read_text()).group(1))


def crowd(**changes):
    """So many that an attempt a client and beat would be all that two processors can do: they ask less often."""
    own = {"clients": CLIENTS, "lease_ms": 3000, "poll_ms": 1000, "duration_ms": 4000}
    return quick(**{**own, "coverage": {"grants": 5, "attempts_in_hold": 5}, **changes})


class Capacity(ProgramTest):
    def clients_that_did_something(self, cell):
        history = self.latest() / "cells" / cell / "1/history.jsonl"
        found = set()
        for line in history.read_text().splitlines():
            event = json.loads(line)
            if event.get("type") == "invoke":
                found.add(event["process"])
        return len(found)

    def test_sound_and_flawed_lock_with_a_hundred_clients(self):
        expect = {
            "*": {"ownership": "not_exercised"},
            "fenced_lease": {"ownership": "not_exercised", "fencing": "not_exercised"},
            FLAWED: {
                "lease_exclusion": "violated:algorithm",
                **{name: "violated:algorithm,overrun" for name in HARMED},
                "ownership": "violated",
                "progress": "not_exercised",
            },
        }
        locks = ["insert_lease", "fenced_lease", FLAWED]
        scenario = self.scenario("crowd", crowd(locks=locks, expect=expect, why={FLAWED: "nobody is ever refused"}))
        answer = self.run_suite(scenario, "--quiet", "--jobs", "1")
        self.assertEqual(answer.returncode, 0, self.shown)
        wanted = {"insert_lease/crowd": "as_expected", "fenced_lease/crowd": "as_expected", f"{FLAWED}/crowd": "caught"}
        self.assertEqual(self.outcomes(), wanted, self.shown)
        for cell in wanted:
            self.assertGreaterEqual(self.clients_that_did_something(cell), CLIENTS, cell)

    def test_faults_strike_a_hundred_clients(self):
        everybody = {"target": "everyone", "at": {"time_ms": 500}, "for_ms": 300}
        for name, own in [("pause", {}), ("partition", {}), ("client_skew", {"step_ms": 500})]:
            self.scenario(name, crowd(faults=[{"fault": name, **everybody, **own}], expect={}))
        self.run_suite(self.folder / "scenarios", "--quiet", "--jobs", "1")
        for cell in self.verdict()["cells"]:
            trial = cell["trials"][0]
            self.assertNotEqual(trial["outcome"], "harness_error", trial["error"])
            self.assertEqual([(f["acted"], f["planned"]) for f in trial["faults"]], [(1, 1)], trial["faults"])
            seen = {p["property"]: p["judgement"] for p in trial["verdict"]["properties"]}
            self.assertNotEqual(seen["lease_exclusion"], "violated", cell["scenario"])

    def test_too_many_clients_are_refused(self):
        answer = self.run_suite(self.scenario("crowd", crowd(clients=MOST + 1)))
        self.assertEqual(answer.returncode, 2, self.shown)
        self.assertRegex(answer.stderr, rf"^holdfast: .*/crowd\.json:1: clients: must be from 1 to {MOST}\n$")
        self.assertFalse(self.out.exists(), "nothing may have been started")

    def test_too_few_open_files_are_unavailable(self):
        few = ["sh", "-c", 'ulimit -n 512; exec "$@"', "sh"]
        answer = self.run_suite(self.scenario("crowd", crowd()), "--quiet", prefix=few)
        self.assertEqual(answer.returncode, 4, self.shown)
        self.assertIn("remedy: ulimit -Hn", answer.stderr)


if __name__ == "__main__":
    unittest.main()
