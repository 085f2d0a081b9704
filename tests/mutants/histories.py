"""The stored histories and what is right to say of each (tests/histories/index.json), and the program that judges them.

    for entry in load():                      # {"file", "model", "verdict": {"trial": ..., PROPERTY: ...}, "why", ...}
        ...
    said = judge(program, load())             # {name: verdict}, a crash included
    different(entry["verdict"], said[name])   # ["mutual_exclusion: holds -> violated:algorithm"]
"""

import json
import os
import pathlib
import subprocess

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "histories"
LONG_S = 600 * int(os.environ.get("HOLDFAST_TIME_FACTOR", "1"))  # for a program that does not end


def name_of(entry):
    """One file may be judged under several models."""
    return entry["file"] + (f" as {entry['model']}" if "model" in entry else "")


def load():
    return json.loads((FOLDER / "index.json").read_text())["histories"]


def judge(program, entries):
    """{name: verdict}. The histories after a crash get {"crashed": ...}."""
    asked = "".join(f"{entry.get('model', '-')} {FOLDER / entry['file']}\n" for entry in entries)
    try:
        answer = subprocess.run([program], input=asked, capture_output=True, text=True, timeout=LONG_S)
        lines, end = answer.stdout.splitlines(), f"exit {answer.returncode}"
    except subprocess.TimeoutExpired:
        lines, end = [], "no end"
    said = [json.loads(line) for line in lines]
    said += [{"crashed": end}] * (len(entries) - len(said))
    return {name_of(entry): verdict for entry, verdict in zip(entries, said)}


def different(expected, said):
    """The differences, in words. For a refusal the index gives only some words, since it names the file."""
    changes = []
    for what in sorted({*expected, *said}):
        before, after = expected.get(what, "nothing"), said.get(what, "nothing")
        same = before in after if what == "refused" and what in expected else before == after
        if not same:
            changes.append(f"{what}: {before} -> {after}")
    return changes
