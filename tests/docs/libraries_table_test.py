"""docs/libraries_table.md shows the records in libraries/measured, and those are of the libraries as they are."""

import json
import os
import pathlib
import sys
import unittest

SOURCE = pathlib.Path(os.environ["HOLDFAST_SOURCE"])
sys.path.append(str(SOURCE / "libraries/measure"))

import record as records  # noqa: E402
import table  # noqa: E402


class Records(unittest.TestCase):
    def setUp(self):
        self.records = [json.loads(path.read_text()) for path in records.RECORDS.glob("*.json")]
        self.assertTrue(self.records)

    def test_page_matches_the_records(self):
        self.assertEqual(table.PAGE.read_text(), table.page(), "remedy: libraries/measure/table.py --write")

    def test_records_name_existing_locks_and_scenarios(self):
        scenarios = {path.stem for path in (SOURCE / "libraries/scenarios").glob("*.json")}
        of = records.library_of()
        for one in self.records:
            locks = {lock for lock, library in of.items() if library == one["library"]}
            every = {f"{lock}/{scenario}" for lock in locks for scenario in scenarios}
            self.assertLessEqual({*one["cells"], *one["not_tried"]}, every, one["library"])
            self.assertFalse(set(one["cells"]) & set(one["not_tried"]), one["library"])

    def test_every_cell_has_five_trials_of_a_named_run(self):
        for one in self.records:
            for name, cell in one["cells"].items():
                self.assertEqual(cell["trials"], 5, name)
                self.assertIn(cell["run"], one["runs"], name)


class Marks(unittest.TestCase):
    def test_broken_mark_comes_first(self):
        broken = {"trials": 2, "promised": 2}
        self.assertEqual(table.mark({"trials": 5, "judged": 4, "held": 2, "broken": broken}), "**x** 2/4")
        self.assertEqual(table.mark({"trials": 5, "judged": 2, "held": 0, "broken": broken}), "**x** 2/2")
        broken = {"trials": 5, "promised": 1}  # and what is allowed in the others
        self.assertEqual(table.mark({"trials": 5, "judged": 5, "held": 0, "broken": broken}), "**x** 1/5")
        broken = {"trials": 5, "promised": 0}
        self.assertEqual(table.mark({"trials": 5, "judged": 5, "held": 0, "broken": broken}), "(x)")

    def test_inconclusive_trial_is_not_ok(self):
        self.assertEqual(table.mark({"trials": 5, "judged": 5, "held": 5}), "ok")
        self.assertEqual(table.mark({"trials": 5, "judged": 4, "held": 4}), "ok 4/5")
        self.assertEqual(table.mark({"trials": 5, "judged": 0, "held": 0}), "?")


class Untried(unittest.TestCase):
    def setUp(self):
        self.measured = table.Measured([])

    def test_missing_record_differs_from_missing_feature(self):
        self.measured.not_tried = {("lock", "cancel"): "the scenario cancels waiting acquires"}
        self.assertEqual(table.untried(self.measured, "lock", "cancel"), "-")
        self.assertEqual(table.untried(self.measured, "lock", "pause"), "not yet")

    def test_unpinned_version_is_named(self):
        name = next(iter(records.libraries()))
        pinned = records.pinned_version(name)
        self.assertEqual(table.version_of({"library": name, "version": pinned}), pinned)
        self.assertEqual(table.version_of({"library": name, "version": "0.0.1"}), f"0.0.1 (now {pinned})")


if __name__ == "__main__":
    unittest.main()
