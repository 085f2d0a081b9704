"""A suite in shards, merged: what one run would have said. And what is refused, or not run, where the shards are not
all there, not of one run, or not as they were."""

import json
import os
import shutil
import signal
import subprocess
import time
import unittest

from program import PROGRAM, ProgramTest, kill, processes, quick, wait_until

FLAWED = "upsert_lease+found_rows"  # it refuses no client, whatever the timing
SOUND = {"ownership": "not_exercised", "resource": "not_exercised"}
EXPECT = {
    "insert_lease": SOUND,
    "get_lock": SOUND,
    FLAWED: {
        "lease_exclusion": "violated:algorithm", "mutual_exclusion": "violated:algorithm,overrun",
        "resource": "violated:algorithm,overrun", "ownership": "not_judged",
        "progress": "not_judged",
    },
}  # fmt: skip


def shape(run):
    """The part of a verdict that does not depend on its origin: no times, no folders of controls."""
    return [(cell["lock"], cell["scenario"], cell["outcome"], cell["planned"], cell["trials_as_expected"],
             [(trial["number"], trial["seed"], trial["folder"], trial["outcome"]) for trial in cell["trials"]])
            for cell in run["cells"]]  # fmt: skip


class ShardTest(ProgramTest):
    def setUp(self):
        super().setUp()
        for name, clients in (("few", 3), ("more", 4)):
            why = {"*": "a test"}
            self.scenario(name, quick(locks=list(EXPECT), expect=EXPECT, why=why, clients=clients, duration_ms=1000))
        self.suite = self.folder / "scenarios"

    def shard(self, number, of=3, *, seed=1, out=None, more=()):
        """Runs a shard, and gives its folder."""
        out = self.folder / (out or f"shard-{number}")
        answer = self.call(PROGRAM, "run", self.suite, "--shard", f"{number}/{of}", "--seed", seed, "--out", out, "-q",
                           *more)  # fmt: skip
        self.assertIn(answer.returncode, (0, 1, 3), self.shown)
        return (out / "latest").resolve()

    def merge(self, *folders, more=()):
        return self.call(PROGRAM, "merge", *folders, "--out", self.out, *more)

    def merged(self):
        return json.loads((self.latest() / "verdict.json").read_text())

    def refused_merge(self, words, *folders):
        answer = self.merge(*folders)
        self.assertEqual(answer.returncode, 2, self.shown)
        for word in words if isinstance(words, list) else [words]:
            self.assertIn(word, answer.stderr)
        self.assertEqual(list(self.out.glob("2*")) if self.out.exists() else [], [], "nothing may be left")


