"""Limits for the length of a file and a function. Function ends are found by counting braces, so they are
approximate."""

import ast
import re

MAX_FILE = 400
MAX_FUNCTION = 60
SOURCES = (".hpp", ".cpp", ".js", ".css", ".py", ".sh", ".cmake")
ALLOWED_LONG = {}  # path: (lines, reason)


def long_files(tree):
    found = []
    for path in tree.having(*SOURCES):
        limit = ALLOWED_LONG.get(path, (MAX_FILE, ""))[0]
        count = len(tree.lines(path))
        if count > limit:
            found.append((path, limit, "file-size", f"{count} lines, at most {limit}: split it"))
    return found


def blank_literals(code):
    """The code without comments and literals, so that a brace in them does not count. Lines stay where they are."""
    pattern = re.compile(
        r'//[^\n]*|/\*.*?\*/|R"([^()\s]{0,16})\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', re.DOTALL
    )
    return pattern.sub(lambda match: "\n" * match.group().count("\n"), re.sub(r"(?<=\d)'(?=\d)", "", code))


CONTAINER = re.compile(r"\b(namespace|class|struct|union|enum)\b[^()]*$|\bextern\s*$")


def functions(code):
    """Yields (first line, last line) of each outermost function, or lambda in an initialiser, of C++ code."""
    code = blank_literals(code)
    stack, head_begin, line = [], 0, 1
    for at, letter in enumerate(code):
        if letter == "\n":
            line += 1
        elif letter == "{":
            head = code[head_begin:at]
            inside = any(kind == "function" for kind, _ in stack)
            is_function = not inside and not CONTAINER.search(head) and re.search(r"\)[^()=;,]*$", head)
            stack.append(("function" if is_function else "other", line - head.strip().count("\n")))
            head_begin = at + 1
        elif letter == "}" and stack:
            kind, first = stack.pop()
            if kind == "function":
                yield first, line
            head_begin = at + 1
        elif letter == ";":
            head_begin = at + 1


def long_functions(tree):
    found = []
    for path in tree.having(".hpp", ".cpp"):
        spans = functions(tree.text(path))
        found += [(path, first, last) for first, last in spans if last - first >= MAX_FUNCTION]
    for path in tree.having(".py"):
        nodes = [n for n in ast.walk(ast.parse(tree.text(path))) if isinstance(n, ast.FunctionDef)]
        found += [(path, n.lineno, n.end_lineno) for n in nodes if n.end_lineno - n.lineno >= MAX_FUNCTION]
    message = f"at most {MAX_FUNCTION} lines: split it"
    return [(path, first, "function-size", f"{last - first + 1} lines, {message}") for path, first, last in found]


RULES = [long_files, long_functions]
