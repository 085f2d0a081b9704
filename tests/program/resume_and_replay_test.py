"""A run again, or the rest of it: seeds, a time budget, resuming after an interrupt or a kill, a cell's replay."""

import json
import os
import pathlib
import shlex
import shutil
import signal
import subprocess
import time
import unittest

from program import PROGRAM, ProgramTest, kill, processes, quick, wait_until


FLAWED = "upsert_lease+found_rows"  # it refuses no client, whatever the timing


class Again(ProgramTest):
    def plans(self, folder, cell="insert_lease/none"):
        found = sorted((folder / "cells" / cell).glob("*/plan.json"), key=lambda path: int(path.parent.name))
        return [json.loads(path.read_text()) for path in found]

    def cut_off(self, number, *arguments):
        """A run of three trials, one after the other, that gets a signal while the second is at work."""
        run = subprocess.Popen(
            self.run_command(self.scenario("none", quick()), "--jobs", "1", "--repeat", "3", *arguments),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=self.folder,
        )  # fmt: skip
        self.addCleanup(run.kill)
        trials = self.out / "latest/cells/insert_lease/none"
        self.assertTrue(wait_until(lambda: (trials / "2/client-2.journal").exists()))
        run.send_signal(number)
        run.communicate(timeout=60)
        self.assertTrue(wait_until(lambda: not processes(str(self.out)), 5), processes(str(self.out)))
        return self.latest()

    def resume(self, folder, *arguments):
        return self.call(PROGRAM, "run", "--resume", folder, *arguments)

    def test_seeds_repeat_the_plans_of_single_seed_runs(self):
        scenario = self.scenario("none", quick(duration_ms=500))
        self.call(PROGRAM, "run", scenario, "--out", self.out, "--seeds", "7..8")
        run = self.verdict()
        self.assertEqual((run["seed"], run["seeds"]), ("7", ["7", "8"]))
        self.assertIn("--seeds 7..8", run["command"])
        wanted = [json.loads(self.call(PROGRAM, "plan", scenario, "--only", "*", "--seed", s).stdout) for s in (7, 8)]
        self.assertEqual(self.plans(self.latest()), wanted)

    def test_unstarted_trials_are_not_a_pass(self):
        scenario = self.scenario("none", quick())
        answer = self.run_suite(scenario, "--repeat", "50", "--jobs", "2", "--time-budget", "1s")
        self.assertEqual(answer.returncode, 3, self.shown)
        cell = self.verdict()["cells"][0]
        self.assertEqual((cell["planned"], cell["outcome"]), (50, "not_run"))
        self.assertLess(len(cell["trials"]), 5)
        self.assertIn("the time budget of 1s was over", answer.stdout)
        self.assertIn('type="not_run"', (self.latest() / "junit.xml").read_text())

    def test_interrupted_run_resumes_with_missing_trials(self):
        folder = self.cut_off(signal.SIGINT)
        before = json.loads((folder / "verdict.json").read_text())
        self.assertEqual((before["stopped"], len(before["cells"][0]["trials"])), ("interrupted", 1))
        first = folder / "cells/insert_lease/none/1/history.jsonl"
        written = first.stat().st_mtime_ns
        plan = (folder / "cells/insert_lease/none/2/plan.json").read_text()
        answer = self.resume(folder)
        self.assertEqual(answer.returncode, 0, self.shown)
        run = json.loads((folder / "verdict.json").read_text())
        self.assertEqual([trial["number"] for trial in run["cells"][0]["trials"]], [1, 2, 3])
        self.assertEqual((run["seed"], run["stopped"], run["cells"][0]["outcome"]), ("1", "", "as_expected"))
        self.assertEqual(first.stat().st_mtime_ns, written, "what was done was done again")
        self.assertEqual((folder / "cells/insert_lease/none/2/plan.json").read_text(), plan)
        self.assertEqual(len(list(self.out.glob("2*"))), 1, "a resumed run has no folder of its own")
        self.assertEqual(self.resume(folder).returncode, 2, "is already complete")
        self.assertIn("is complete", self.shown)

    def test_killed_run_resumes_and_refuses_a_changed_scenario(self):
        folder = self.cut_off(signal.SIGKILL)
        self.assertFalse((folder / "verdict.json").exists())
        self.scenario("none", quick(clients=4))
        self.assertEqual(self.resume(folder).returncode, 2)
        self.assertIn("scenarios/none was changed", self.shown)
        self.scenario("none", quick())
        self.assertEqual(self.resume(folder).returncode, 0, self.shown)
        self.assertEqual(len(json.loads((folder / "verdict.json").read_text())["cells"][0]["trials"]), 3)

    def test_refused_scenario_names_the_file_that_asks_for_it(self):
        folder = self.cut_off(signal.SIGKILL)
        scenario = self.folder / "scenarios/none.json"
        asks = f"holdfast: {folder}/run.json"
        for damage, told in (
            (lambda: self.scenario("none", quick(clients=4)), f"{asks}: the scenarios have changed since the run"),
            (lambda: scenario.write_text("{"), f"{asks} asks for {scenario}:1: "),
            (lambda: scenario.write_text(json.dumps(quick(locks=["insert_leese"]))), f"{asks} asks for unknown lock"),
            (scenario.unlink, f"{asks} asks for "),
        ):  # fmt: skip
            damage()
            answer = self.resume(folder)
            self.assertEqual(answer.returncode, 2, self.shown)
            self.assertTrue(answer.stderr.startswith(told), self.shown)
            self.assertRegex(answer.stderr, r"; remedy: .*restore .*, or start a new run\n$")
        given = self.resume(folder, "--adapter", self.folder / "none")
        self.assertEqual(given.returncode, 2)
        self.assertNotIn("run.json asks", given.stderr, "the command line does")
        self.scenario("none", quick())
        self.assertEqual(self.resume(folder).returncode, 0, self.shown)

    def test_replaced_file_costs_its_trial_only(self):
        """As an adapter leaves it that was killed with its run: that trial is run again."""
        for put in (os.mkfifo, lambda path: path.symlink_to("/dev/zero"), lambda path: path.mkdir()):
            folder = self.cut_off(signal.SIGKILL)
            trials = folder / "cells/insert_lease/none"
            first = trials / "1/history.jsonl"
            kept = first.stat().st_mtime_ns
            for place in ("2/result.json", "2/control", "2/history.jsonl"):
                path = trials / place
                if path.is_dir():
                    shutil.rmtree(path)
                path.unlink(missing_ok=True)
                put(path)
            answer = self.resume(folder)
            self.assertEqual(answer.returncode, 0, self.shown)
            cell = json.loads((folder / "verdict.json").read_text())["cells"][0]
            self.assertEqual([one["outcome"] for one in cell["trials"]], ["as_expected"] * 3, self.shown)
            self.assertEqual(first.stat().st_mtime_ns, kept, "what was done was done again")
            (folder / "verdict.json").unlink()
            first.unlink()  # a file of a finished trial
            put(first)
            self.assertEqual(self.resume(folder).returncode, 0, self.shown)
            self.assertTrue(first.is_file() and not first.is_symlink())
            shutil.rmtree(self.out)

    def test_history_overrides_a_trials_stored_result(self):
        folder = self.cut_off(signal.SIGKILL)
        trial = folder / "cells/insert_lease/none/1"
        kept = {name: (trial / name).read_text() for name in ("result.json", "verdict.json", "history.jsonl")}
        word = json.loads(kept["result.json"])["result"]["outcome"]
        self.assertEqual(word, "as_expected", kept["result.json"])
        changed = "changed after the trial ended (its checksum differs from result.json)"
        for name, damaged, told in (
            ("result.json", kept["result.json"].replace(f'"outcome": "{word}"', '"outcome": "caught"'),
             "result.json: says caught, but its history, compared with the scenario's expectation, makes it "
             "as_expected; remedy"),
            ("verdict.json", kept["verdict.json"].replace('"not_exercised"', '"holds"'),
             f"verdict.json: {changed}; remedy: remove "),
            ("history.jsonl", kept["history.jsonl"][: kept["history.jsonl"].rindex("{")], f"history.jsonl: {changed}"),
            ("history.jsonl", None, "history.jsonl: is gone; remedy: remove "),
        ):  # fmt: skip
            (trial / name).unlink()
            if damaged is not None:
                self.assertNotEqual(damaged, kept[name])
                (trial / name).write_text(damaged)
            self.assertEqual(self.resume(folder).returncode, 2, self.shown)
            self.assertIn(told, self.shown)
            self.assertFalse((folder / "verdict.json").exists())
            (trial / name).write_text(kept[name])
        self.assertEqual(self.resume(folder).returncode, 0, self.shown)

    def test_changed_evidence_of_a_result_is_refused(self):
        self.run_suite(self.scenario("none", quick(duration_ms=500)), "--quiet")
        folder = self.latest()
        trial = folder / "cells/insert_lease/none/1"
        report = [PROGRAM, "report", folder]
        replay = [PROGRAM, "replay", folder, "insert_lease/none", "--out", self.folder / "replayed"]
        resume = [PROGRAM, "run", "--resume", folder]
        sums = json.loads((trial / "result.json").read_text())["sums"]
        files = ["facts.json", "history.jsonl", "plan.json", "scenario.json", "verdict.json"]
        self.assertEqual(sorted(sums), files)
        for name, damage in (
            ("history.jsonl", lambda text: ""), ("plan.json", lambda text: text.replace('"seed"', '"seeds"')),
            ("facts.json", lambda text: text[: len(text) // 2]), ("scenario.json", lambda text: text + " "),
        ):  # fmt: skip
            kept = (trial / name).read_text()
            (trial / name).write_text(damage(kept))
            for command in report, replay:
                self.assertEqual(self.call(*command).returncode, 2, self.shown)
                self.assertIn(f"cells/insert_lease/none/1/{name}: ", self.shown)
            (folder / "verdict.json").rename(self.folder / "kept")
            self.assertEqual(self.call(*resume).returncode, 2, self.shown)
            self.assertIn(f"{trial}/{name}: changed after the trial ended", self.shown)
            (self.folder / "kept").rename(folder / "verdict.json")
            (trial / name).write_text(kept)
        self.assertIn(self.call(*report).returncode, (0, 3), self.shown)
        (trial / "history.jsonl").unlink()  # the remaining files can still be read
        self.assertIn(self.call(*report).returncode, (0, 3), self.shown)

    def test_failed_trials_run_again_on_demand(self):
        pause = {"fault": "pause", "target": "holder", "at": {"phase": "critical_section"}, "for_ms": 300}
        paused = quick(faults=[pause])
        self.run_suite(self.scenario("paused", paused), "--quiet", "--sabotage", "heal")
        folder = self.latest()
        self.assertEqual(self.outcomes(), {"insert_lease/paused": "harness_error"})
        self.assertEqual(self.resume(folder).returncode, 2)
        self.assertIn("remedy: --again repeats them", self.shown)
        history = folder / "cells/insert_lease/paused/1/history.jsonl"
        failed = history.read_text()
        self.assertNotEqual(self.resume(folder, "--again").returncode, 5, self.shown)
        self.assertNotEqual(self.outcomes(), {"insert_lease/paused": "harness_error"})
        self.assertNotEqual(history.read_text(), failed)
        self.assertEqual(self.resume(folder, "--again").returncode, 2)
        self.assertIn("is already complete", self.shown)
        self.assertEqual(self.call(PROGRAM, "run", "quick", "--again").returncode, 2, "it goes with --resume")

    def test_folder_in_the_place_of_an_output_changes_no_file(self):
        self.run_suite(self.scenario("none", quick()), "--repeat", "50", "--jobs", "2", "--time-budget", "1s")
        folder = self.latest()
        (folder / "code_quality.json").unlink()
        (folder / "code_quality.json").mkdir()
        before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        for words in (("run", "--resume", folder), ("report", folder)):
            self.assertEqual(self.call(PROGRAM, *words).returncode, 2, self.shown)
            self.assertIn("code_quality.json: is a folder", self.shown)
            after = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
            self.assertEqual(after, before, "changed or added files")

    def test_run_folder_is_locked_by_one_process(self):
        run = subprocess.Popen(
            self.run_command(self.scenario("none", quick())), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            cwd=self.folder,
        )  # fmt: skip
        self.addCleanup(run.wait)
        self.addCleanup(kill, run.pid)
        self.assertTrue(wait_until(lambda: list(self.out.glob("2*/cells/*/*/1/plan.json"))))
        self.assertEqual(self.resume(self.latest()).returncode, 2)
        self.assertIn("another process is running it", self.shown)

    def test_replay_uses_the_cells_plan(self):
        self.run_suite(self.scenario("none", quick(locks=[FLAWED], expect={FLAWED: {}})))
        folder = self.latest()
        (self.folder / "scenarios/none.json").unlink()  # the stored one is used
        answer = self.call(PROGRAM, "replay", folder, f"{FLAWED}/none", "--repeat", "2", "--out", self.out)
        self.assertEqual(answer.returncode, 1, self.shown)
        self.assertRegex(answer.stdout.splitlines()[-1], r"^reproduced [12] of 2: .*\bmutual_exclusion:algorithm 2/2")
        self.assertNotEqual(self.latest(), folder)
        old = self.plans(folder, f"{FLAWED}/none")
        self.assertEqual(self.plans(self.latest(), f"{FLAWED}/none"), old * 2)
        for arguments, told in (
            ((folder,), "no cell given"), ((folder, f"{FLAWED}/nome"), f"did you mean '{FLAWED}/none'"),
            ((self.folder, "a/b"), "has no verdict.json, so it is not a run's folder"),
            ((folder, f"{FLAWED}/none", "--trial", "9"), "was judged"),
        ):  # fmt: skip
            self.assertEqual(self.call(PROGRAM, "replay", *arguments).returncode, 2, self.shown)
            self.assertIn(told, self.shown)

    def stored_as_violated(self):
        """A clean run whose stored verdict says that the lock was violated: so its replay does not show that again."""
        self.run_suite(self.scenario("none", quick()), "-q")
        folder = self.latest()
        trial = folder / "cells/insert_lease/none/1"
        verdict = json.loads((trial / "verdict.json").read_text())
        verdict["judgement"] = "violated"
        for one in verdict["properties"]:
            if one["property"] == "mutual_exclusion":
                one.update(judgement="violated", kind="algorithm", kinds={"algorithm": 1}, count=1)
        (trial / "verdict.json").write_text(json.dumps(verdict))
        (trial / "result.json").unlink()  # it has the sum of what was there
        return folder

    def test_unreproduced_violation_is_not_a_pass(self):
        folder = self.stored_as_violated()
        answer = self.call(PROGRAM, "replay", folder, "insert_lease/none", "-q", "--out", self.out)
        self.assertEqual(answer.returncode, 3, self.shown)
        self.assertEqual(answer.stderr, "")
        first, *_, last = answer.stdout.splitlines()
        told = "the violation was not reproduced: reproduced 0 of 1"
        self.assertTrue(first.startswith(f"UNDECIDED  {told}; 1 of 1 cell as expected"), self.shown)
        self.assertRegex(last, r"^reproduced 0 of 1: mutual_exclusion:algorithm 0/1; also seen: \w+ 1/1$")
        verdict = self.verdict()
        self.assertEqual((verdict["exit_code"], verdict["not_again"]), (3, told))
        junit = (self.latest() / "junit.xml").read_text()
        self.assertIn('errors="1"', junit)
        self.assertIn(f'message="{told}', junit)
        again = self.latest()
        answer = self.call(PROGRAM, "replay", again, "insert_lease/none", "-q", "--out", self.out)
        self.assertEqual(answer.returncode, 0, "clean before, and clean now: " + self.shown)
        self.assertEqual(self.call(PROGRAM, "report", again).returncode, 3, self.shown)
        self.assertIn(told, (again / "report.html").read_text())

    def test_many_only_patterns_are_stored_in_a_file(self):
        """Eleven of them, of one cell: the command that runs it again names a file."""
        many = [word for _ in range(11) for word in ("--only", "insert_lease/none")]
        scenario = self.scenario("none", quick(locks=["insert_lease", "get_lock"], duration_ms=500))
        self.run_suite(scenario, "-q", *many)
        folder = self.latest()
        command = shlex.split(self.verdict()["command"])
        self.assertEqual(command.count("--only"), 1, command)
        kept = command[command.index("--only") + 1]
        self.assertEqual(kept, f"@{folder.relative_to(self.folder)}/only.txt")
        self.assertEqual((folder / "only.txt").read_text(), "insert_lease/none\n" * 11)
        self.call(PROGRAM, *command[1:], "-q", "--jobs", "1")
        self.assertNotEqual(self.latest(), folder, self.shown)
        self.assertEqual(list(self.outcomes()), ["insert_lease/none"])
        self.run_suite(scenario, "-q", *many[:20])
        self.assertEqual(self.verdict()["command"].count("--only insert_lease/none"), 10)

    def test_mistakes_are_named(self):
        scenario = self.scenario("none", quick())
        for arguments, told in (
            ((scenario, "--seeds", "5..1"), "smaller"), ((scenario, "--seeds", "1,,2"), "not a number"),
            ((scenario, "--seeds", "1,1"), "duplicate"), ((scenario, "--seeds", "-1..2"), "not a number"),
            ((scenario, "--seeds", "0..99999999"), "more than"), ((scenario, "--time-budget", "10"), "not a time"),
            ((scenario, "--time-budget", "0s"), "not a time"), ((scenario, "--resume", "x"), "cannot be combined"),
            (("--resume", self.folder), "is not a run's folder"), ((), "no suite given"),
        ):  # fmt: skip
            self.assertEqual(self.call(PROGRAM, "run", *arguments).returncode, 2, self.shown)
            self.assertIn(told, self.shown)


if __name__ == "__main__":
    unittest.main()
