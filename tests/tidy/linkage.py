"""Symbols that a source exports: one unnamed namespace holds its own names, a header declares all others."""

import re

from sizes import blank_literals

PRODUCT = ("src/", "checker/", "reports/")
NAMED = re.compile(r"namespace [\w:]+ \{$")
UNNAMED = "namespace {"
FUNCTION = re.compile(r"(?!static\b)[^(=]*?(?P<name>[\w:~]+|[\w:]*operator[^\w\s(]+)\s*\(.*\)[^()]*$", re.DOTALL)


def sources(tree):
    return [path for path in tree.having(".cpp") if path.startswith(PRODUCT)]


def one_unnamed_namespace(tree):
    """Two are the seam of an earlier merge: the reader meets internal functions twice, in two orders."""
    found = []
    for path in sources(tree):
        opened = [number for number, line in enumerate(tree.lines(path), 1) if line == UNNAMED]
        if len(opened) > 1:
            found.append((path, opened[1], "namespace-twice", "one unnamed namespace, before what the header declares"))
    return found


def statements(text):
    """(line number, text up to its first brace) of each definition in named namespaces only, laid out as ours."""
    inside, depth, head, first = [], 0, "", 0
    for number, line in enumerate(blank_literals(text).split("\n"), 1):
        line = line.rstrip()
        if depth == 0 and (NAMED.match(line) or line == UNNAMED):
            inside.append(line != UNNAMED)
        elif depth == 0 and line == "}":
            inside.pop()
        elif depth > 0 or (line and not line.startswith("#")):
            first = first if head else number
            head += line + "\n"
            depth += line.count("{") - line.count("}")
            if depth == 0 and line.endswith((";", "}")):
                if "{" in head and inside and all(inside):
                    yield first, head[: head.index("{")]
                head = ""


def without_arguments(head):
    """Without the arguments of templates, which may have parentheses of their own."""
    shorter = re.sub(r"<[^<>]*>", "", head)
    return head if shorter == head else without_arguments(shorter)


def external_functions(text):
    """(line number, name) of each function that a source exports, except members."""
    for number, head in statements(text):
        function = FUNCTION.match(without_arguments(head))
        if function and "::" not in function["name"]:
            yield number, function["name"]


def declared_functions(tree):
    headers = "\n".join(blank_literals(tree.text(path)) for path in tree.having(".hpp") if path.startswith(PRODUCT))
    return set(re.findall(r"(?<![\w.>:])(\w+|operator[^\w\s(]+)\s*\(", headers))


def functions_are_declared(tree):
    """A function that no header declares belongs to the source, or is dead."""
    declared, found = declared_functions(tree), []
    for path in sources(tree):
        for line, name in external_functions(tree.text(path)):
            if name not in declared:
                found.append((path, line, "undeclared", f"no header declares {name}: the unnamed namespace, or away"))
    return found


RULES = [one_unnamed_namespace, functions_are_declared]
