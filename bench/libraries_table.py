#!/usr/bin/env python3
"""The tables of docs/libraries_table.md, made from runs of `holdfast libraries run`.

    bench/libraries_table.py RUN... [--replays FILE] > tables.md      # FILE: of libraries_replay.py

First what each library took and what each lock does (libraries_facts.py reads that from the histories), then lock by
fault with a mark, and why cells have none, then a row for each cell in which something was broken: a sentence
(libraries_words.py), how often, whether the suite allows it to every lock, what the same trials showed without their
fault, and the command that repeats it.
"""

import argparse
import collections
import json
import pathlib
import re

import libraries_facts as facts
import libraries_words as words

ALLOWED = "yes"
BROKEN = "**no**"
WAITED = "(ok)"
SERVED = "others were served in time; the moment that could break more did not come (`(ok)`)"
LIBRARIES = pathlib.Path(__file__).resolve().parent.parent / "libraries"

# The scenarios of libraries/scenarios, as columns; those that are not named here come last.
GROUPS = {
    "Nothing goes wrong, or the program does something unusual": ["none", "block", "cancel", "two_threads", "reenter"],
    "The holder is stopped, cut off or killed": [
        "pause", "pause_release", "partition", "partition_release", "partition_waiter", "kill"],
    "Requests are held back, sent twice, or their replies lost": [
        "acquire_held", "acquire_duplicated", "release_held", "release_duplicated",
        *(f"reply_lost_acquire_{n}" for n in range(1, 5)), *(f"reply_lost_release_{n}" for n in range(1, 4))],
    "Renewals that the library sends by itself": ["renewal_held", "renewal_duplicated", "renewal_reply_lost"],
    "Servers and clocks": [
        "server_pause", "server_kill", "failover", "server_ahead", "server_behind", "client_ahead", "client_behind"],
}  # fmt: skip


def table(heads, rows):
    print("| " + " | ".join(heads) + " |\n|" + "---|" * len(heads))
    for row in rows:
        print("| " + " | ".join(row) + " |")


class Measured:
    """What several runs say of the same suite: one cell a lock and scenario."""

    def __init__(self, folders):
        self.cells, self.not_tried, self.runs = {}, {}, []
        for folder in map(pathlib.Path, folders):
            run = json.loads((folder / "verdict.json").read_text())
            self.runs.append(run)
            for cell in run["cells"]:
                self.cells[cell["lock"], cell["scenario"]] = (cell, folder, run["seed"])
            for one in run["not_tried"]:
                self.not_tried[one["lock"], one["what"]] = one["why"]
                self.cells.pop((one["lock"], one["what"]), None)  # of an earlier run

    def locks(self):
        return sorted({lock for lock, _ in [*self.cells, *self.not_tried]})

    def why(self, lock, scenario):
        """Its cell was not tried; empty: of that nothing is said."""
        return self.not_tried.get((lock, scenario), "")

    def of(self, lock):
        return {scenario: cell for (name, scenario), (cell, _, _) in self.cells.items() if name == lock}

    def folders(self, lock, scenario):
        """Of the trials of a cell that were judged."""
        if (lock, scenario) not in self.cells:
            return []
        cell, folder, _ = self.cells[lock, scenario]
        return [folder / trial["folder"] for trial in judged(cell)]


def judged(cell):
    return [trial for trial in cell["trials"] if trial["outcome"] not in ("harness_error", "unavailable", "not_run")]


def broken_in(trial):
    """{property: kind} of what was violated."""
    return {one["property"]: one["kind"] for one in trial["verdict"]["properties"] if one["judgement"] == "violated"}


def mark(cell):
    """ok, x: broken, (x): broken as the suite allows to every lock, ?: not decided or an error of the harness."""
    trials = judged(cell)
    broken = [trial for trial in trials if broken_in(trial)]
    if broken:
        word = "**x**" if any(trial["mismatches"] for trial in broken) else "(x)"
        return word if len(broken) == len(trials) else f"{word} {len(broken)}/{len(trials)}"
    held = sum(trial["outcome"] in ("as_expected", "allowed") for trial in trials)
    if held == len(cell["trials"]):
        return "ok"
    return f"ok {held}/{len(cell['trials'])}" if held else "?"


def controls(cell):
    """What the same plans showed without the suspected fault."""
    causes = [cause for trial in judged(cell) for cause in trial["causes"]]
    told = [cause for cause in causes if cause["judged"]]
    if told:  # trials share their controls: the cause that fared worst stands for all
        worst = min(told, key=lambda one: (one["held"] / one["judged"], -one["judged"]))
        return f"{worst['held']} of {worst['judged']} held"
    tried = len({folder for one in causes for folder in one["folders"]})
    if tried:  # as where nobody loses the lock without the fault, so that nobody can be told of it
        return f"{tried} told nothing"
    return "none: the plan has no fault" if causes and not any(one["faults"] for one in causes) else ""


