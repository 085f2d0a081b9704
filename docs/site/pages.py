#!/usr/bin/env python3
"""Lays out the pages of the site: `pages.py SOURCE FOLDER [--report FILE]`.

Pages keep their text. A link to a page leads to its place on the site, a link to a file to a copy of the file, and a
link to a folder becomes plain text. Writes FOLDER/pages and FOLDER/mkdocs.yml. --report adds a report as the sample.
"""

import argparse
import pathlib
import re
import shutil

AT_THE_TOP = {
    "README.md": "index.md",
    "ARCHITECTURE.md": "architecture.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "SECURITY.md": "security_policy.md",
    "CODE_OF_CONDUCT.md": "code_of_conduct.md",
}
BROWSER_TYPES = {".html", ".json", ".png", ".svg", ".webp"}
# Matches a link, or text that contains no links: fenced and indented blocks, and words in backquotes.
LINK = re.compile(
    r"^```.*?^```$|^(?:    [^\n]*(?:\n|\Z))+|(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)|`[^`\n]*`",
    re.DOTALL | re.MULTILINE,
)
SAMPLE = """# A sample report

[Open the report](sample.html) of three locks under the faults of the quick suite. It is one file and works offline.
Select a cell to see which client held the lock at which time, and the events that prove a violation.

<iframe src="sample.html" title="A sample report" style="width:100%;height:80vh;border:1px solid #888"></iframe>
"""
NO_SAMPLE = """# A sample report

This copy of the site has no sample report. `./run` writes a report; its last line names the file.
"""


class Site:
    def __init__(self, source, folder):
        self.source = source.resolve()
        self.pages = folder / "pages"
        self.names = {self.source / name: page for name, page in AT_THE_TOP.items()}
        self.names |= {page: page.name for page in sorted((self.source / "docs").glob("*.md"))}

    def lay_out(self, report):
        for page, name in self.names.items():
            self.write(name, self.with_links(page, page.read_text()))
        self.write("sample_report.md", SAMPLE if report else NO_SAMPLE)
        if report:
            shutil.copy(report, self.pages / "sample.html")
        for name in ("style.css", "sort_tables.js", "readable.js"):
            self.copy(self.source / "docs/site" / name, self.pages / "site" / name)

    def with_links(self, page, text):
        """Returns the text with every link pointing into the site."""
        return LINK.sub(lambda found: self.link(page, *found.groups()) if found[3] else found[0], text)

    def link(self, page, image, words, target):
        path, mark, heading = target.partition("#")
        if not path or re.match(r"[a-z]+:", target):
            return f"{image}[{words}]({target})"
        there = (page.parent / path).resolve()
        if there.is_dir():
            return words
        place = self.names.get(there) or self.file(there)
        return f"{image}[{words}]({place}{mark}{heading})"

    def file(self, there):
        """Copies a file, as plain text unless browsers show its type, and returns its place."""
        inside = there.relative_to(self.source)
        place = f"files/{inside}" + ("" if there.suffix in BROWSER_TYPES else ".txt")
        self.copy(there, self.pages / place)
        return place

    def copy(self, there, to):
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(there, to)

    def write(self, name, text):
        self.pages.mkdir(parents=True, exist_ok=True)
        (self.pages / name).write_text(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--report", type=pathlib.Path)
    options = parser.parse_args()
    shutil.rmtree(options.folder / "pages", ignore_errors=True)
    Site(options.source, options.folder).lay_out(options.report)
    shutil.copy(options.source / "docs/site/mkdocs.yml", options.folder / "mkdocs.yml")


if __name__ == "__main__":
    main()
