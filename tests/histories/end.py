"""Ends hand-written histories of runs: the format's version in the first line, and the record that counts the events.

    python3 tests/histories/end.py tests/histories/by_hand.*.jsonl

A history without a header is left alone; one that has its end gets the right count.
"""

import json
import sys


def ended(text):
    lines = [line for line in text.splitlines() if line.strip()]
    header = json.loads(lines[0]) if lines else {}
    if "holdfast_history" not in header:
        return text
    version = f'"holdfast_history":{header["holdfast_history"]}'
    lines[0] = lines[0].replace(version, '"holdfast_history":3', 1)
    if json.loads(lines[-1]).get("type") == "end":
        lines.pop()
    return "\n".join([*lines, '{"type":"end","events":%d}' % (len(lines) - 1)]) + "\n"


def main():
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        if ended(text) != text:
            with open(path, "w", encoding="utf-8") as file:
                file.write(ended(text))
            print(path)


if __name__ == "__main__":
    main()
