"""Finds of explore, repeated: with statements that really wait, and with real processes."""

import json
import unittest

from explorer import SMALL, ExploreTest
from program import PROGRAM


class ExploreReal(ExploreTest):
    def test_real_processes_repeat_a_find(self):
        out = self.explore("upsert_lease", *SMALL, code=1)
        self.assertIn("as a scenario: ", out)
        scenario = self.out / "latest/upsert_lease.foreign_release.json"
        told = json.loads(scenario.read_text())
        self.assertEqual(told["faults"][-1]["words"], "A +2.6s B A")
        mine = self.folder / "story.json"
        mine.write_text(scenario.read_text())
        done = self.call(PROGRAM, "run", mine, "--out", self.out, "--quiet")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("1 flaw caught", done.stdout)
        self.assertIn("Faults proved: schedule 1/1", done.stdout)
        # Inside its lease none of that happens; and a schedule that cannot be followed gives no verdict.
        for words, code, says in (("A A B B", 3, "no release or renewal came after a lease had expired"),
                                  ("A +60s B", 5, "'+60s', could not be followed: the trial is over")):  # fmt: skip
            told["faults"][-1]["words"] = words
            told["duration_ms"] = 1500
            mine.write_text(json.dumps(told))
            done = self.call(PROGRAM, "run", mine, "--out", self.out, "--quiet")
            self.assertEqual(done.returncode, code, done.stdout + done.stderr)
            self.assertIn(says, done.stdout + done.stderr)

    def test_locally_refused_statement_takes_no_turn(self):
        # B's session ends in its transaction: the COMMIT after the read that failed is refused by B's own library, so
        # its next letter is the ROLLBACK. One turn more, and A would have released before B reads.
        scenario = {"locks": ["nowait_lease_in_transaction"], "clients": 2, "lease_ms": 2000, "align_ms": 400,
                    "hold_ms": [0, 0], "pause_ms": [0, 0], "duration_ms": 9000,
                    "coverage": {"grants": 1, "attempts_in_hold": 0},
                    "faults": [{"fault": "schedule", "target": "everyone", "at": {"time_ms": 0},
                                "words": "A A A A +1.6s B B!cut B B B B A B B A"}],
                    "expect": {"nowait_lease_in_transaction": {
                        "mutual_exclusion": "not_judged", "lease_exclusion": "not_judged", "progress": "not_judged",
                        "resource": "not_judged", "ownership": "violated"}},
                    "why": {"nowait_lease_in_transaction": "whole seconds: the row is over first"}}  # fmt: skip
        mine = self.folder / "refused.json"
        mine.write_text(json.dumps(scenario))
        done = self.call(PROGRAM, "run", mine, "--out", self.out, "--quiet")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("1 flaw caught", done.stdout)

    def test_every_written_scenario_reproduces(self):
        self.call(PROGRAM, "explore", "--all", "--budget", "4s", "--quiet", "--out", self.out)
        results = json.loads((self.out / "latest/explored.json").read_text())
        names = [f"{result['lock']}.{found['invariant']}.json"
                 for result in results for found in result["violations"] if found["number"] == 1]  # fmt: skip
        scenarios = [path for path in (self.out / "latest" / name for name in names) if path.exists()]
        self.assertGreater(len(scenarios), 20)
        self.assertLess(len(scenarios), len(names), "some cannot be followed by real processes")
        for path in scenarios:
            (self.folder / path.name).write_text(path.read_text())
        self.call(PROGRAM, "run", self.folder, "--out", self.out, "--quiet")
        cells = json.loads((self.out / "latest/verdict.json").read_text())["cells"]
        self.assertEqual(len(cells), len(scenarios))
        # Real processes follow a schedule in real time; side by side on a full machine some come too late for a lease.
        late = [f"{cell['lock']}/{cell['scenario']}" for cell in cells if cell["outcome"] != "caught"]
        self.assertLess(len(late), 5, late)
        if not late:
            return
        only = [word for name in late for word in ("--only", name)]
        done = self.call(PROGRAM, "run", self.folder, *only, "--jobs", "1", "--out", self.out, "--quiet")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn(f"{len(late)} flaw", done.stdout)

    def test_unfollowable_find_gets_no_scenario(self):
        out = self.explore("redis_watchdog", "--faults", "0", "--budget", "20s", code=1)
        self.assertIn("as a scenario: no, its watchdogs would renew by themselves\n", out)
        self.assertEqual(list((self.out / "latest").glob("redis_watchdog.*.json")), [])

    def test_simulated_waits_happen_on_the_real_server(self):
        bounds = ("--rounds", "1", "--preemptions", "1", "--faults", "1", "--budget", "60s")
        for lock, time_jumps, invariant in [("for_update_read_split", "1", "two_holders"),
                                            ("nowait_lease_in_transaction", "0", "lost_inside_lease")]:  # fmt: skip
            result = self.explored(lock, *bounds, "--time-jumps", time_jumps, code=1)
            self.assertTrue(result["complete"], "what is found must not depend on the time that there was")
            waits = {found["invariant"] for found in result["violations"] if found["row_lock_waits"]}
            self.assertIn(invariant, waits)
            for found in result["violations"]:
                self.assertEqual(found["real_waits"], "the same" if found["row_lock_waits"] else "", found["replay"])
        replay = self.folder / "waits.replay"
        replay.write_text("lock for_update_read_split\nschedule A A A B A B B B\n")
        done = self.call(PROGRAM, "replay", replay, "--repeat", "3", "--out", self.out)
        self.assertIn("waits for a row lock", done.stdout)
        self.assertIn("with statements that really wait: the same\n", done.stdout)
        self.assertIn("3 of 3 replays identical", done.stdout)


if __name__ == "__main__":
    unittest.main()
