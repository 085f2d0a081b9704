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

    def test_the_page_shows_them(self):
        self.assertEqual(table.PAGE.read_text(), table.page(), "remedy: libraries/measure/table.py --write")

    def test_they_have_locks_and_scenarios_that_there_are(self):
        scenarios = {path.stem for path in (SOURCE / "libraries/scenarios").glob("*.json")}
        of = records.library_of()
        for one in self.records:
            locks = {lock for lock, library in of.items() if library == one["library"]}
            every = {f"{lock}/{scenario}" for lock in locks for scenario in scenarios}
            self.assertLessEqual({*one["cells"], *one["not_tried"]}, every, one["library"])
            self.assertFalse(set(one["cells"]) & set(one["not_tried"]), one["library"])

    def test_every_cell_has_five_trials_of_a_run_that_is_named(self):
        for one in self.records:
            for name, cell in one["cells"].items():
                self.assertEqual(cell["trials"], 5, name)
                self.assertIn(cell["run"], one["runs"], name)


class Marks(unittest.TestCase):
    def test_what_was_broken_comes_first(self):
        broken = {"trials": 2, "promised": 2}
        self.assertEqual(table.mark({"trials": 5, "judged": 4, "held": 2, "broken": broken}), "**x** 2/4")
        self.assertEqual(table.mark({"trials": 5, "judged": 2, "held": 0, "broken": broken}), "**x** 2/2")
        broken = {"trials": 5, "promised": 1}  # and what is allowed in the others
        self.assertEqual(table.mark({"trials": 5, "judged": 5, "held": 0, "broken": broken}), "**x** 1/5")
        broken = {"trials": 5, "promised": 0}
        self.assertEqual(table.mark({"trials": 5, "judged": 5, "held": 0, "broken": broken}), "(x)")

    def test_a_trial_that_told_nothing_is_no_ok(self):
        self.assertEqual(table.mark({"trials": 5, "judged": 5, "held": 5}), "ok")
        self.assertEqual(table.mark({"trials": 5, "judged": 4, "held": 4}), "ok 4/5")
        self.assertEqual(table.mark({"trials": 5, "judged": 0, "held": 0}), "?")


class Untried(unittest.TestCase):
    def setUp(self):
        self.measured = table.Measured([])

    def test_what_has_no_record_is_not_taken_for_what_a_lock_does_not_have(self):
        self.measured.not_tried = {("lock", "cancel"): "the scenario cancels waiting acquires"}
        self.assertEqual(table.untried(self.measured, "lock", "cancel"), "-")
        self.assertEqual(table.untried(self.measured, "lock", "pause"), "not yet")

    def test_another_version_than_is_pinned_is_named(self):
        name = next(iter(records.libraries()))
        pinned = records.pinned_version(name)
        self.assertEqual(table.version_of({"library": name, "version": pinned}), pinned)
        self.assertEqual(table.version_of({"library": name, "version": "0.0.1"}), f"0.0.1 (now {pinned})")


if __name__ == "__main__":
    unittest.main()
