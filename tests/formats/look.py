#!/usr/bin/env python3
"""Looks at a run in every format, each with its own tool: is it sound, and does it say what the verdict says?

    look.py FOLDER... -- FORMAT...     FOLDER/FORMAT is a run in that format; FOLDER/json is always needed

Prints mistakes; exit code 1 if there are any. A format without a check is a mistake too, so that a new one gets a check
here. Each check has a name of a format, gets the text and the verdict, and yields mistakes.
"""
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "page")]

import plain_text  # noqa: E402
import structured  # noqa: E402

CHECKS = {
    "annotations": plain_text.annotations,
    "code_quality": structured.code_quality,
    "html": structured.html,
    "json": structured.verdict,
    "junit": structured.junit,
    "markdown": plain_text.markdown,
    "outputs": plain_text.outputs,
    "sarif": structured.sarif,
    "trace": structured.trace,
}


def any_text(data):
    """Rules for all formats: UTF-8, and nothing that a terminal obeys or that misleads a reader."""
    try:
        text = data.decode("utf-8")
    except UnicodeError as error:
        return [f"no UTF-8: {error}"]
    hidden = {c for c in text if ord(c) < 32 or 0x7F <= ord(c) < 0xA0 or c in "\u202e\u200b\u2028\ufeff"} - {"\n", "\t"}
    return [f"characters that nobody sees: {sorted(map(repr, hidden))}"] if hidden else []


COMMAND = re.compile(r"^[ \t]*::|##\[", re.MULTILINE)


def commands(data):
    """Lines that GitHub's runner would obey if the file were printed there; only annotations are meant for it."""
    text = data.decode("utf-8", "replace")
    return [f"a command: {text[match.start():][:80]!r}" for match in COMMAND.finditer(text)]


def look(folder, names):
    folder = pathlib.Path(folder)
    verdict = structured.strict_json((folder / "json").read_text())
    for name in names:
        data = (folder / name).read_bytes()
        if name not in CHECKS:
            yield f"{name}: nobody looks at this format; write a check for it in tests/formats"
            continue
        hidden = any_text(data) if name != "json" else []  # in JSON they are spelled out by its reader
        meant = commands(data) if name != "annotations" else []
        for wrong in [*hidden, *meant, *(CHECKS[name](data.decode("utf-8", "replace"), verdict) if data else [])]:
            yield f"{name}: {wrong}"


if __name__ == "__main__":
    between = sys.argv.index("--")
    names = sys.argv[between + 1 :]
    found = [f"{folder}: {wrong[:600]}" for folder in sys.argv[1:between] for wrong in look(folder, names)]
    print("\n".join(found), end="\n" if found else "")
    sys.exit(1 if found else 0)