def row_of(cell, seed, replays):
    trials = judged(cell)
    broken = [(trial, broken_in(trial)) for trial in trials]
    broken = [(trial, found) for trial, found in broken if found]
    if not broken:
        return None
    whose = BROKEN if any(trial["mismatches"] for trial, _ in broken) else ALLOWED
    again = f"`libraries run --only {cell['lock']}/{cell['scenario']} --seed {seed}`"
    came = replays.get(f"{cell['lock']}/{cell['scenario']}")
    came = [f"{came[0]} of {came[1]}" if came else ""] if replays else []
    said = words.sentence([trial for trial, _ in broken])
    return [cell["scenario"], said, f"{len(broken)} of {len(trials)}", whose, controls(cell), *came, again]


def library_of():
    """{lock: the folder of its library}."""
    return {json.loads(path.read_text())["name"]: path.parent.name for path in LIBRARIES.glob("*/lock*.json")}


def print_times(measured):
    of_lock = library_of()
    spent = collections.defaultdict(lambda: [0, 0, 0.0, 0.0])
    for (lock, _), (cell, _, _) in measured.cells.items():
        one = spent[of_lock.get(lock, lock)]
        one[0] += 1
        for trial in cell["trials"]:
            one[1] += 1
            one[2] += trial["seconds"]
            one[3] += trial["cpu_seconds"]
    rows = [[f"`{name}`", str(cells), str(trials), f"{seconds / 60:.0f}", f"{cpu / 60:.1f}"]
            for name, (cells, trials, seconds, cpu) in sorted(spent.items())]  # fmt: skip
    table(["library", "cells", "trials", "minutes of trials", "of a processor"], rows)


def print_locks(measured):
    print("\n## What each lock does\n")
    rows = []
    for lock in measured.locks():
        cells = measured.of(lock)
        rows.append([f"`{lock}`", facts.token(measured, lock), facts.told(cells, judged),
                     facts.late_release(measured, lock), facts.recovery(measured, lock)])  # fmt: skip
    table(["lock", "token", "a holder whose lease was over was told", "its release then", "free after a crash"], rows)


def print_marks(measured):
    print("\n## Lock by fault")
    named = [name for names in GROUPS.values() for name in names]
    others = sorted({scenario for _, scenario in [*measured.cells, *measured.not_tried]} - set(named))
    for title, names in [*GROUPS.items(), *([("Others", others)] if others else [])]:
        print(f"\n### {title}\n")
        rows = []
        for lock in measured.locks():
            cells = measured.of(lock)
            rows.append([f"`{lock}`", *(mark(cells[name]) if name in cells else untried(measured, lock, name)
                                       for name in names)])  # fmt: skip
        table(["lock", *names], rows)


# Of whatever kind a lock is, it has no such thing; of the other reasons, why its cell told nothing.
def reason(why, lock):
    for begin, said in {
        "only the waiting was tested": SERVED,
        "no property was put to the test": "no property was put to the test",
        "the trigger of one of its faults never fired": "its moment did not come: no such request, or no such state",
        "the lock's library outlasted the cut": "the library outlasted the cut, and nothing ended uncertain",
    }.items():
        if why.startswith(begin):
            return said
    why = why.split("; remedy")[0].replace(lock, "the lock")
    return re.sub(r"^faults\[\d+\]\.[a-z.]+: ", "", why)


def untried(measured, lock, scenario):
    return WAITED if reason(measured.why(lock, scenario), lock) == SERVED else "-"


def print_untried(measured):
    print("\n### Why a cell has no mark\n")
    whose = collections.defaultdict(set)
    cells = collections.Counter()
    for lock in measured.locks():
        for scenario in {name for other, name in measured.not_tried if other == lock} - set(measured.of(lock)):
            said = reason(measured.why(lock, scenario), lock)
            cells[said] += 1
            whose[said].add(lock)
    rows = [[said, str(count), str(len(whose[said]))] for said, count in cells.most_common()]
    table(["why", "cells", "locks"], rows)


def print_broken(measured, replays):
    print("\n## What was broken\n")
    came = ["replayed"] if replays else []
    heads = ["fault", "what was broken", "trials", "allowed", "without the fault", *came, "again: `holdfast`"]
    for lock in measured.locks():
        found = [(cell, seed) for (name, _), (cell, _, seed) in sorted(measured.cells.items()) if name == lock]
        rows = [row for row in (row_of(cell, seed, replays) for cell, seed in found) if row]
        if rows:
            print(f"### {lock}\n")
            table(heads, rows)
            print()


def main():
    line = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    line.add_argument("run", nargs="+")
    line.add_argument("--replays", type=pathlib.Path)
    asked = line.parse_args()
    replays = json.loads(asked.replays.read_text()) if asked.replays else {}
    measured = Measured(asked.run)
    trials = sum(len(cell["trials"]) for cell, _, _ in measured.cells.values())
    minutes = sum(run["seconds"] for run in measured.runs) / 60
    print(f"{len(measured.cells)} cells, {trials} trials, {minutes:.0f} minutes.\n")
    print_times(measured)
    print_locks(measured)
    print_marks(measured)
    print_untried(measured)
    print_broken(measured, replays)


if __name__ == "__main__":
    main()
