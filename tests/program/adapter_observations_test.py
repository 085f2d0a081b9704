"""Observations of locks in other languages beside the holds: how long a former holder does not know, a thread that
stands still while others run, grants that are no longer wanted. Each sound, and with its mistake."""

import json
import unittest

from program import PROGRAM, SOURCE, quick
from telling import CANCELS, SHORT_WAITS, STARVED, TellingTest

LOST = {"mutual_exclusion": "violated:overrun", "resource": "allowed:overrun"}
WHY = {"*": "jobs last longer than leases, and a lease cannot stop its holder"}
# A holder that is notified at once hardly overlaps, and does not release.
WHATEVER = {"mutual_exclusion": "not_judged", "resource": "not_judged", "ownership": "not_judged"}
SHORT_LEASES = {"lease_ms": 500, "hold_ms": 1500, "duration_ms": 4000, "coverage": {"grants": 3}, "why": WHY}


class LossNotice(TellingTest):
    def test_promised_loss_notice_is_judged(self):
        promise = {"loss_notice_ms": 400}
        sound = self.lock("tells", ["lost"], promise, tells_every_ms=30)
        asked = self.lock("is_asked", ["owned"], promise)
        silent = self.lock("never_tells", ["lost"], promise)
        deaf = self.lock("owns_all", ["owned"], promise, owns_all=True)
        late = {**WHATEVER, "loss_notice": "violated:no_notice"}
        found = self.tried({**SHORT_LEASES, "expect": {"*": WHATEVER, "never_tells": late, "owns_all": late}},
                           sound, asked, silent, deaf)  # fmt: skip
        self.assertEqual(self.answer.returncode, 0, self.shown)
        for lock in (sound, asked):
            judged, measures = found[lock.name]
            self.assertEqual(judged["loss_notice"]["judgement"], "holds", self.shown)
            # The last holder's job is cut short at the end of the load, perhaps just before its notice.
            self.assertLessEqual(measures["never_told"], 1)
            self.assertGreater(measures["former_holders"], 1)
            self.assertLess(measures["loss_notice_max_ns"], 400e6)
        for lock in (silent, deaf):
            judged, measures = found[lock.name]
            self.assertEqual(set(judged["loss_notice"]["kinds"]), {"no_notice"})
            self.assertIn("never told", judged["loss_notice"]["witnesses"][0]["text"])
            self.assertEqual(measures["never_told"], measures["former_holders"])
        self.nothing_left()

    def test_unpromised_loss_notice_is_only_measured(self):
        """Stopped for longer than its lease: it never hears of it, unless it asks."""
        pause = {"fault": "pause", "target": "holder", "at": {"phase": "granted", "nth": 2}, "for_ms": 2500}
        scenario = {
            "locks": ["redis_py"],
            "clients": 3,
            "lease_ms": 1000,
            "hold_ms": [150, 250],
            "duration_ms": 5000,
            "coverage": {"grants": 3},
            "faults": [pause],
            "expect": {"*": {**LOST, "ownership": "not_judged"}},  # a notified holder does not release
            "why": {"*": "no lease survives a stop that is longer than itself"},
        }
        for asks, never in ((0, 1), (20, 0)):
            answer = self.run_suite(self.scenario(f"asks_{asks}", {**scenario, "ask_owned_ms": asks}))
            self.assertEqual(answer.returncode, 0, self.shown)
            verdict = json.loads((self.latest() / f"cells/redis_py/asks_{asks}/1/verdict.json").read_text())
            judged = {one["property"]: one for one in verdict["properties"]}
            self.assertEqual(judged["loss_notice"]["judgement"], "not_applicable")
            measures = verdict["measures"]
            self.assertEqual((measures["former_holders"], measures["never_told"]), (1, never), self.shown)
            page = (self.latest() / "report.html").read_text()
            self.assertIn("never told: 1 of 1" if never else "p50 ", page)


