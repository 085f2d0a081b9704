"""The texts in C++ source: string literals, joined where they are adjacent, and comments; each with its line."""

import re

TOKEN = re.compile(
    r"""//[^\n]*|/\*.*?\*/|R"([^\s()\\]{0,16})\((.*?)\)\1"|"((?:[^"\\\n]|\\.)*)"|(?<![0-9a-fA-F])'(?:[^'\\\n]|\\.)+'""",
    re.S)  # fmt: skip
INCLUDE = re.compile(r"^\s*#\s*include\b")


def literals(text):
    """(line, text) of each literal; escapes stay as they are written."""
    out, end = [], None
    for token in TOKEN.finditer(text):
        value = token[2] if token[2] is not None else token[3]
        if value is None or INCLUDE.match(text[text.rfind("\n", 0, token.start()) + 1 : token.start()]):
            continue
        if end is not None and not text[end : token.start()].strip():
            out[-1][1] += value
        else:
            out.append([text.count("\n", 0, token.start()) + 1, value])
        end = token.end()
    return out


def comments(text):
    """(line, text) of each comment; the lines of one that goes over several are one text."""
    out, end = [], None
    for token in TOKEN.finditer(text):
        if not token[0].startswith("//"):
            continue
        words = token[0].lstrip("/").strip()
        between = "" if end is None else text[end : token.start()]
        if between.count("\n") == 1 and not between.strip():
            out[-1][1] += " " + words
        else:
            out.append([text.count("\n", 0, token.start()) + 1, words])
        end = token.end()
    return out