class Shards(ShardTest):
    def test_merged_shards_equal_the_whole_run(self):
        shards = [self.shard(number) for number in (1, 2, 3)]
        counts = [len(json.loads((shard / "verdict.json").read_text())["cells"]) for shard in shards]
        self.assertEqual(sorted(counts), [2, 2, 2])
        self.assertIn("only shard 1/3", (shards[0] / "summary.md").read_text())
        answer = self.merge(*shards)
        merged, page = self.merged(), self.latest()
        self.assertEqual(answer.returncode, merged["exit_code"], self.shown)
        self.assertNotIn("shard", merged["sentence"])
        self.assertNotIn("--shard", merged["command"])
        self.judge_junit(page, merged)
        whole = self.folder / "whole"
        self.call(PROGRAM, "run", self.suite, "--seed", "1", "--out", whole, "-q")
        alone = json.loads((whole / "latest/verdict.json").read_text())
        self.compare(alone, merged, whole / "latest", page)
        environment = json.loads((page / "environment.json").read_text())
        self.assertIn("processors", environment["shard 2 of 3"])
        self.assertIn("shard 2 of 3", (page / "report.html").read_text())
        self.same_again(merged)

    def judge_junit(self, page, merged):
        junit = (page / "junit.xml").read_text()
        self.assertEqual(junit.count("<testcase"), len(merged["cells"]))

    def compare(self, alone, merged, whole, page):
        self.assertEqual([c[:2] + c[3:4] for c in shape(alone)], [c[:2] + c[3:4] for c in shape(merged)])
        for key in ("suite", "server", "seed", "seeds", "locks", "scenarios", "version", "stopped"):
            self.assertEqual(alone[key], merged[key], key)
        plans = sorted(path.relative_to(whole) for path in whole.glob("cells/*/*/*/plan.json"))
        self.assertEqual(len(plans), 6)
        for plan in plans:
            self.assertEqual((whole / plan).read_text(), (page / plan).read_text(), plan)
        for one, other in zip(alone["cells"], merged["cells"], strict=True):
            unsure = {"undecided", "nothing_judged"}  # a full machine may keep the moment from coming
            if one["outcome"] not in unsure and other["outcome"] not in unsure:
                self.assertEqual(one["outcome"], other["outcome"], (one["lock"], one["scenario"]))

    def same_again(self, merged):
        """A report of the merged folder says the same, and nothing is missing that could be run."""
        answer = self.call(PROGRAM, "report", self.latest())
        self.assertEqual(answer.returncode, merged["exit_code"], self.shown)
        self.assertEqual(self.call(PROGRAM, "run", "--resume", self.latest()).returncode, 2)
        self.assertIn("is already complete", self.shown)

    def test_damaged_shard_has_a_remedy(self):
        run = self.shard(1, 1, more=["--only", "get_lock/few"])
        searched = self.folder / "searched"
        self.call(PROGRAM, "explore", "ip_lease", "--shard", "1/1", "--budget", "1s", "--out", searched)
        trial = "cells/get_lock/few/1"
        names = ("run.json", "verdict.json", "environment.json", f"{trial}/result.json", f"{trial}/plan.json",
                 f"{trial}/verdict.json", f"{trial}/history.jsonl", f"{trial}/facts.json")  # fmt: skip
        damaged = [(run, name) for name in names]
        damaged += [((searched / "latest").resolve(), name) for name in ("shard.json", "seal.json", "explored.json")]
        for folder, name in damaged:
            file = folder / name
            whole = file.read_text()
            damages = [whole[: len(whole) // 2], '{"', whole.replace(": ", ": 1", 1), "{}", "[]"]
            if name == "shard.json":
                damages.append(whole.replace('"explore"', '"exclude"', 1))
            if name == "seal.json":
                damages.append(whole.replace('"explored.json"', '""', 1))
            if name == "environment.json":  # only shown, so keys may be missing
                damages = damages[:2]
            for damage in damages:
                if damage == whole:
                    continue
                with self.subTest(file=name, damage=damage[:20]):
                    file.write_text(damage)
                    answer = self.merge(folder)
                    self.assertEqual(answer.returncode, 2, self.shown)
                    self.assertIn(str(file), answer.stderr)
                    self.assertIn("; remedy: ", answer.stderr)
                    self.assertFalse(self.out.exists(), "nothing may be left")
            file.write_text(whole)
            self.assertNotEqual(self.merge(folder).returncode, 2, self.shown)
            shutil.rmtree(self.out)

    def test_shards_of_different_commands_are_refused(self):
        run = self.shard(1, 1, more=["--only", "get_lock/few"])
        searched = self.folder / "searched"
        self.call(PROGRAM, "explore", "ip_lease", "--shard", "1/1", "--budget", "1s", "--out", searched)
        answer = self.merge(run, (searched / "latest").resolve())
        self.assertEqual(answer.returncode, 2, self.shown)
        self.assertIn(f"is a shard of explore, and {run} one of run; remedy: ", answer.stderr)

    def test_cells_of_a_missing_shard_are_not_run(self):
        shards = [self.shard(number) for number in (1, 3)]
        answer = self.merge(*shards)
        self.assertIn(answer.returncode, (1, 3), self.shown)
        self.assertIn("shard 2 of 3 is missing", answer.stdout + answer.stderr)
        merged = self.merged()
        self.assertEqual([cell["outcome"] for cell in merged["cells"]].count("not_run"), 2)
        self.assertEqual(merged["stopped"], "shard 2 of 3 is missing")
        self.assertEqual((self.latest() / "junit.xml").read_text().count('type="not_run"'), 2)
        self.refuse_what_does_not_belong(shards)
        answer = self.call(PROGRAM, "run", "--resume", self.latest(), "-q")
        self.assertEqual([c["outcome"] for c in self.merged()["cells"]].count("not_run"), 0, self.shown)

    def refuse_what_does_not_belong(self, shards):
        first, third = shards
        kept, self.out = self.out, self.folder / "refused"
        again = self.folder / "copy"
        shutil.copytree(first, again)
        self.refused_merge(["shard 1 of 3 exists twice", "copy"], first, again, third)
        self.refused_merge("given twice", first, first)
        self.other_orders(first, third)
        self.damaged(first, third)
        self.out = kept

    def changed(self, folder, change):
        """A copy of a shard's folder whose run.json says something else."""
        copy = self.folder / "changed"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(folder, copy)
        order = json.loads((copy / "run.json").read_text())
        change(order)
        (copy / "run.json").write_text(json.dumps(order))
        return copy

    def other_orders(self, first, third):
        def clients(order):
            order["scenarios"][0]["source"]["clients"] = 5

        def dealing(order):
            parts = order["shard"]["dealing"]["parts"]
            parts[0]["shard"], parts[1]["shard"] = parts[1]["shard"], parts[0]["shard"]

        for change, words in (
            (lambda order: order.update(seed="2"), "--seed is 1 in that shard, but 2 in this one"),
            (lambda order: order.update(repeat=2), "--repeat is 1 in that shard, but 2 in this one"),
            (lambda order: order.update(version="0.0.1"), "was started by holdfast 0.0.1"),
            (lambda order: order["shard"]["dealing"].update(of=4), "the number of shards is 3 in that shard"),
            (lambda order: order.pop("shard"), "is not a shard's folder"),
            (clients, "its scenarios differ: scenarios/few was changed"),
            (dealing, "divided differently"),
        ):
            self.refused_merge(words, first, self.changed(third, change))

    def damaged(self, first, third):
        """Evidence of a result is unchanged, and belongs to the plan that the seed gives."""
        copy = self.changed(third, lambda order: None)
        trial = next(copy.glob("cells/*/*/1"))
        for name, words in (
            ("history.jsonl", "changed after the trial ended"),
            ("plan.json", "is not the plan that results from the scenario and the seed"),
            ("verdict.json", "changed after the trial ended"),
        ):
            kept = (trial / name).read_text()
            (trial / name).write_text(kept.replace('"seed": "', '"seed": "9') if name == "plan.json" else kept + "\n")
            self.refused_merge([f"{trial}/{name}", words], first, copy)
            (trial / name).write_text(kept)
        (trial / "history.jsonl").unlink()
        self.refused_merge("is gone", first, copy)
        copy = self.changed(third, lambda order: None)
        trial = next(copy.glob("cells/*/*/1"))
        (trial / "link").symlink_to("/etc/passwd")
        self.refused_merge("is a link", first, copy)
        (trial / "link").unlink()
        for result in copy.glob("cells/*/*/1/result.json"):
            text = result.read_text()
            said = json.loads(text)["server"]
            result.write_text(text.replace(said, said + "0"))
        self.refused_merge(["its trials ran on", "with the same version"], first, copy)

    def test_equal_server_versions_are_listed_once(self):
        shutil.rmtree(self.suite)
        for name, lock, more in (("one", "redis_token", {}), ("five", "redis_quorum", {"topology": "quorum"})):
            sound = {lock: {**SOUND, "progress": "not_exercised"}}
            self.scenario(name, quick(locks=[lock], expect=sound, why={"*": "a test"}, duration_ms=500, **more))
        shards = [self.shard(number, 2) for number in (1, 2)]
        self.merge(*shards)
        self.assertEqual([cell["planned"] for cell in self.merged()["cells"]], [1, 1], self.shown)
        self.assertNotIn("not_run", [cell["outcome"] for cell in self.merged()["cells"]])
        self.assertEqual(self.merged()["server"].count("Redis "), 2, "one, and five")

    def test_invalid_shard_file_is_refused_with_its_line(self):
        """Errors are those of the flags; they name the file, not only a flag that was not given."""
        folder = self.shard(1)
        file, order = folder / "run.json", json.loads((folder / "run.json").read_text())
        stop = {"until_caught": False, "confidence": "99%", "rate": ""}
        for key, value, words in (("seeds", "1,1", "duplicate 1"), ("seeds", "x", "is not a number"),
                                  ("stop", stop, "--confidence and --rate need each other")):  # fmt: skip
            with self.subTest(key=key, value=value):
                file.write_text(json.dumps({**order, key: value}, indent=1))
                for command in (["merge", folder, "--out", self.out], ["run", "--resume", folder]):
                    answer = self.call(PROGRAM, *command)
                    self.assertEqual(answer.returncode, 2, self.shown)
                    self.assertRegex(answer.stderr, rf"^holdfast: {file}:\d+: {key}: .*{words}.*; remedy: [^\n]*\n$")

    def test_unmergeable_shard_is_refused_at_once(self):
        run = [PROGRAM, "run", self.suite, "--out", self.out]
        for words, arguments in (
            ("each shard would draw its own seed", ["--shard", "1/3"]),
            ("shards are numbered from 1 to 3", ["--shard", "4/3", "--seed", "1"]),
            ("more shards than cells (6)", ["--shard", "1/7", "--seed", "1"]),
            ("not a job of an array", ["--shard", "auto", "--seed", "1"]),
            ("--durations: needs --shard", ["--durations", "x"]),
            ("a shard has only part", ["--shard", "1/3", "--seed", "1", "--write-baseline", self.folder / "x"]),
        ):
            self.refused(words, *run, *arguments)
        generated = [PROGRAM, "run", "generated", "--lock", "get_lock", "--shard", "1/2", "--seed", "1"]
        self.refused("add --first-trial RUN to each shard", *generated, "--out", self.out)
        self.refused("has no judged first trial", *generated, "--first-trial", self.folder, "--out", self.out)
        self.refused("applies only to generated suites", *run, "--shard", "1/3", "--seed", "1", "--first-trial", "x")
        self.refused("--first-trial: needs --shard", *run, "--first-trial", "x")
        self.refused("no such folder", PROGRAM, "merge", self.folder / "none", "--out", self.out)
        self.refused("neither a shard's folder", PROGRAM, "merge", self.suite, "--out", self.out)


class Killed(ShardTest):
    def test_interrupted_array_and_killed_merge_resume(self):
        """A shard that was killed goes on; before that its cells are not run. A killed merge leaves no result."""
        environment = {**os.environ, "SLURM_ARRAY_TASK_ID": "1", "SLURM_ARRAY_TASK_COUNT": "2",
                       "SLURM_ARRAY_TASK_MIN": "0", "SLURM_ARRAY_TASK_MAX": "1"}  # fmt: skip
        first, second = self.shard(1, of=2), self.folder / "second"
        run = subprocess.Popen(
            [PROGRAM, "run", str(self.suite), "--shard", "auto", "--seed", "1", "--out", str(second), "--jobs", "1"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment, cwd=self.folder,
        )  # fmt: skip
        self.addCleanup(run.kill)
        self.assertTrue(wait_until(lambda: list(second.glob("latest/cells/*/*/1/result.json"))))
        self.refused_while_at_work(run, first, second)
        run.send_signal(signal.SIGKILL)
        run.wait()
        self.assertTrue(wait_until(lambda: not processes(str(second)), 5))
        answer = self.merge(first, second)
        self.assertIn(answer.returncode, (1, 3), self.shown)
        self.assertIn("shard 2 of 2: did not finish", answer.stdout)
        self.assertIn("not_run", [cell["outcome"] for cell in self.merged()["cells"]])
        answer = self.call(PROGRAM, "run", "--resume", second / "latest", "-q")
        self.assertIn("--shard 2/2", answer.stdout)
        self.killed_merges(first, (second / "latest").resolve())

    def refused_while_at_work(self, run, first, second):
        if run.poll() is None:
            self.refused_merge("another process is running it", first, second)

    def killed_merges(self, *shards):
        """Kills at many moments. The rest has no verdict.json, or a complete one."""
        left = []
        for step in range(16):
            self.out = self.folder / f"merged-{step}"
            merge = subprocess.Popen([PROGRAM, "merge", *map(str, shards), "--out", str(self.out)],
                                     stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
            wait_until(lambda: list(self.out.glob("2*")) or merge.poll() is not None)
            time.sleep(0.01 * step)
            kill(merge.pid)
            merge.wait()
            left += [self.judge_left(folder) for folder in self.out.glob("2*")]
        self.assertIn(0, left, "no merge was cut off")
        self.out = self.folder / "last"
        self.merge(*shards)
        self.assertEqual(len(self.merged()["cells"]), 6, "shards are as they were")

    def judge_left(self, folder):
        if (folder / "verdict.json").exists():
            run = json.loads((folder / "verdict.json").read_text())
            self.assertEqual(len(run["cells"]), 6)
            return 1
        self.assertEqual(self.call(PROGRAM, "report", folder).returncode, 2, self.shown)
        if (folder / "run.json").exists():  # then all trials are there
            self.assertEqual(len(list(folder.glob("cells/*/*/1/result.json"))), 6)
        return 0


class Others(ShardTest):
    def test_explore_of_several_locks_is_sharded(self):
        search = [PROGRAM, "explore", "insert_lease", "get_lock", FLAWED, "--seed", "1", "--budget", "20s",
                  "--preemptions", "1", "--faults", "0", "--time-jumps", "0", "-q"]  # fmt: skip
        shards = []
        for number in (1, 2):
            self.call(*search, "--shard", f"{number}/2", "--out", self.folder / f"search-{number}")
            shards.append((self.folder / f"search-{number}/latest").resolve())
        answer = self.merge(*shards)
        whole = self.call(*search, "--out", self.folder / "whole")
        self.assertEqual(answer.returncode, whole.returncode, self.shown)
        merged, alone = self.merged(), json.loads((self.folder / "whole/latest/verdict.json").read_text())
        self.assertEqual([(c["lock"], c["outcome"]) for c in merged["cells"]],
                         [(c["lock"], c["outcome"]) for c in alone["cells"]])  # fmt: skip
        self.assertEqual(merged["within"], alone["within"])
        self.assertNotIn("--shard", merged["command"])
        self.incomplete_searches(shards)

    def incomplete_searches(self, shards):
        self.out = self.folder / "part"
        answer = self.merge(shards[1])
        self.assertIn("shard 1 of 2 is missing", answer.stderr)
        self.assertEqual([c["outcome"] for c in self.merged()["cells"]].count("not_run"), 2)
        self.assertIn(answer.returncode, (1, 3), self.shown)
        self.out = self.folder / "refused"
        found = shards[0] / "explored.json"
        kept = found.read_text()
        found.write_text(kept.replace('"violated"', '"holds"') + " ")
        self.refused_merge("explored.json: changed after the shard ended", *shards)
        found.write_text(kept)
        (shards[0] / "seal.json").rename(self.folder / "seal.json")
        self.refused_merge("shard 1 of 2 did not finish", *shards)

    def test_compare_is_sharded(self):
        compare = [PROGRAM, "compare", "insert_lease", "redis_token", "--scenario", self.suite, "--seed", "1", "-q"]
        shards = []
        for number in (1, 2):
            self.call(*compare, "--shard", f"{number}/2", "--out", self.folder / f"compare-{number}")
            self.assertIn("COMPARED", self.shown)
            shards.append((self.folder / f"compare-{number}/latest").resolve())
        self.assertEqual(self.merge(*shards).returncode, 0, self.shown)
        all_of_it = json.loads((self.latest() / "compare.json").read_text())
        self.assertEqual(all_of_it["scenarios"], ["scenarios/few", "scenarios/more"])
        self.assertEqual([(c["variant"], c["scenario"]) for c in all_of_it["cells"]],
                         [(v, s) for s in all_of_it["scenarios"] for v in ("insert_lease", "redis_token")])  # fmt: skip
        self.assertRegex(all_of_it["server"], "^MariaDB [0-9.]+, Redis [0-9.]+$")
        for cell in all_of_it["cells"]:
            self.assertTrue((self.latest() / cell["trials"][0]["folder"] / "history.jsonl").exists())
        self.out = self.folder / "refused"
        self.refused_merge(["shard 2 of 2 is missing", "--shard 2/2"], shards[0])
        history = next(shards[0].glob("V1/cells/*/*/*/*/history.jsonl"))
        history.write_text(history.read_text() + "\n")
        self.refused_merge("history.jsonl: changed after the shard ended", *shards)


if __name__ == "__main__":
    unittest.main()
