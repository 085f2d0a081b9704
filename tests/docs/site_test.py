"""The site of the documentation: each page of docs/ has its place, links lead to pages or to copies of files, and
MkDocs builds it without a complaint. In a browser a click on a table's head sorts the table."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["HOLDFAST_SOURCE"])
sys.path[:0] = [str(SOURCE / "docs" / "site"), str(SOURCE / "tests" / "program")]

import needs  # noqa: E402
import pages  # noqa: E402

LISTED = re.compile(r"^ +- [^:]+: (\w+\.md)$", re.MULTILINE)
SORTS = """<script>addEventListener("load", () => setTimeout(() => {
  const head = document.querySelectorAll("article th")[COLUMN]; head.click(); CLICKS
  document.title = "sorted " + head.getAttribute("aria-sort") + " " +
    [...head.closest("table").tBodies[0].rows].map((row) => row.cells[COLUMN].textContent.trim()).join(",");
}, 0))</script>"""
TABLE = "<article><table><thead><tr><th>lock</th><th>cells</th></tr></thead><tbody>{}</tbody></table></article>"


class Laid(unittest.TestCase):
    def setUp(self):
        self.made = tempfile.TemporaryDirectory(prefix="holdfast-site-")
        self.addCleanup(self.made.cleanup)
        self.folder = pathlib.Path(self.made.name)

    def test_each_page_is_listed_once(self):
        site = pages.Site(SOURCE, self.folder)
        listed = LISTED.findall((SOURCE / "docs/site/mkdocs.yml").read_text())
        self.assertEqual(sorted(listed), sorted([*site.names.values(), "sample_report.md"]))

    def test_links(self):
        site = pages.Site(SOURCE, self.folder)
        page = SOURCE / "docs" / "try.md"
        for text, becomes in {
            "[a](ci.md#x)": "[a](ci.md#x)",
            "[a](../README.md)": "[a](index.md)",
            "[a `b`](../sql/resource.sql)": "[a `b`](files/sql/resource.sql.txt)",
            "![a](pictures/how_it_works.svg)": "![a](files/docs/pictures/how_it_works.svg)",
            "see [the adapters](../adapters).": "see the adapters.",
            "[a](https://example.org) [b](#here)": "[a](https://example.org) [b](#here)",
            "`[a](ci.md)`\n\n    [b](../sql)\n\n```\n[c](../sql)\n```\n": None,
        }.items():
            self.assertEqual(site.with_links(page, text), text if becomes is None else becomes)
        self.assertEqual((self.folder / "pages/files/sql/resource.sql.txt").read_text(),
                         (SOURCE / "sql/resource.sql").read_text())


class Built(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        needs.registry("PyPI")
        cls.made = tempfile.TemporaryDirectory(prefix="holdfast-site-")
        cls.addClassCleanup(cls.made.cleanup)
        cls.folder = pathlib.Path(cls.made.name)
        answer = subprocess.run([SOURCE / "setup/site.sh", cls.folder], capture_output=True, text=True)
        cls.said = answer.stdout + answer.stderr
        assert answer.returncode == 0, cls.said

    def test_pages_and_search(self):
        html = self.folder / "html"
        index = (html / "search/search_index.js").read_text()
        for page in ("index", "first_lock", "locks", "peers", "architecture"):
            self.assertIn("<article", (html / f"{page}.html").read_text())
            self.assertIn(f'"{page}.html', index)

    def test_no_findings_of_axe(self):
        html = self.folder / "html"
        page_names = ("index", "table", "pages")
        answer = subprocess.run(
            [sys.executable, "-B", SOURCE / "tests/page/axe.py", *[html / f"{name}.html" for name in page_names]],
            capture_output=True, text=True)  # fmt: skip
        if answer.returncode == needs.SKIPPED:
            self.skipTest(answer.stdout.strip())
        self.assertEqual(answer.returncode, 0, answer.stdout + answer.stderr)

    def test_dead_link_fails_the_build(self):
        page = self.folder / "pages" / "peers.md"
        page.write_text(page.read_text() + "\n[a](none.md)\n")
        mkdocs = SOURCE / "build/site_tools/bin/mkdocs"
        build = [mkdocs, "build", "--strict", "--config-file", self.folder / "mkdocs.yml"]
        answer = subprocess.run(build, capture_output=True, text=True)
        self.assertEqual(answer.returncode, 1, answer.stdout + answer.stderr)
        self.assertIn("none.md", answer.stdout + answer.stderr)


@needs.programs("chromium", "chromium")
class InABrowser(unittest.TestCase):
    def sorted_by(self, column, clicks):
        """The page's title after so many clicks on the head of a column."""
        rows = "".join(f"<tr><td>{a}</td><td>{b}</td></tr>" for a, b in
                       [("b", "9"), ("c", "1,200"), ("a", "10"), ("d", "-")])  # fmt: skip
        script = f"<script src='file://{SOURCE}/docs/site/sort_tables.js'></script>"
        asks = SORTS.replace("COLUMN", str(column)).replace("CLICKS", "head.click();" * (clicks - 1))
        with tempfile.TemporaryDirectory(prefix="holdfast-site-") as folder:
            page = pathlib.Path(folder) / "page.html"
            page.write_text("<!doctype html><meta charset=utf-8>" + script + TABLE.format(rows) + asks)
            answer = subprocess.run(
                ["chromium", "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/user",
                 "--virtual-time-budget=2000", "--dump-dom", page.as_uri()],
                capture_output=True, text=True, timeout=120)  # fmt: skip
        return re.search(r"<title>(.*?)</title>", answer.stdout).group(1)

    def test_click_sorts_a_table(self):
        self.assertEqual(self.sorted_by(0, 1), "sorted ascending a,b,c,d")
        self.assertEqual(self.sorted_by(0, 2), "sorted descending d,c,b,a")

    def test_numbers_are_compared_as_numbers(self):
        self.assertEqual(self.sorted_by(1, 1), "sorted ascending -,9,10,1,200")


if __name__ == "__main__":
    unittest.main()
