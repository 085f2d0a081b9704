#!/usr/bin/env python3
"""Looks at a run in every format, each with its own tool: is it sound, and does it say what the verdict says?

    look.py FOLDER... -- FORMAT...     FOLDER/FORMAT is a run in that format; FOLDER/json is always needed

Prints what is wrong; exit code 1 when anything is. A format that nobody looks at is wrong too, so that a new one gets a
check here. Each check has a name of a format, is given the text and the verdict, and yields what is wrong.
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
    "html": structured.html,
    "json": structured.verdict,
    "junit": structured.junit,
    "markdown": plain_text.markdown,
    "outputs": plain_text.outputs,
    "trace": structured.trace,
}


def any_text(data):
    """What holds for all: UTF-8, and nothing that a terminal obeys or a reader is fooled by."""
    try:
        text = data.decode("utf-8")
    except UnicodeError as error:
        return [f"no UTF-8: {error}"]
    hidden = {c for c in text if ord(c) < 32 or 0x7F <= ord(c) < 0xA0 or c in "\u202e\u200b\u2028\ufeff"} - {"\n", "\t"}
    return [f"characters that nobody sees: {sorted(map(repr, hidden))}"] if hidden else []


COMMAND = re.compile(r"^[ \t]*::|##\[", re.MULTILINE)


def commands(data):
    """What GitHub's runner would obey, should the file be printed where it reads; only annotations are meant for it."""
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