class Block(TellingTest):
    FAULT = {"target": "holder", "at": {"phase": "critical_section", "nth": 2}, "for_ms": 2000}
    HEARTBEAT = ["block", "background"]

    def test_heartbeat_survives_one_blocked_thread_only(self):
        lock = self.lock("beats", self.HEARTBEAT, beats=True)
        load = {"lease_ms": 800, "duration_ms": 4500, "hold_ms": [20, 60]}
        found = self.tried({**load, "faults": [{"fault": "block", **self.FAULT}]}, lock)
        self.assertEqual(self.answer.returncode, 0, self.shown)
        self.assertEqual(found["beats"][0]["mutual_exclusion"]["judgement"], "holds", self.shown)
        self.assertIn("one thread was blocked, the others continued for 2", self.answer.stdout)
        why = {"*": "no lease survives a stop that is longer than itself"}
        stopped = {**load, "faults": [{"fault": "pause", **self.FAULT}], "expect": {"*": LOST}, "why": why}
        self.tried(stopped, lock)
        self.assertEqual(self.answer.returncode, 0, self.shown)
        self.nothing_left()

    def test_ineffective_block_is_an_error(self):
        load = {"lease_ms": 1000, "duration_ms": 3000, "hold_ms": [20, 60]}
        fault = {"fault": "block", **self.FAULT, "for_ms": 4000}
        for how, words in (
            ("early", ["it answered block after", "remedy"]),
            ("starves", ["fault block: no evidence that it took effect"]),
        ):
            lock = self.lock(how, ["block"], block=how)
            self.tried({**load, "faults": [fault]}, lock)
            self.assertEqual(self.answer.returncode, 5, self.shown)
            for word in words:
                self.assertIn(word, self.answer.stdout + self.answer.stderr)
        self.nothing_left()

    def test_lock_without_block_is_unavailable(self):
        lock = self.lock("cannot", [])
        self.tried({"faults": [{"fault": "block", **self.FAULT}]}, lock)
        self.assertEqual(self.outcomes(), {"cannot/tried": "unavailable"}, self.shown)
        self.assertIn("does not declare `block`", json.dumps(self.verdict()))

    def test_locks_in_c_with_and_without_a_watchdog(self):
        fault = {"fault": "block", **self.FAULT, "for_ms": 3000}
        content = {
            **quick(locks=["redis_watchdog", "redis_token"], faults=[fault]),
            "lease_ms": 1000,
            "duration_ms": 5000,
            "expect": {
                "redis_watchdog": {"ownership": "not_exercised"},
                "redis_token": {"mutual_exclusion": "violated:overrun", "resource": "allowed:overrun"},
            },
            "why": {"redis_token": "a job that hangs for longer than its lease, which nobody renews"},
        }
        answer = self.run_suite(self.scenario("in_c", content))
        self.assertEqual(answer.returncode, 0, self.shown)


