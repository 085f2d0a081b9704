"""explore reports more than the cheapest find: its bounds, and other causes of a violation."""

import json
import unittest
import xml.etree.ElementTree as ElementTree

import jsonschema
from explorer import SMALL, ExploreTest
from program import PROGRAM, SOURCE

WITHIN = ("2 clients, 2 rounds of 2 attempts, at most 1 preemption, 1 time jump and 0 faults; "
          "lease 2000 ms, start 400 ms after a whole second")  # fmt: skip


class Bounds(ExploreTest):
    def everywhere(self, says):
        latest = self.out / "latest"
        verdict = json.loads((latest / "verdict.json").read_text())
        self.assertIn(says, verdict["within"])
        self.assertIn(says, verdict["sentence"])
        junit = ElementTree.parse(latest / "junit.xml").getroot()
        cases = junit.findall("testsuite/testcase")
        for case, cell in zip(cases, verdict["cells"], strict=True):
            self.assertIn(says, cell["why"])
            self.assertIn("Not explored: ", cell["why"])
            self.assertIn(says, "".join(case.itertext()), "in the body of each case, passed or not")
            for one in cell["trials"][0]["verdict"]["properties"]:
                if one["judgement"] == "holds":
                    self.assertIn(says, one["reason"], one["property"])
        self.assertIn(says, junit.find("testsuite/properties/property[@name='verdict']").get("value"))
        self.assertGreaterEqual((latest / "summary.md").read_text().count(says), 1 + len(cases))
        self.assertGreaterEqual((latest / "report.html").read_text().count(says), 1 + len(cases))
        return verdict

    def test_every_holds_names_its_bounds(self):
        out = self.explore("fenced_lease", *SMALL, code=0)
        self.assertIn("fenced_lease: holds within its bounds\ncomplete: ", out)
        self.assertIn(f"\nwithin: {WITHIN}\n", out)
        self.assertIn("\nnot explored: anything beyond the bounds, such as one more fault; other leases (--lease)", out)
        verdict = self.everywhere(WITHIN)
        says = "PASS  1 lock searched to the bounds, none violated within 2 cl"
        self.assertTrue(verdict["sentence"].startswith(says), verdict["sentence"])

    def test_a_table_has_the_bounds_of_each_row(self):
        bounds = ("--preemptions", "0", "--time-jumps", "1", "--faults", "0", "--lease", "1900", "--shared-address")
        out = self.explore("get_lock", "fenced_lease", "upsert_lease", *bounds, "--budget", "60s", code=1)
        rows = {line.split()[0]: line for line in out.splitlines() if "complete [" in line}
        within = "[%d] within 2 clients, 2 rounds of 2 attempts, at most 0 preemptions, 1 time jump and 0 faults; %s"
        end = ", start 400 ms after a whole second, one address for all\n"
        self.assertIn("complete [1]", rows["get_lock"])
        self.assertIn(within % (1, "no lease") + end, out)
        self.assertIn("complete [2]", rows["fenced_lease"])
        self.assertIn(within % (2, "lease 1900 ms") + end, out)
        self.assertIn("complete [3]", rows["upsert_lease"])
        rounded = "lease 2000 ms (rounded to whole seconds for its interface from 1900)"
        self.assertIn(within % (3, rounded) + end, out)
        self.assertIn("not explored:\n  anything beyond the bounds", out)
        self.assertNotIn("clients with one address", out, "they had one")
        self.everywhere("at most 0 preemptions, 1 time jump and 0 faults")

    def test_single_client_is_undecided(self):
        result = self.explored("fenced_lease", *SMALL, "--clients", "1", code=3)
        self.assertEqual((result["verdict"], result["complete"], result["violations"]), ("undecided", True, []))
        self.assertIn("two clients at once: there is only one client", result["not_explored"])
        verdict = json.loads((self.out / "latest/verdict.json").read_text())
        properties = verdict["cells"][0]["trials"][0]["verdict"]["properties"]
        judged = {one["property"]: one["judgement"] for one in properties}
        self.assertEqual(judged["lease_exclusion"], "not_exercised")
        self.assertTrue(verdict["sentence"].startswith("UNDECIDED  "), verdict["sentence"])


