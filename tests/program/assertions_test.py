"""Assertions of a lock's author: a false `always` breaks the lock, and what was never reached is not a pass."""

import json
import shutil
import unittest
import xml.etree.ElementTree as ET

import asserting_locks
from program import PROGRAM, ProgramTest, quick

LONG = {"duration_ms": 4000, "hold_ms": [50, 450], "lease_ms": 600, "clients": 3}
FALLBACK = {"kind": "reached", "name": "a fallback"}


class Assertions(ProgramTest):
    language = "python"

    def setUp(self):
        super().setUp()
        if shutil.which(asserting_locks.COMMANDS[self.language][0]) is None:
            self.skipTest(f"needs {self.language}, not installed")

    def judged(self, name, *arguments, bug=False, **facts):
        """The exit code and the verdict of a run of one cell."""
        folder = asserting_locks.write(self.folder, self.language, name, bug, **facts)
        expect = {"*": {"ownership": "not_exercised", "resource": "not_exercised"}}
        scenario = self.scenario("asserts", quick(locks=[name], expect=expect, **LONG))
        answer = self.run_suite(scenario, "--adapter", folder, *arguments)
        return answer.returncode, self.verdict()

    def counts(self, verdict):
        """{name: count} of the assertions of a run."""
        all_of = [{**one["assertion"], "reached": one["reached"]} for one in verdict["assertions"]]
        return {one["name"]: one for one in all_of}

    def properties(self, verdict):
        return {one["property"]: one for one in verdict["cells"][0]["trials"][0]["verdict"]["properties"]}

    def property(self, verdict):
        return self.properties(verdict)["author_assertions"]

    def test_planted_bug_is_found_by_the_assertion(self):
        code, verdict = self.judged("left_running", bug=True)
        self.assertEqual(code, 1, self.shown)
        found = self.property(verdict)
        self.assertEqual((found["judgement"], found["kind"]), ("violated", "assertion_failed"), self.shown)
        witness = found["witnesses"][0]
        self.assertEqual(witness["key"], asserting_locks.SILENT)
        self.assertIn("and it was false: client-", witness["text"])
        self.assertGreater(self.counts(verdict)[asserting_locks.SILENT]["failed"], 0)
        self.assertIn(f'the assertion "{asserting_locks.SILENT}" was false', self.shown)
        junit = (self.latest() / "junit.xml").read_text()
        self.assertIn("was false", junit)
        exclusion = self.properties(verdict)["mutual_exclusion"]
        self.assertEqual(exclusion["judgement"], "holds", "only the assertion finds it")
        self.assertIn(asserting_locks.SILENT, (self.latest() / "report.html").read_text())

    def test_sound_twin_passes(self):
        code, verdict = self.judged("stopped")
        self.assertEqual(code, 0, self.shown)
        self.assertEqual(self.property(verdict)["judgement"], "holds", self.shown)
        counts = self.counts(verdict)
        self.assertEqual(set(counts), {asserting_locks.SILENT, asserting_locks.BUSY, "a watchdog began"})
        self.assertTrue(all(one["reached"] for one in counts.values()), counts)
        self.assertIn("Assertions of stopped: 3 of 3 were reached.", self.shown)
        # Announced before the load began, so that they are known even if nothing evaluates them.
        lines = (self.latest() / "cells/stopped/asserts/1/history.jsonl").read_text().splitlines()
        first = [json.loads(line) for line in lines if '"assertion"' in line][0]
        self.assertEqual((first["type"], first["time"]), ("info", 0))

    def test_never_reached_is_no_pass(self):
        code, verdict = self.judged("unreached", assertions=[FALLBACK])
        self.assertEqual(code, 3, self.shown)
        self.assertEqual(self.outcomes(), {"unreached/asserts": "as_expected"})
        self.assertFalse(self.counts(verdict)["a fallback"]["reached"])
        self.assertIn("an assertion was never reached", self.shown)
        self.assertIn('Never reached: reached "a fallback".', self.shown)
        cases = ET.fromstring((self.latest() / "junit.xml").read_text()).iter("testcase")
        asserted = [case for case in cases if case.get("name") == "assertions_reached"]
        self.assertEqual(len(asserted), 1)
        self.assertIn("a fallback", asserted[0].find("error").get("message"))
        self.assertIn("never reached", (self.latest() / "report.html").read_text())
        folder = self.folder / "unreached"
        again = [PROGRAM, "replay", self.latest(), "unreached/asserts", "--adapter", folder, "--out", self.out]
        replayed = self.call(*again)
        self.assertEqual(replayed.returncode, 0, "a replay repeats one trial of many: " + self.shown)

    def test_check_finds_a_false_always(self):
        folder = asserting_locks.write(self.folder, self.language, "checked")
        answer = self.call(PROGRAM, "adapter", "check", folder)
        self.assertEqual(answer.returncode, 0, self.shown)
        self.assertIn("OK assertions: ", answer.stdout)


class RealTime(Assertions):
    """The same without skipped time."""

    def judged(self, name, *arguments, **facts):
        return super().judged(name, "--time", "real", *arguments, **facts)


class Node(Assertions):
    language = "node"


class Try(ProgramTest):
    def test_try_calls_it_broken(self):
        folder = asserting_locks.write(self.folder, "python", "left_running", bug=True)
        answer = self.call(PROGRAM, "try", folder, "--json", "--quiet", "--for", "60s", "--out", self.out)
        self.assertEqual(answer.returncode, 1, self.shown)
        told = json.loads(answer.stdout)
        self.assertEqual(told["grade"]["word"], "broken")
        self.assertTrue(told["assertion"], self.shown)
        self.assertIn("an assertion of the lock's author was false", told["headline"])
        failed = {one["name"]: one["failed"] for one in told["assertions"]}
        self.assertGreater(failed[asserting_locks.SILENT], 0)

    def test_unreached_lowers_the_grade(self):
        folder = asserting_locks.write(self.folder, "python", "unreached", assertions=[FALLBACK])
        answer = self.call(PROGRAM, "try", folder, "--json", "--quiet", "--for", "60s", "--out", self.out)
        self.assertEqual(answer.returncode, 3, self.shown)
        told = json.loads(answer.stdout)
        self.assertEqual(told["grade"]["word"], "not_known")
        self.assertIn('Never reached: reached "a fallback".', told["grade"]["reason"])


if __name__ == "__main__":
    unittest.main()
