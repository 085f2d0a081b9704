"""The page of the locks is what the program prints, and leaves no lock and no flaw out that a scenario expects."""

import json
import re
import unittest

from program import PROGRAM, SOURCE, ProgramTest, quick


def sections(page):
    """{lock: text}"""
    parts = re.split(r"^## (\S+)$", page, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2]))


class Locks(ProgramTest):
    def page(self, scenarios=SOURCE / "scenarios"):
        answer = self.call(PROGRAM, "locks", "--scenarios", scenarios)
        self.assertEqual(answer.returncode, 0, self.shown)
        return answer.stdout

    def test_page_matches_the_program(self):
        stored = (SOURCE / "docs" / "locks.md").read_text()
        self.assertTrue(stored == self.page(), "run: holdfast locks > docs/locks.md")

    def test_every_lock_has_all_sections(self):
        found = sections(self.page())
        listed = json.loads(self.call(PROGRAM, "list", "--json").stdout)["locks"]
        drivers = {lock["name"]: lock["driver"] for lock in listed}
        self.assertEqual(sorted(found), sorted(drivers))
        self.assertIn("adapter", drivers.values())
        for name, text in found.items():
            with self.subTest(lock=name):
                self.assertRegex(text, r"Flaws:\n\n- \S")
                self.assertRegex(text, r"Worst case: \S.*\n\n\| \| client A \| client B \|")
                steps = re.findall(r"^\| \d+ \| (.*) \| (.*) \|$", text, flags=re.MULTILINE)
                self.assertGreater(len(steps), 2)
                self.assertTrue(all(a or b for a, b in steps), "a step in which nobody does anything")
                self.assertRegex(text, r"Use instead: \S")
                if drivers[name] == "adapter":
                    self.assertIn(f"Adapter in [adapters/{name}](../adapters/{name}); needs: ", text)
                    continue
                kind = r"(sql|redis|etcd|postgres|zookeeper|s3)"
                self.assertRegex(text, rf"Statements, in \[{kind}/\w+\.{kind}\]\(.*\):\n")
                self.assertRegex(text, r"\n\n```(sql|sh)\n(--|#) \w+: (document|ours)")

    def test_every_word_of_a_cell_is_defined_on_the_page(self):
        page = self.page()
        defined = dict(re.findall(r"^- `(\w+)`: (.*)$", page.split("## The locks")[0], flags=re.MULTILINE))
        self.assertTrue(all(defined.values()), defined)
        said = re.findall(r"`violated(?::([\w,]+))?` ([\w, ]+)", page.split("## The locks")[1])
        kinds = {kind for kinds, _ in said for kind in kinds.split(",") if kind}
        properties = {name for _, names in said for name in names.replace(" ", "").split(",") if name}
        self.assertGreater(len(kinds), 8)
        self.assertEqual(kinds - set(defined), set())
        self.assertEqual(properties - set(defined), set())

    def test_statement_table_has_each_statement_once(self):
        rows = self.page().split("## Statement by statement")[1]
        listed = re.findall(r"^\| ([^|]+) \| `(\w+)` \| `(\w+)` \| ([^|]+) \|$", rows, flags=re.MULTILINE)
        self.assertEqual(len(listed), len({row[1:3] for row in listed}))
        kinds = ("sql", "redis", "etcd", "postgres", "zookeeper", "s3")
        files = [path for kind in kinds for path in SOURCE.glob(f"{kind}/*.{kind}")]
        locks = {path.stem: path.read_text() for path in files if path.stem != "resource"}
        names = re.compile(r"^(?:--|#) name: (\w+)", re.MULTILINE)
        there = {(lock, name) for lock, text in locks.items() for name in names.findall(text)}
        self.assertEqual({row[1:3] for row in listed}, there)
        self.assertTrue(any(row[3].strip() == "the same" for row in listed))
        self.assertTrue(any(row[0] == "ours" for row in listed))

    def test_expected_violations_are_on_the_page(self):
        expect = {"ip_lease": {"resource": "violated:algorithm", "progress": "holds"}}
        why = {"ip_lease": "a reason | with a bar"}
        content = quick(locks=["ip_lease", "insert_lease"], expect=expect, why=why)
        self.scenario("gap", content)
        suite = self.folder / "all" / "mine"
        suite.parent.mkdir()
        (self.folder / "scenarios").rename(suite)
        found = sections(self.page(suite.parent))
        row = "| mine | `ip_lease/gap` | `violated:algorithm` resource | a reason \\| with a bar |"
        self.assertIn(row, found["ip_lease"])
        self.assertIn("No cell of the scenarios expects a violation.", found["insert_lease"])

    def test_locks_in_other_languages_have_their_cells(self):
        found = sections(self.page())
        row = r"\| adapters/scenarios \| `redis_py/pause` \| `violated:overrun` mutual_exclusion, resource \| \S"
        self.assertRegex(found["redis_py"], row)
        self.assertNotIn("adapters/scenarios", found["redis_token"])

    def test_folder_without_suites_is_refused(self):
        answer = self.call(PROGRAM, "locks", "--scenarios", self.folder / "none")
        self.assertEqual(answer.returncode, 2, self.shown)
        self.assertIn("--scenarios", answer.stderr)


if __name__ == "__main__":
    unittest.main()
