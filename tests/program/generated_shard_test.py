"""A generated suite in shards that share its first trial: merged, it is the suite of one run."""

import json
import unittest

from program import PROGRAM
from shard_test import ShardTest, shape


class GeneratedSuite(ShardTest):
    CELLS = ("--only", "*/none", "--only", "*/crowd", "--only", "*/kill_critical_section")

    def generated(self, out, *more, seed=1):
        out = self.folder / out
        answer = self.call(PROGRAM, "run", "generated", "--lock", "fenced_lease", "--seed", seed, "--out", out, "-q",
                           *more)  # fmt: skip
        self.assertIn(answer.returncode, (0, 1, 3), self.shown)
        return (out / "latest").resolve()

    def test_merged_shards_equal_the_whole_suite(self):
        first = self.generated("first", "--only", "*/lapses")
        given = ("--first-trial", first)
        shards = [self.generated(f"s{i}", *self.CELLS, "--shard", f"{i}/2", *given) for i in (1, 2)]
        for shard in shards:
            verdict = json.loads((shard / "verdict.json").read_text())
            self.assertEqual(verdict.get("grades", []), [], "a shard grades nothing")
            self.assertIn(len(verdict["cells"]), (1, 2))
            trial = "cells/fenced_lease/lapses/1/history.jsonl"
            self.assertEqual((shard / trial).read_text(), (first / trial).read_text())
        answer = self.merge(*shards)
        merged = self.merged()
        self.assertEqual(answer.returncode, merged["exit_code"], self.shown)
        self.assertNotIn("--first-trial", merged["command"])
        self.assertEqual([grade["lock"] for grade in merged["grades"]], ["fenced_lease"])
        whole = self.generated("whole", *self.CELLS)
        alone = json.loads((whole / "verdict.json").read_text())
        self.assertEqual([c[:2] + c[3:4] for c in shape(alone)], [c[:2] + c[3:4] for c in shape(merged)])
        for plan in whole.glob("cells/*/*/1/plan.json"):
            name = plan.relative_to(whole)
            self.assertEqual(plan.read_text(), (self.latest() / name).read_text(), name)
        self.a_missing_shard(shards)
        self.other_first_trial(shards)

    def a_missing_shard(self, shards):
        """The suite is known without the shard that counts its first trial."""
        for shard in shards:
            self.merge(shard)
            outcomes = [cell["outcome"] for cell in self.merged()["cells"]]
            self.assertEqual(len(outcomes), 3)
            self.assertIn("not_run", outcomes)

    def other_first_trial(self, shards):
        self.out = self.folder / "refused"
        other = self.generated("other", "--only", "*/lapses", seed=2)
        self.refused("is not the plan that results", PROGRAM, "run", "generated", "--lock", "fenced_lease", "--seed",
                     "1", "--shard", "1/2", "--first-trial", other, "--out", self.out)  # fmt: skip
        again = self.generated("again", "--only", "*/lapses")
        second = self.generated("s3", *self.CELLS, "--shard", "2/2", "--first-trial", again)
        self.refused_merge("its first trial is not that of", shards[0], second)


if __name__ == "__main__":
    unittest.main()
