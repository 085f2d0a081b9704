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
    def test_terms_are_unique_and_sorted(self):
        found = terms((SOURCE / "docs/glossary.md").read_text())
        without = [re.sub(r" \(.*\)", "", term) for term in found]
        self.assertTrue(in_order(without), without)
        self.assertLessEqual(set(NEEDED), set(without))

    def test_duplicate_term_is_found(self):
        self.assertFalse(in_order(["lease", "lease"]))
        self.assertFalse(in_order(["lock", "lease"]))
        self.assertEqual(terms("| term | meaning |\n|---|---|\n| lease | x |\n"), ["lease"])


if __name__ == "__main__":
    unittest.main()
