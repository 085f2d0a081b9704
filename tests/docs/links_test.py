"""Every link of a page to a file of the tree, or to a heading, leads somewhere."""

import os
import pathlib
import re
import unittest

SOURCE = pathlib.Path(os.environ["HOLDFAST_SOURCE"])
LINK = re.compile(r"\]\(([^()\s]+)\)")
CODE = re.compile(r"^```.*?^```$|^    .*?$|`[^`\n]*`", re.DOTALL | re.MULTILINE)


def headings(page):
    """As GitHub names them."""
    found = re.findall(r"^#+ (.*)$", page, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in found}


def broken(file, text):
    """The links of a page that lead nowhere."""
    for link in LINK.findall(CODE.sub("", text)):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, heading = link.partition("#")
        there = file.parent / path if path else file
        if not there.exists():
            yield link
        elif heading and heading not in headings(text if there == file else there.read_text()):
            yield link


class Links(unittest.TestCase):
    def test_links_have_targets(self):
        pages = [*SOURCE.glob("*.md"), *SOURCE.glob("docs/*.md")]
        count = 0
        for page in pages:
            text = page.read_text()
            count += len(LINK.findall(text))
            self.assertEqual(list(broken(page, text)), [], page)
        self.assertGreater(count, 50)

    def test_dead_link_is_found(self):
        page = SOURCE / "docs" / "adapters.md"
        text = "## A heading\n[a](none.md) [b](#no-heading) [c](security.md#none)\n[d](#a-heading) [e](ci.md)\n"
        self.assertEqual(list(broken(page, text)), ["none.md", "#no-heading", "security.md#none"])


if __name__ == "__main__":
    unittest.main()
