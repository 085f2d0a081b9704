#!/usr/bin/env python3
"""The tables of docs/libraries_table.md, made from the run of `holdfast libraries run`.

    bench/libraries_table.py RUN > tables.md

One row a lock and fault that showed something: what was broken, how often of the trials that were judged, whether the
suite allows it to every lock, and the command that repeats it. What held, was not decided or not tried is counted.
"""

import collections
import json
import pathlib
import sys

ALLOWED = "yes, to every lock"
BROKEN = "**no**"


def broken_in(trial):
    """{property: kind} of what was violated."""
    return {one["property"]: one["kind"] for one in trial["verdict"]["properties"] if one["judgement"] == "violated"}


def told(trial):
    """How a holder that lost its lock heard of it."""
    measures = trial["verdict"]["measures"]
    if not measures["former_holders"]:
        return ""
    never, all_of = measures["never_told"], measures["former_holders"]
    if never:
        return f"{never} of {all_of} never"
    return f"after {measures['loss_notice_max_ns'] // 1_000_000} ms at most"


def row_of(cell, seed):
    judged = [trial for trial in cell["trials"] if trial["outcome"] not in ("harness_error", "unavailable")]
    broken = [(trial, broken_in(trial)) for trial in judged]
    broken = [(trial, found) for trial, found in broken if found]
    if not broken:
        return None
    kinds = collections.defaultdict(set)
    for _, found in broken:
        for name, kind in found.items():
            kinds[kind or "algorithm"].add(name)
    words = "; ".join(f"{kind}: {', '.join(sorted(names))}" for kind, names in sorted(kinds.items()))
    whose = BROKEN if any(trial["mismatches"] for trial, _ in broken) else ALLOWED
    notice = next((told(trial) for trial, _ in broken if told(trial)), "")
    again = f"`holdfast libraries run --only {cell['lock']}/{cell['scenario']} --seed {seed}`"
    return [cell["scenario"], words, f"{len(broken)} of {len(judged)}", whose, notice, again]


def main():
    run = json.loads((pathlib.Path(sys.argv[1]) / "verdict.json").read_text())
    by_lock = collections.defaultdict(list)
    for cell in run["cells"]:
        by_lock[cell["lock"]].append(cell)
    missed = collections.Counter(one["lock"] for one in run["not_tried"])
    print(f"{len(run['cells'])} cells, seed {run['seed']}, {run['server']}, {run['seconds']:.0f} s.\n")
    heads = ["lock", "cells that held", "broken, and not allowed by the suite", "broken, and allowed to every lock",
             "undecided, or an error of the harness", "not tried"]  # fmt: skip
    print("| " + " | ".join(heads) + " |\n|---|---|---|---|---|---|")
    for lock, cells in sorted(by_lock.items()):
        count = collections.Counter(cell["outcome"] for cell in cells)
        held, allowed, other = count["as_expected"], count["allowed"], count["unexpected"]
        rest = len(cells) - held - allowed - other
        print(f"| `{lock}` | {held} | {other} | {allowed} | {rest} | {missed[lock]} |")
    for lock, cells in sorted(by_lock.items()):
        rows = [row for row in (row_of(cell, run["seed"]) for cell in cells) if row]
        if not rows:
            continue
        print(f"\n### {lock}\n")
        print("| fault | what was broken | trials | allowed | a holder was told | again |")
        print("|---|---|---|---|---|---|")
        for row in rows:
            print("| " + " | ".join(row) + " |")


if __name__ == "__main__":
    main()
