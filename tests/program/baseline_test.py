"""`run --baseline`: exit code 1 only for what is new; and repeats that end when a cell is decided."""

import json
import unittest
import xml.etree.ElementTree as xml

from program import PROGRAM, ProgramTest, quick

FLAWED = "upsert_lease+found_rows"  # it refuses no client, whatever the timing
PROPERTIES = ("lease_exclusion", "mutual_exclusion", "resource", "ownership", "progress")


class BaselineTest(ProgramTest):
    def setUp(self):
        super().setUp()
        nothing = dict.fromkeys(PROPERTIES, "not_judged")
        sound = {**nothing, "lease_exclusion": "holds"}
        self.suite = self.scenario(
            "few", quick(locks=["insert_lease", FLAWED], expect={"*": sound}, duration_ms=1000)
        )
        flawed = {"*": {**nothing, "lease_exclusion": "violated"}}
        self.caught = self.scenario(
            "caught", quick(locks=[FLAWED], expect=flawed, why={"*": "a test"}, duration_ms=1000)
        )
        self.kept = self.folder / "kept.json"

    def run_it(self, suite, *arguments):
        return self.call(PROGRAM, "run", suite, "--seed", "1", "--out", self.out, "-q", *arguments)

    def changes(self):
        return {(c["lock"], c["property"]): c["change"] for c in self.verdict()["changes"]}


class Baseline(BaselineTest):
    def test_write_baseline_follows_links_and_pipes(self):
        link = self.folder / "link.json"
        link.symlink_to(self.kept)
        self.run_it(self.suite, "--write-baseline", link)
        self.assertTrue(link.is_symlink(), self.shown)
        self.assertIn("holdfast", self.kept.read_text())

    def test_known_violations_pass_and_new_ones_fail(self):
        answer = self.run_it(self.suite, "--write-baseline", self.kept)
        self.assertEqual(answer.returncode, 1, self.shown)
        self.assertIn("baseline: kept.json", answer.stderr)
        self.the_same_again()
        self.a_flaw_that_it_did_not_have()
        self.a_cell_that_it_does_not_have()
        self.a_run_as_a_baseline()

    def the_same_again(self):
        answer = self.run_it(self.suite, "--baseline", self.kept)
        self.assertEqual(answer.returncode, 0, self.shown)
        self.assertTrue(answer.stdout.startswith("NOTHING NEW  1 of 2 cells not as expected"), self.shown)
        self.assertEqual(self.changes(), {(FLAWED, "lease_exclusion"): "still"})
        junit = xml.parse(self.latest() / "junit.xml").getroot()
        self.assertEqual((junit.get("failures"), len(junit.findall(".//skipped"))), ("0", 1))
        for name in ("report.html", "summary.md"):
            self.assertIn("Against the baseline", (self.latest() / name).read_text())
        self.assertIn("--baseline", self.verdict()["command"])
        self.assertEqual(self.call(PROGRAM, "report", self.latest()).returncode, 0, self.shown)

    def a_flaw_that_it_did_not_have(self):
        kept = json.loads(self.kept.read_text())
        for cell in kept["cells"]:
            for one in cell["properties"]:
                one["not_as_expected"] = 0
        self.kept.write_text(json.dumps(kept))
        answer = self.run_it(self.suite, "--baseline", self.kept)
        self.assertEqual(answer.returncode, 1, self.shown)
        self.assertTrue(answer.stdout.startswith("FAIL  1 of 2 cells"), self.shown)
        self.assertEqual(self.changes(), {(FLAWED, "lease_exclusion"): "new"})
        self.assertIn("<failure", (self.latest() / "junit.xml").read_text())

    def a_cell_that_it_does_not_have(self):
        kept = json.loads(self.kept.read_text())
        kept["cells"] = [cell for cell in kept["cells"] if FLAWED not in cell["cell"]]
        self.kept.write_text(json.dumps(kept))
        answer = self.run_it(self.suite, "--baseline", self.kept)
        self.assertEqual(answer.returncode, 1, self.shown)
        self.assertEqual(self.changes(), {(FLAWED, "lease_exclusion"): "new"})
        self.assertTrue(answer.stdout.startswith("FAIL  1 of 2 cells"), self.shown)
        told = f"new     {FLAWED}/few: lease_exclusion in 1 of 1 trial (this cell is not in the baseline)"
        self.assertIn(told, answer.stdout)

    def a_run_as_a_baseline(self):
        answer = self.run_it(self.suite, "--baseline", self.latest(), "--only", f"{FLAWED}/*")
        self.assertEqual(answer.returncode, 0, self.shown)
        answer = self.run_it(self.suite, "--baseline", self.out / "latest", "--only", f"{FLAWED}/*")
        self.assertEqual(answer.returncode, 0, "the link will be this run before it is compared: " + self.shown)
        self.assertTrue((self.latest() / "junit.xml").is_file(), self.shown)
        answer = self.run_it(self.caught, "--baseline", self.latest())
        self.assertEqual(answer.returncode, 2, self.shown)
        self.assertIn("it has none of these cells", answer.stderr)

    def test_mistakes_are_named(self):
        run = [PROGRAM, "run", self.suite, "--out", self.out]
        self.refused("none.json", *run, "--baseline", self.folder / "none.json")
        self.refused("expected a file written by --write-baseline or a run", *run, "--baseline", self.suite)
        self.refused("there is no folder", *run, "--write-baseline", self.folder / "none/kept.json")
        self.refused("need each other", *run, "--confidence", "99%")
        self.refused("not a share", *run, "--confidence", "99%", "--rate", "0")
        self.refused("the maximum number of trials is missing", *run, "--until-caught")
        self.refused("--confidence", *run, "--confidence", "99%", "--rate", "5%", "--repeat", "3")
        self.refused("runs every seed", *run, "--confidence", "99%", "--rate", "5%", "--seeds", "1..3")


class Repeats(BaselineTest):
    def test_a_cell_is_repeated_until_it_is_decided(self):
        answer = self.run_it(self.caught, "--repeat", "40", "--until-caught", "--jobs", "1")
        self.assertEqual(answer.returncode, 0, self.shown)
        cell = self.verdict()["cells"][0]
        self.assertEqual((cell["outcome"], cell["until_decided"]), ("caught", True))
        self.assertLess(len(cell["trials"]), 40)
        self.assertEqual(cell["planned"], len(cell["trials"]))
        self.assertIn("repeated until one of its trials was violated: 1 of 1 were", answer.stdout)
        self.assertIn("--repeat 40 --until-caught", self.verdict()["command"])

    def test_confidence_sets_the_number_of_clean_trials(self):
        """75 % and 50 %: two clean trials."""
        answer = self.run_it(self.suite, "--confidence", "75%", "--rate", "50%", "--jobs", "2")
        self.assertEqual(answer.returncode, 1, self.shown)
        sound, flawed = self.verdict()["cells"]
        self.assertEqual((sound["planned"], len(sound["trials"]), sound["trials_as_expected"]), (2, 2, 2), self.shown)
        self.assertEqual(flawed["outcome"], "unexpected")
        self.assertIn("1 had 2 clean trials: a flaw that shows in 50% of the trials or more", self.verdict()["rule"])
        self.assertIn("--confidence 75% --rate 50%", self.verdict()["command"])
        self.assertIn("clean trials", " ".join(answer.stdout.split()))


if __name__ == "__main__":
    unittest.main()
