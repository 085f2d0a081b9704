"""docs/glossary.md has each term once, in order, and has those that messages and pages lean on."""

import os
import pathlib
import re
import unittest

SOURCE = pathlib.Path(os.environ["HOLDFAST_SOURCE"])
NEEDED = ["cell", "fencing token", "holder", "lease", "not exercised", "property", "trial", "undecided", "witness"]


def terms(page):
    return [term for term in re.findall(r"^\| ([^|]+?) \| ", page, re.MULTILINE) if term != "term"]


def in_order(found):
    return found == sorted(set(found), key=str.lower)


class Glossary(unittest.TestCase):
    def test_each_term_once_and_in_order(self):
        found = terms((SOURCE / "docs/glossary.md").read_text())
        without = [re.sub(r" \(.*\)", "", term) for term in found]
        self.assertTrue(in_order(without), without)
        self.assertLessEqual(set(NEEDED), set(without))

    def test_a_term_that_stands_twice_is_seen(self):
        self.assertFalse(in_order(["lease", "lease"]))
        self.assertFalse(in_order(["lock", "lease"]))
        self.assertEqual(terms("| term | meaning |\n|---|---|\n| lease | x |\n"), ["lease"])


if __name__ == "__main__":
    unittest.main()
