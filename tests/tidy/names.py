"""Names of files and folders say what is inside; headers say what they are for."""

import re

EMPTY_NAMES = {"util", "utils", "common", "misc", "helper", "helpers"}
SNAKE = re.compile(r"[a-z0-9]+(_[a-z0-9]+)*")


def empty_names(tree):
    found = []
    for path in tree.paths:
        words = {part.split(".")[0].lower() for part in path.split("/")}
        if words & EMPTY_NAMES:
            found.append((path, 1, "empty-name", f"'{min(words & EMPTY_NAMES)}' says nothing: name what it holds"))
    return found


def snake_case(tree):
    wrong = [path for path in tree.having(".hpp", ".cpp") if not SNAKE.fullmatch(path.split("/")[-1].split(".")[0])]
    return [(path, 1, "file-name", "files are named in snake_case") for path in wrong]


def headers_open_with_prose(tree):
    found = []
    for path in tree.having(".hpp"):
        lines = tree.lines(path) or [""]
        if not re.match(r"// \S", lines[0]):
            found.append((path, 1, "header-comment", "open with a comment: what it is, an example, its limits"))
        if "#pragma once" not in lines:
            found.append((path, 1, "header-guard", "no #pragma once"))
    return found


TYPE = re.compile(r"(?:template .*)?(?:class|struct|enum class) (\w+)(?!::)\b[^;]*\{")
NAMESPACE = re.compile(r"namespace ([\w:]+) \{$")


def types_for_all(lines):
    """(line number, name with its namespace) of each type that other files can mean. Layout is clang-format's."""
    inside = []
    for number, line in enumerate(lines, 1):
        opened = NAMESPACE.match(line)
        if opened or line == "namespace {":
            inside.append(opened.group(1) if opened else "")
        elif line.startswith("}  // namespace"):
            inside.pop()
        elif all(inside) and TYPE.match(line):
            yield number, "::".join([*inside, TYPE.match(line).group(1)])


def one_type_a_name(tree):
    """Two of one name are one to the linker, which takes either and says nothing."""
    found, first = [], {}
    for path in tree.having(".hpp", ".cpp"):
        for number, name in types_for_all(tree.lines(path)):
            if first.setdefault(name, path) != path:
                found.append((path, number, "type-twice", f"{name} is also a type of {first[name]}"))
    return found


RULES = [one_type_a_name, empty_names, snake_case, headers_open_with_prose]
