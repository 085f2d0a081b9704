"""Every stored history is judged as its index says, and the index gives a reason for every verdict."""

import json
import os
import pathlib
import re
import unittest

import histories

PROGRAM = os.environ["HOLDFAST_JUDGE"]
SOURCE = pathlib.Path(os.environ["HOLDFAST_SOURCE"])
MOST_BYTES = 150_000


class Verdicts(unittest.TestCase):
    entries = histories.load()

    def test_each_history_gets_the_indexed_verdict(self):
        said = histories.judge(PROGRAM, self.entries)
        for entry in self.entries:
            name = histories.name_of(entry)
            with self.subTest(name):
                self.assertEqual(histories.different(entry["verdict"], said[name]), [])

    def test_each_verdict_has_a_reason(self):
        for entry in self.entries:
            with self.subTest(histories.name_of(entry)):
                for what in set(entry["verdict"]) - {"trial"}:
                    self.assertGreater(len(entry["why"].get(what, entry["why"].get("*", ""))), 15, what)
                self.assertLessEqual(set(entry["why"]) - {"*"}, set(entry["verdict"]))
                if "by_hand" not in entry:
                    self.assertLessEqual({"lock", "scenario", "seed", "command"}, set(entry))

    def test_each_mutant_changes_a_text_that_stands_once(self):
        for rules in pathlib.Path(__file__).with_name("rules").glob("*.json"):
            for mutant in json.loads(rules.read_text()):
                with self.subTest(f"{rules.name}: {mutant['rule']}"):
                    self.assertEqual((SOURCE / mutant["file"]).read_text().count(mutant["old"]), 1)

    def test_each_property_has_a_recorded_pair(self):
        """Except those of adapters, elections and queues, which the catalogue does not have."""
        recorded = [entry["verdict"] for entry in self.entries if "by_hand" not in entry]
        every = [entry["verdict"] for entry in self.entries]
        for file in (SOURCE / "checker" / "properties").glob("*.cpp"):
            of_adapters = file.stem in ("author_assertions", "fairness", "leader_view", "loss_notice", "terms")
            said = {verdict.get(file.stem, "").partition(":")[0] for verdict in (every if of_adapters else recorded)}
            self.assertLessEqual({"violated", "holds"}, said, file.stem)

    def test_scenario_schema_accepts_each_verdict(self):
        """A property names the kinds that it gives; one that it forgot could never be expected."""
        schema = json.loads((SOURCE / "docs" / "scenario.schema.json").read_text())
        patterns = schema["properties"]["expect"]["additionalProperties"]["properties"]
        kinds = 0
        for entry in self.entries:
            for what in set(entry["verdict"]) & set(patterns):
                self.assertRegex(entry["verdict"][what], patterns[what]["pattern"], entry["file"])
                kinds += ":" in entry["verdict"][what]
        self.assertGreater(kinds, 50)

    def test_files_are_listed_small_and_anonymous(self):
        files = {path.name: path for path in histories.FOLDER.glob("*.jsonl")}
        self.assertEqual(set(files), {entry["file"] for entry in self.entries})
        for name, path in files.items():
            self.assertLess(path.stat().st_size, MOST_BYTES, name)
            self.assertIsNone(re.search(r'"/|/(home|root|tmp|work|proc)/', path.read_text()), name)


if __name__ == "__main__":
    unittest.main()
