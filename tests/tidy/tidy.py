"""The house rules, as an ordinary test: `tidy.py FOLDER` prints each breach as `file:line: rule: text`; exit 1 if any.

Each rule is a function `rule(tree) -> [(path, line, name, text)]` in a module beside this one. self_test.py shows each
to fire and to stay silent. To add a rule: write it, name it in RULES, give self_test.py a bad example.
"""

import re
import sys
from pathlib import Path

import component_table
import entries
import format_rule
import includes
import linkage
import names
import optional
import sizes
import text
import words

RULES = [*sizes.RULES, *includes.RULES, *linkage.RULES, *names.RULES, *text.RULES, *entries.RULES,
         *optional.RULES, *component_table.RULES, *format_rule.RULES, *words.RULES]
LEFT_OUT = {".git", ".cache", "build", "runs"}  # at the top; the rest is the house's own
SKIPPED = 77  # exit code: one rule could not be looked at
FOREIGN = {"vendor"}  # code of others keeps its own style, wherever it is
# Files that npm, mvn and go create beside sources: .gitignore has them, too.
INSTALLED = re.compile(
    r"^((adapters|samples|java|node)/(.+/)?(node_modules|target|runs)/|adapters/go_redsync/go_redsync$)"
)


class Tree:
    """The source files below a folder, by path relative to it ("/" between parts); `text(path)` is a file's text."""

    def __init__(self, root):
        self.root = Path(root)
        self.paths = sorted(self._walk())
        self._texts = {}

    def _walk(self):
        for path in self.root.rglob("*"):
            parts = path.relative_to(self.root).parts
            if not path.is_file() or parts[0] in LEFT_OUT or FOREIGN & set(parts) or "__pycache__" in parts:
                continue
            if not INSTALLED.search("/".join(parts)):
                yield "/".join(parts)

    def text(self, path):
        if path not in self._texts:
            data = (self.root / path).read_bytes()
            self._texts[path] = "" if b"\0" in data else data.decode("utf-8", errors="replace")
        return self._texts[path]

    def lines(self, path):
        return self.text(path).splitlines()

    def having(self, *suffixes):
        return [path for path in self.paths if path.endswith(suffixes)]


def breaches(root):
    tree = Tree(root)
    return [breach for rule in RULES for breach in rule(tree)]


def main():
    found, files = breaches(sys.argv[1]), Tree(sys.argv[1]).having(".cpp", ".hpp")
    for path, line, name, message in found:
        print(f"{path}:{line}: {name}: {message}")
    print(f"{len(found)} breach(es) of the house rules; {len(files)} files of C++ read")
    if found or not files:
        return 1
    if not format_rule.formatter():
        print(f"SKIP: the rule of layout needs clang-format {format_rule.VERSION}, not installed")
        return SKIPPED
    return 0


if __name__ == "__main__":
    sys.exit(main())