class NoReturn(TellingTest):
    def test_call_without_return_is_a_violation(self):
        sound = self.lock("comes_back", [])
        hangs = self.lock("never_comes_back", [], releases=2)
        expect = {"comes_back": {"ownership": "not_exercised"}}
        expect["never_comes_back"] = {**dict.fromkeys(STARVED, "allowed"), "progress": "violated:no_return"}
        scenario = {"clients": 3, "lease_ms": 1000, "hold_ms": [50, 100], "duration_ms": 4000, "expect": expect}
        scenario |= {"coverage": {"grants": 3}, "why": {"never_comes_back": "its third release waits for ever"}}
        found = self.tried(scenario, sound, hangs)
        self.assertEqual(self.answer.returncode, 0, self.shown)
        self.assertEqual(found["comes_back"][0]["progress"]["judgement"], "holds")
        judged = found["never_comes_back"][0]["progress"]
        self.assertIn("called release", judged["witnesses"][0]["text"])
        told = [one for one in self.history("never_comes_back") if one.get("step") == "unanswered"]
        self.assertEqual(judged["kinds"], {"no_return": len(told)})
        self.assertFalse([one for one in self.history("comes_back") if one.get("step") == "unanswered"])
        self.nothing_left()

    def test_hanging_thread_beside_a_running_one_is_found(self):
        """Whichever began an operation last: the call of the one that hangs is open, and a replay judges it, too."""
        sound = self.lock("threads_come_back", ["threads"])
        hangs = self.lock("a_thread_hangs", ["threads"], acquires=2)
        expect = {"threads_come_back": {"ownership": "not_exercised"}}
        expect["a_thread_hangs"] = {**dict.fromkeys(STARVED, "allowed"), "progress": "violated:no_return"}
        scenario = {"clients": 2, "threads": 2, "lease_ms": 2000, "hold_ms": [20, 60], "duration_ms": 3000}
        scenario |= {"expect": expect, "coverage": {"grants": 3}, "why": {"a_thread_hangs": "it waits for ever"}}
        found = self.tried(scenario, sound, hangs)
        self.assertEqual(self.answer.returncode, 0, self.shown)
        self.assertEqual(found["threads_come_back"][0]["progress"]["judgement"], "holds")
        judged = found["a_thread_hangs"][0]["progress"]
        self.assertEqual(judged["kinds"], {"no_return": 2}, "a thread of each client")
        self.assertIn("called acquire", judged["witnesses"][0]["text"])
        both = ("--adapter", sound, "--adapter", hangs)
        again = self.call(PROGRAM, "replay", self.latest(), "a_thread_hangs/tried", *both)
        self.assertIn("reproduced 1 of 1: progress:no_return 1/1", again.stdout, self.shown)
        self.nothing_left()

    def test_unpromised_progress_reports_the_hang_only(self):
        promise = {"promises": {"mutual_exclusion": "one at a time"}}
        hangs = self.lock("promises_no_progress", [], promise, releases=2)
        scenario = {"clients": 3, "lease_ms": 1000, "hold_ms": [50, 100], "duration_ms": 4000, "expect": {}}
        found = self.tried({**scenario, "coverage": {"grants": 3}}, hangs)["promises_no_progress"][0]
        self.assertEqual(self.answer.returncode, 0, self.shown)
        self.assertEqual(found["progress"]["judgement"], "not_applicable")
        self.assertEqual(found["mutual_exclusion"]["judgement"], "holds")
        self.assertTrue([one for one in self.history("promises_no_progress") if one.get("step") == "unanswered"])
        self.nothing_left()


class LateGrants(TellingTest):
    def unwanted(self, lock, reason):
        """The grants of that reason, each of which was released at once and wrote nothing."""
        events = self.history(lock)
        grants = [(i, e) for i, e in enumerate(events) if e["f"] == "acquire" and e["type"] == "ok" and "reason" in e]
        for at, grant in grants:
            self.assertEqual(grant["reason"], reason)
            own = [e for e in events[at + 1 :] if e["process"] == grant["process"]]
            self.assertEqual([(e["f"], e["type"]) for e in own[:1]], [("release", "invoke")], own[:3])
            self.assertFalse([e for e in own if e["f"] == "write" and e.get("grant") == grant["op"]])
        return grants

    def test_grant_after_cancel_is_released_at_once(self):
        lock = self.lock("late", CANCELS, cancel="late")
        # Few grants are wanted, and they may all be one client's.
        whatever = {"ownership": "not_exercised", "resource": "not_judged"}
        found = self.tried({**SHORT_WAITS, "expect": {"*": whatever}}, lock)
        self.assertEqual(self.answer.returncode, 0, self.shown)
        grants = self.unwanted("late", "cancelled")
        self.assertGreater(len(grants), 0)
        self.assertEqual(found["late"][0]["progress"]["coverage"]["unwanted_grants"], len(grants))

    def test_grant_long_after_wait_ms_is_released_at_once(self):
        lock = self.lock("overshoots", ["wait"], {"waits_ms": 200}, overshoots_ms=3000)
        load = {**SHORT_WAITS, "cancel_after_ms": 0, "hold_ms": [1600, 1800]}
        self.tried({**load, "expect": {"*": {"ownership": "not_exercised"}}}, lock)
        self.assertEqual(self.answer.returncode, 0, self.shown)
        self.assertGreater(len(self.unwanted("overshoots", "timeout")), 0)


if __name__ == "__main__":
    unittest.main()
