"""Groups source files that can be compiled as one: `batches.py MOST FILE...` prints `GROUP FILE` a line.

Compiling many files as one reads the headers, which cost most, once. What is local to a file (an unnamed namespace, a
`static`) must not meet the like of another then. So two files go together only if the other has no local type and no
local value among its words, and no local function among those that it calls or declares; what follows a `.`, `->` or
`::` is looked up elsewhere, and `to_json` by its argument's type. Where this errs the batch does not compile; it never
changes what a program does.
"""

import pathlib
import re
import sys

RAW = re.compile(r'R"(\w*)\((?:.|\n)*?\)\1"')
NOISE = re.compile(r'//[^\n]*|/\*(?:.|\n)*?\*/|"(?:\\.|[^"\\\n])*"')
ALIAS = re.compile(r"^using (?:(\w+) = [^;]+|[\w:]+::(\w+));$")
TYPE = re.compile(r"\b(?:struct|class|enum|union|using)\s+(?:class\s+)?(\w+)")
FUNCTION = re.compile(r"^[^={;]*?(\w+)\s*\(")
VALUE = re.compile(r"(\w+)(?:\[\w*\])*\s*(?:=|\{|;)")
TEST = re.compile(r"(?:TEST|TEST_F|RC_GTEST_PROP)\s*\(\s*(\w+),\s*(\w+)")
USED = re.compile(r"(?<![\w.])(?<!->)(?<!::)(\w+)")
CALLED = re.compile(USED.pattern + r"\s*\(")
OVERLOADED = {"to_json", "from_json"}


def local_declarations(text):
    """Layout is clang-format's: what stands at a line's start in an unnamed namespace is declared there."""
    inside = False
    for line in text.split("\n"):
        if line == "namespace {":
            inside = True
        elif line.startswith("}  // namespace"):
            inside = False
        elif (inside or line.startswith("static ")) and line[:1] not in ("", " ", "}", "#", "/"):
            if not TEST.match(line):
                yield line


class Source:
    def __init__(self, path):
        self.path = path
        text = RAW.sub("", pathlib.Path(path).read_text(encoding="utf-8"))
        self.functions, self.aliases = set(), {}
        self.names = {f"{suite}_{name}_Test" for suite, name in TEST.findall(text)}
        for line in local_declarations(text):
            self.declare(NOISE.sub("", line))
        text = NOISE.sub("", text)
        self.used = set(USED.findall(text))
        self.called = set(CALLED.findall(text)) - OVERLOADED

    def declare(self, line):
        alias = ALIAS.match(line)
        if alias:
            self.aliases[alias.group(1) or alias.group(2)] = line
            return
        for pattern, kind in ((TYPE, self.names), (FUNCTION, self.functions), (VALUE, self.names)):
            match = pattern.search(line)
            if match:
                kind.add(match.group(1))
                return

    def hides_from(self, other):
        """An alias may be said twice, if it says the same."""
        aliased = any(name in other.used and other.aliases.get(name) != line for name, line in self.aliases.items())
        return bool(aliased or self.names & other.used or self.functions & other.called)

    def clashes(self, other):
        return self.hides_from(other) or other.hides_from(self)


def batches(paths, most):
    groups = []
    for source in map(Source, sorted(paths)):
        for group in groups:
            if len(group) < most and not any(source.clashes(other) for other in group):
                group.append(source)
                break
        else:
            groups.append([source])
    return [[source.path for source in group] for group in groups]


if __name__ == "__main__":
    for number, group in enumerate(batches(sys.argv[2:], int(sys.argv[1]))):
        for path in group:
            print(number, path)
