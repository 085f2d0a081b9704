"""The documents' applications use their locks as described, seen in the histories of real trials: processes that tick,
watchdogs with a delay of their own, programs and sessions of several zones, old defaults of a server."""

import json
import unittest

from program import ProgramTest, quick

ANYTHING = {name: "not_judged" for name in ("ownership", "resource", "lease_exclusion", "mutual_exclusion", "progress")}
SECOND = 1_000_000_000


class Documents(ProgramTest):
    def trial(self, name, lock, codes=(0, 1, 3), **changes):
        """Runs one trial; its events, and what was seen of each property."""
        content = quick(locks=[lock], expect=changes.pop("expect", {"*": ANYTHING}), **changes)
        answer = self.run_suite(self.scenario(name, content))
        self.assertIn(answer.returncode, codes, self.shown)
        folder = self.latest() / f"cells/{lock}/{name}/1"
        events = [json.loads(line) for line in (folder / "history.jsonl").read_text().splitlines()[1:]]
        verdict = json.loads((folder / "verdict.json").read_text())
        return events, {p["property"]: p["judgement"] for p in verdict["properties"]}

    def test_leader_ticks_every_second(self):
        cut = {"fault": "partition", "target": "holder", "at": {"phase": "before_renew"}, "for_ms": 6000}
        load = {"lease_ms": 3000, "duration_ms": 9000, "faults": [cut]}
        events, seen = self.trial("lead", "leader_version_cas_unique_owner", **load)
        end = next(e["time"] for e in events if e.get("step") == "load_end")
        begin, healed = (next(e for e in events if e.get("step") == step) for step in ("begin", "end"))
        self.assertEqual(seen["mutual_exclusion"], "violated", "the one that is cut off hears nothing")
        self.assertEqual(seen["lease_exclusion"], "holds")
        leave = [e for e in events if e.get("f") == "leave" and e["time"] < end]
        self.assertEqual(leave, [], "while the load lasts nobody leaves")
        for client in {e["client"] for e in events if e.get("f") in ("acquire", "renew")}:
            asked = [e for e in events if e.get("client") == client and e.get("f") in ("acquire", "renew")]
            answered = [e["time"] for e in asked if e["type"] != "invoke"]
            again = [e["time"] for e in asked if e["type"] == "invoke"][1:]
            self.assertGreater(len(again), 3)
            waits = [later - before for before, later in zip(answered, again)]
            self.assertGreaterEqual(min(waits), SECOND, "a delay from the end of the tick before, leading or not")
        wrote = [e for e in events if e.get("f") == "write" and e["type"] == "invoke"]
        during = [e for e in wrote if begin["time"] < e["time"] < healed["time"]]
        late = [e for e in during if e["client"] in begin["clients"]]
        self.assertEqual(late, [], "no work is done in a tick that had no answer")

    def test_tick_is_configurable_and_only_for_elections(self):
        for lock, tick_ms, expected in (("leader_version_cas+found_rows", 300, 300), ("insert_lease", 300, None)):
            name = f"tick{expected}"
            self.trial(name, lock, lease_ms=3000, duration_ms=1500, tick_ms=tick_ms)
            plan = json.loads((self.latest() / f"cells/{lock}/{name}/1/plan.json").read_text())
            self.assertEqual(plan.get("tick_ms"), expected)
        self.assertEqual(plan["isolation"], ["read_committed"], "what its document's server has by default")

    def test_watchdog_with_its_own_delay_is_too_late(self):
        load = {"clients": 2, "lease_ms": 2500, "hold_ms": [3200, 3400], "duration_ms": 6500}
        events, seen = self.trial("late", "redis_redisson_watchdog", **load)
        self.assertEqual([e for e in events if e.get("background")], [], "it looks every 10 s")
        self.assertEqual(seen["mutual_exclusion"], "violated")
        events, seen = self.trial("timely", "redis_watchdog", **load)
        self.assertTrue([e for e in events if e.get("background")], "at every third of the lease")
        self.assertNotEqual(seen["mutual_exclusion"], "violated")

    def test_local_times_need_equal_zones(self):
        zones = ["+00:00", "+08:00"]
        load = {"clients": 4, "lease_ms": 2000, "hold_ms": [100, 200], "duration_ms": 3000}
        cases = [("program", ["program_zone"]), ("session", ["time_zone"]), ("both", ["program_zone", "time_zone"])]
        for name, words in cases:
            violated, keys = name != "both", {word: zones for word in words}
            _, seen = self.trial(name, "nowait_lease", **load, **keys)
            self.assertEqual(seen["lease_exclusion"] == "violated", violated, name)

    def test_old_timestamp_default_ends_leases_on_update(self):
        load = {"clients": 4, "lease_ms": 2000, "hold_ms": [300, 400], "duration_ms": 3000, "reenter": True}
        for old in (True, False):
            server = {"explicit_defaults_for_timestamp": not old}
            _, seen = self.trial(f"old{old}", "nowait_lease_reentrant", server=server, **load)
            self.assertEqual(seen["lease_exclusion"] == "violated", old)


if __name__ == "__main__":
    unittest.main()
