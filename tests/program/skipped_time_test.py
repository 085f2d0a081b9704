"""Trials in skipped time: the verdicts of real time, a clock that is measured, and real time where it is in doubt."""

import json
import pathlib
import sys
import unittest

from program import ProgramTest

LOAD = {"locks": ["redis_token"], "clients": 3, "lease_ms": 2000, "duration_ms": 6000, "poll_ms": 50,
        "hold_ms": [50, 150], "coverage": {"grants": 5}}  # fmt: skip
HOLDS = {"*": {"ownership": "not_exercised"}}  # no release comes after a lease
PAUSE = {"fault": "pause", "target": "holder", "at": {"phase": "critical_section"}, "for_ms": 4000}


class SkippedTime(ProgramTest):
    def run_skipped(self, *arguments, **settings):
        path = self.scenario("one", {**LOAD, **settings})
        return self.run_suite(path, "--time", "skipped", *arguments)

    def trial(self):
        return self.verdict()["cells"][0]["trials"][0]

    def kept(self, name, lock="redis_token"):
        return json.loads((self.latest() / "cells" / lock / "one/1" / name).read_text())

    def expect_skipped(self):
        self.assertEqual(self.trial().get("time"), "skipped", self.shown)
        self.assertNotIn("time_doubt", self.trial())
        self.assertGreater(self.kept("time.json")["virtual_seconds"], 6)
        self.assertNotIn("time_doubts", self.kept("facts.json"))

    def test_sound_lock_holds(self):
        answer = self.run_skipped(expect=HOLDS)
        self.assertEqual(answer.returncode, 0, self.shown)
        self.expect_skipped()
        self.assertIn("time skipped", answer.stdout)
        self.assertIn("--time skipped", self.verdict()["command"])
        self.assertEqual(json.loads((self.latest() / "run.json").read_text())["time"], "skipped")

    def test_skipped_time_is_default_and_replay_keeps_it(self):
        path = self.scenario("one", {**LOAD, "duration_ms": 1500, "coverage": {"grants": 1}, "expect": HOLDS})
        for given, lived in ([], "skipped"), (["--time", "real"], None):
            self.run_suite(path, *given)
            self.assertEqual(self.trial().get("time"), lived, self.shown)
            self.run_command("replay", self.latest(), "redis_token/one")
            self.assertEqual(self.trial().get("time"), lived, self.shown)

    def test_a_pause_beyond_the_lease_is_caught(self):
        lapses = {"lease_exclusion": "holds", "mutual_exclusion": "violated:overrun", "resource": "violated:overrun"}
        self.run_skipped(faults=[PAUSE], expect={"*": lapses}, why={"*": "no lease survives a longer pause"})
        self.expect_skipped()
        self.assertEqual(self.trial()["outcome"], "caught", self.shown)

    def test_a_partition_is_proved_and_healed(self):
        partition = {"fault": "partition", "target": "holder", "at": {"phase": "critical_section"}, "for_ms": 4500}
        self.run_skipped(faults=[partition], expect={"*": {}})
        self.expect_skipped()
        self.assertNotIn(self.trial()["outcome"], ("unexpected", "harness_error"), self.shown)
        proof = self.trial()["faults"][0]
        self.assertEqual((proof["acted"], proof["planned"]), (1, 1), proof)
        self.assertRegex(proof["detail"], "cut .* for 4[.].* packets dropped")

    def test_doubtful_clock_falls_back_to_real_time(self):
        self.run_skipped("--sabotage", "time", duration_ms=1500, coverage={"grants": 1}, expect=HOLDS)
        trial = self.trial()
        self.assertNotIn("time", trial, "real")
        self.assertRegex(trial["time_doubt"], "ended [0-9]+ ms early")
        self.assertRegex(self.shown, "time real: .* ended [0-9]+ ms early")
        self.assertFalse((self.latest() / "cells/redis_token/one/1/time.json").exists())

    def test_kernel_without_seccomp_notify_uses_real_time(self):
        refuse = [sys.executable, pathlib.Path(__file__).with_name("refuse_calls.py"), "seccomp=EPERM", "--"]
        path = self.scenario("one", {**LOAD, "duration_ms": 1500, "coverage": {"grants": 1}, "expect": HOLDS})
        self.run_suite(path, "--time", "skipped", prefix=refuse)
        trial = self.trial()
        self.assertNotIn("time", trial, "real")
        self.assertRegex(trial["time_doubt"], "^virtual time: the kernel cannot hold system calls: .*; remedy: ")
        self.assertIn("time real: virtual time: the kernel cannot hold system calls", self.shown)

    def test_lock_with_repeated_doubts_uses_real_time_at_once(self):
        load = {**LOAD, "duration_ms": 800, "coverage": {"grants": 1}, "expect": HOLDS}
        self.run_suite(self.scenario("one", load), "--sabotage", "time", "--repeat", "3", "--jobs", "1")
        trials = self.verdict()["cells"][0]["trials"]
        self.assertEqual([trial.get("time") for trial in trials], [None] * 3, "real")
        self.assertEqual(trials[2]["time_doubt"], trials[1]["time_doubt"])

    def test_clients_without_pauses_use_real_time(self):
        self.run_skipped(clients=5, poll_ms=1, duration_ms=500, coverage={"grants": 1}, expect=HOLDS)
        self.assertNotIn("time", self.trial(), "real")
        self.assertIn("time real: its clients send so many requests that real time is faster", self.shown)

    def test_target_uses_real_time(self):
        answer = self.run_skipped("--target", "redis://127.0.0.1:1", expect=HOLDS)
        self.assertEqual(answer.returncode, 2, self.shown)
        self.assertIn("--time skipped: your own server runs in real time; remedy:", answer.stderr)


if __name__ == "__main__":
    unittest.main()