class Causes(ExploreTest):
    bounds = ("--preemptions", "1", "--time-jumps", "1", "--faults", "1", "--rounds", "1", "--budget", "120s")

    def test_cheaper_find_does_not_hide_other_causes(self):
        result = self.explored("upsert_lease", *self.bounds, code=1)
        stories = [one for one in result["violations"] if one["invariant"] == "foreign_release"]
        causes = [one["cause"] for one in stories]
        self.assertEqual(causes[0], "between acquire and release of one client, acquire of another; time passed")
        self.assertEqual(len(causes), len(set(causes)))
        schema = json.loads(self.call(PROGRAM, "schema", "explore").stdout)
        jsonschema.Draft7Validator(schema).validate(result)
        late = [one for one in stories if one["cause"].endswith("late arrival of one's release")]
        self.assertEqual(len(late), 1, causes)
        self.assertEqual([one["number"] for one in stories], list(range(1, len(stories) + 1)))
        out = self.explore("upsert_lease", *self.bounds, code=1)
        self.assertIn(f"foreign_release, another find: A released B's lock\n  cause: {late[0]['cause']}\n", out)
        # Its replay file is beside the others, and has that cause.
        replay = self.out / f"latest/upsert_lease.foreign_release.{late[0]['number']}.replay"
        self.assertIn("late arrival of one's release\n", replay.read_text())
        done = self.call(PROGRAM, "replay", replay, "--out", self.out)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn(f"cause: {late[0]['cause']}\n", done.stdout)

    def test_except_skips_a_known_cause(self):
        bounds = (*SMALL, "--rounds", "1")
        known = self.explored("upsert_lease", *bounds, code=1)
        given = []
        for one in known["violations"]:
            if one["severe"]:
                given += ["--except", one["replay"]]
        result = self.explored("upsert_lease", *bounds, *given, code=0)
        self.assertEqual(result["verdict"], "known")
        self.assertEqual([one for one in result["violations"] if one["severe"]], [])
        self.assertTrue(all(one["seen"] for one in result["passed_over"]), result["passed_over"])
        verdict = json.loads((self.out / "latest/verdict.json").read_text())
        self.assertEqual(verdict["cells"][0]["outcome"], "caught")
        self.assertIn("1 violated only in known ways", verdict["sentence"])
        out = self.explore("upsert_lease", *bounds, *given, code=0)
        self.assertIn("upsert_lease: violated only as already known, within its bounds\n", out)
        self.assertIn("skipped: ", out)
        # With one fault there is more, and what is known does not hide it; longer words of the same cause are enough.
        replay = self.folder / "mine.replay"
        replay.write_text("lock upsert_lease\nclients 3\nschedule A +1s +1.6s C A\n")
        result = self.explored("upsert_lease", *self.bounds, "--except", replay, code=1)
        causes = [one["cause"] for one in result["violations"] if one["invariant"] == "foreign_release"]
        self.assertEqual(result["passed_over"][0]["name"], str(replay))
        self.assertTrue(result["passed_over"][0]["seen"])
        self.assertNotIn(result["passed_over"][0]["cause"], causes)
        self.assertGreater(len(causes), 0)

    def test_invalid_except_is_refused(self):
        harmless = self.folder / "harmless.replay"
        harmless.write_text("lock upsert_lease\nschedule A A B B\n")
        other = SOURCE / "docs/schedules/third_starter.replay"
        for given, says in [(harmless, "it does not violate any invariant of upsert_lease"),
                            (other, "is a find of leader_version_cas_unique_owner, which this command"),
                            ("A B X?", "neither a file nor a schedule")]:  # fmt: skip
            done = self.call(PROGRAM, "explore", "upsert_lease", *SMALL, "--except", given, "--out", self.out)
            self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
            self.assertIn(says, done.stderr)
        done = self.call(PROGRAM, "explore", "--all", *SMALL, "--except", "A B", "--out", self.out)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertIn("the schedule names no lock", done.stderr)


if __name__ == "__main__":
    unittest.main()
