"""One cell from the command line to its files, and the commands that work on those."""

import json
import subprocess
import unittest

import needs
from program import PROGRAM, ProgramTest, as_user, program_for_all, quick, wait_until


class Cells(ProgramTest):
    def test_run_writes_all_its_files(self):
        scenario = self.scenario("none", quick(locks=["insert_lease", "fenced_lease"]))
        answer = self.run_suite(scenario, "--only", "fenced_lease/none")
        self.assertEqual(answer.returncode, 0, self.shown)
        self.assertIn("PASS", answer.stdout.splitlines()[-1])
        run = self.latest()
        for name in ["verdict.json", "report.html", "environment.json"]:
            self.assertGreater((run / name).stat().st_size, 0, name)
        trial = run / "cells/fenced_lease/none/1"
        for name in ["scenario.json", "plan.json", "history.jsonl", "verdict.json", "client-0.journal"]:
            self.assertGreater((trial / name).stat().st_size, 0, name)
        self.assertFalse((trial / "lab").exists(), "the lab's memory is gone with the lab")
        self.assertEqual([cell["lock"] for cell in self.verdict()["cells"]], ["fenced_lease"])
        self.checked_again(trial)
        self.reported_again(run)

    def checked_again(self, trial):
        answer = self.call(PROGRAM, "check", "--json", trial / "history.jsonl")
        told = json.loads(answer.stdout)
        self.assertEqual(told.pop("file"), str(trial / "history.jsonl"))
        for part in [told, *told["properties"]]:
            self.assertEqual(part.pop("verdict"), part["judgement"], "one word under two names")
        self.assertEqual((told.pop("not_judged"), told.pop("warnings")), ([], []))
        self.assertEqual(told, json.loads((trial / "verdict.json").read_text()))

    def reported_again(self, run):
        page = (run / "report.html").read_text()
        (run / "report.html").unlink()
        answer = self.call(PROGRAM, "report", run)
        self.assertEqual(answer.returncode, 0, self.shown)
        self.assertEqual((run / "report.html").read_text(), page)

    def test_both_connection_modes(self):
        locks = [lock + mode for lock in ("insert_lease", "fenced_lease") for mode in ("", "+found_rows")]
        answer = self.run_suite(self.scenario("none", quick(locks=locks)))
        self.assertEqual(answer.returncode, 0, self.shown)
        self.assertEqual(set(self.outcomes().values()), {"as_expected"})
        self.assertEqual(len(self.outcomes()), 4)

    def test_same_seed_gives_the_same_plan_with_only(self):
        scenario = self.scenario("none", quick(locks=["insert_lease", "get_lock"], duration_ms=300, expect={}))
        plans = []
        for only in ("*", "get_lock/none"):
            self.run_suite(scenario, "--only", only)
            plans.append((self.latest() / "cells/get_lock/none/1/plan.json").read_text())
        self.assertEqual(*plans)

    def test_missing_expected_violation_fails(self):
        expect = {"*": {"resource": "violated:overrun", "ownership": "not_exercised"}}
        answer = self.run_suite(self.scenario("none", quick(expect=expect, why={"*": "x"})))
        self.assertEqual(answer.returncode, 1, self.shown)
        self.assertEqual(self.outcomes(), {"insert_lease/none": "missed"})
        self.assertIn("FAIL", answer.stdout)

    def test_expected_flaw_is_caught_and_unexpected_one_fails(self):
        stopped = quick(
            lease_ms=500,
            faults=[{"fault": "pause", "at": {"phase": "critical_section"}, "for_ms": 2500}],
            duration_ms=3500,
            why={"*": "no lease survives a pause longer than itself"},
        )
        both = {"mutual_exclusion": "violated:overrun", "resource": "violated:overrun"}
        answer = self.run_suite(self.scenario("p", {**stopped, "expect": {"*": both}}))
        self.assertEqual(answer.returncode, 0, self.shown)
        self.assertEqual(self.outcomes(), {"insert_lease/p": "caught"})
        self.controlled({**stopped, "expect": {"*": both}})
        slip = {"*": {**both, "resource": "violated:late_write"}}
        answer = self.run_suite(self.scenario("p", {**stopped, "expect": slip}))
        self.assertEqual(answer.returncode, 1, self.shown)
        self.assertIn("Expected: resource violated:late_write; seen: violated:overrun", " ".join(answer.stdout.split()))
        stored = self.out / "latest/cells/insert_lease/p/1/scenario.json"
        self.run_suite(stored)
        self.assertNotIn("latest", self.verdict()["command"], "which is another run by now")
        answer = self.run_suite(self.scenario("p", {**stopped, "expect": {}}))
        self.assertEqual(answer.returncode, 1, self.shown)
        self.assertEqual(self.outcomes(), {"insert_lease/p": "unexpected"})

    def test_a_pause_that_ends_when_another_is_granted(self):
        """As long as it takes, and no longer: the lease of whom it strikes, whose belief then meets the other's."""
        stopped = quick(
            lease_ms=1000,
            faults=[{"fault": "pause", "at": {"phase": "critical_section"}, "until": {"phase": "granted"}}],
            expect={"*": {"mutual_exclusion": "violated:overrun", "resource": "not_judged"}},  # either may write first
            why={"*": "the other is granted before the pause is over"},
            duration_ms=3500,
        )
        answer = self.run_suite(self.scenario("p", stopped))
        self.assertEqual(answer.returncode, 0, self.shown)
        trial = json.loads((self.latest() / "cells/insert_lease/p/1/verdict.json").read_text())
        fault = trial["timeline"]["faults"][0]
        lasted_s = (fault["to_ns"] - fault["from_ns"]) / 1e9
        self.assertGreater(lasted_s, 0.8, fault)
        self.assertLess(lasted_s, 2.9, "till the trial's end, rather than the other's grant")
        never = {**stopped, "faults": [{**stopped["faults"][0], "until": {"phase": "granted", "nth": 1000}}]}
        answer = self.run_suite(self.scenario("never", never))
        self.assertEqual(answer.returncode, 5, self.shown)
        self.assertIn("fault pause: no client reached the point that ends it", self.shown)
        again = self.call(PROGRAM, "replay", self.latest(), "insert_lease/never", "--out", self.out)
        self.assertEqual(again.returncode, 5, self.shown)
        self.assertRegex(again.stdout.splitlines()[-1], "^reproduced 0 of 1: .*; the harness failed in 1$")

    def controlled(self, scenario):
        without = {"*": {"removes": "the pause", "faults": []}}
        answer = self.run_suite(self.scenario("p", {**scenario, "control": without}), "--controls")
        self.assertEqual(answer.returncode, 0, self.shown)
        self.assertIn("1 control held", answer.stdout)
        trial = self.verdict()["cells"][0]["trials"][0]
        self.assertTrue(trial["control"]["held"])
        plans = [self.latest() / trial["folder"] / place / "plan.json" for place in (".", "control")]
        flawed, control = [json.loads(plan.read_text()) for plan in plans]
        self.assertEqual((len(flawed["faults"]), control["faults"]), (1, []))
        self.assertEqual(flawed["seed"], control["seed"])
        broken = {**scenario, "control": {"*": {"removes": "nothing"}}}
        answer = self.run_suite(self.scenario("p", broken), "--controls")
        self.assertEqual(answer.returncode, 1, "a control that is broken itself: " + self.shown)
        self.assertIn("its control, insert_lease without nothing, proves nothing", answer.stdout)

    def test_unexercised_cell_is_not_a_pass(self):
        answer = self.run_suite(self.scenario("none", quick(expect={}, duration_ms=300)))
        self.assertEqual(answer.returncode, 3, self.shown)

    def test_json_is_alone_on_standard_output(self):
        answer = self.run_suite(self.scenario("none", quick()), "--json", "--quiet")
        self.assertEqual(json.loads(answer.stdout), self.verdict())

    def test_run_continues_when_the_program_file_is_replaced(self):
        program = program_for_all(self.folder)
        command = self.run_command(self.scenario("none", quick()), "--jobs", "1", "--repeat", "2", "--quiet")
        run = subprocess.Popen([program, *command[1:]], stdout=subprocess.DEVNULL)
        self.assertTrue(wait_until(lambda: list(self.out.glob("latest/cells/*/*/1/lab.log"))))
        other = self.folder / "other"
        other.write_text("not a program")
        other.replace(program)
        self.assertEqual(run.wait(timeout=100), 0)
        self.assertEqual(len(self.verdict()["cells"][0]["trials"]), 2)

    @needs.root("only root can become another user")
    def test_normal_user_can_run_a_cell(self):
        self.out.mkdir()
        self.out.chmod(0o777)
        command = self.run_command(self.scenario("none", quick()))
        answer = self.call(program_for_all(self.folder), *command[1:], prefix=as_user([]))
        self.assertEqual(answer.returncode, 0, self.shown)
        self.assertNotEqual((self.latest() / "verdict.json").stat().st_uid, 0)


if __name__ == "__main__":
    unittest.main()
