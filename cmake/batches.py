"""Groups source files that can be compiled as one: `batches.py MOST FILE...` prints `GROUP FILE` a line.

Compiling many files as one reads the headers, which cost most, once. What is local to a file (an unnamed namespace, a
`static`) must not meet the like of another then. So two files go together only if no local name of the one is a word of
the other at all: more than needed, but then the compiler has nothing to mix up. Where this errs the batch does not
compile; it never changes what a program does.
"""

import pathlib
import re
import sys

NOISE = re.compile(r'R"(\w*)\((?:.|\n)*?\)\1"|//[^\n]*|/\*(?:.|\n)*?\*/|"(?:\\.|[^"\\\n])*"')
DECLARED = [
    re.compile(r"\b(?:struct|class|enum|union|using)\s+(?:class\s+)?(\w+)"),
    re.compile(r"(\w+)\s*\("),
    re.compile(r"(\w+)(?:\[\w*\])*\s*(?:=|\{|;)"),
]
TEST = re.compile(r"(?:TEST|TEST_F|RC_GTEST_PROP)\s*\(\s*(\w+),\s*(\w+)")


def local_names(text):
    """Layout is clang-format's: what stands at a line's start in an unnamed namespace is declared there."""
    names, inside = {f"{suite}_{name}_Test" for suite, name in TEST.findall(text)}, False
    for line in text.split("\n"):
        if line == "namespace {":
            inside = True
        elif line.startswith("}  // namespace"):
            inside = False
        elif (inside or line.startswith("static ")) and line[:1] not in ("", " ", "}", "#", "/"):
            if not TEST.match(line):
                for pattern in DECLARED:
                    names.update(pattern.findall(NOISE.sub("", line))[:1])
    return names


class Source:
    def __init__(self, path):
        self.path = path
        text = pathlib.Path(path).read_text(encoding="utf-8")
        self.local = local_names(text)
        self.words = set(re.findall(r"\w+", NOISE.sub("", text)))

    def clashes(self, other):
        return bool(self.local & other.words or other.local & self.words)


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
