#!/usr/bin/env python3
"""The tables of docs/libraries_table.md, from the records in libraries/measured.

    libraries/measure/table.py [FOLDER]     # to standard output; FOLDER: other records than ours
    libraries/measure/table.py --write      # into docs/libraries_table.md, below its introduction

The tables: the cells of each lock by result, the cost per library, the behaviour of each lock (facts.py), lock by fault
with a mark, the reasons for cells without one, and a row for each cell with a violation: a sentence (words.py), its
number, whether it is allowed, the same trials without their fault, the replays, and the command.
"""

import collections
import json
import math
import pathlib
import re
import sys

import facts
import record as records
import words

ALLOWED = "yes"
BROKEN = "**no**"
WAITED = "(ok)"
NOT_TRIED = "-"
NOT_MEASURED = "not yet"
SERVED = "other clients were served in time; the situation that could break more did not occur (`(ok)`)"
PAGE = records.LIBRARIES.parent / "docs/libraries_table.md"
BEGIN = "## Summary\n"

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
    return "\n".join(["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads),
                      *("| " + " | ".join(row) + " |" for row in rows)]) + "\n"  # fmt: skip


class Measured:
    """All records as one: one cell a lock and scenario."""

    def __init__(self, paths):
        self.records = [json.loads(path.read_text()) for path in sorted(paths)]
        self.cells, self.not_tried, self.seeds = {}, {}, {}
        for record in self.records:
            for name, cell in record["cells"].items():
                self.cells[tuple(name.split("/"))] = cell
                self.seeds[tuple(name.split("/"))] = record["runs"][cell["run"]]["seed"]
            for name, why in record["not_tried"].items():
                self.not_tried[tuple(name.split("/"))] = why

    def locks(self):
        return sorted({lock for lock, _ in [*self.cells, *self.not_tried]})

    def scenarios(self):
        """In the order of the tables; those that no group names come last."""
        named = [name for names in GROUPS.values() for name in names]
        return named + sorted({scenario for _, scenario in [*self.cells, *self.not_tried]} - set(named))

    def why(self, lock, scenario):
        """Its cell was not tried; empty: of that nothing is said."""
        return self.not_tried.get((lock, scenario), "")

    def of(self, lock):
        return {scenario: cell for (name, scenario), cell in self.cells.items() if name == lock}


def times_of(broken):
    """In how many trials a promise was broken; where none was, in how many something that the suite allows."""
    return broken["promised"] or broken["trials"]


def mark(cell):
    """ok, x: broken, (x): broken as is allowed, ?: not decided or an error of the harness. In how
    many trials, where not in all: of those that were judged."""
    if broken := cell.get("broken"):
        word, times = "**x**" if broken["promised"] else "(x)", times_of(broken)
        return word if times == cell["trials"] else f"{word} {times}/{cell['judged']}"
    if cell["held"] == cell["trials"]:
        return "ok"
    return f"ok {cell['held']}/{cell['trials']}" if cell["held"] else "?"


def row_of(lock, scenario, cell, seed):
    broken = cell["broken"]
    whose = BROKEN if broken["promised"] else ALLOWED
    again = f"`libraries run --only {lock}/{scenario} --seed {seed}`"
    came = " of ".join(map(str, broken.get("replayed", [])))
    said = words.sentence(broken["seen"])
    return [scenario, said, f"{times_of(broken)} of {cell['judged']}", whose, broken["controls"], came, again]


def kind_of(cell):
    """The column of its mark in the summary: one that is not ok in all of its trials is not ok."""
    if broken := cell.get("broken"):
        return "x" if broken["promised"] else "(x)"
    return "ok" if cell["held"] == cell["trials"] else "?"


def summary(measured):
    rows = []
    for lock in measured.locks():
        kinds = {scenario: kind_of(cell) for scenario, cell in measured.of(lock).items()}
        against = [scenario for scenario in measured.scenarios() if kinds.get(scenario) == "x"]
        counts = collections.Counter(kinds.values())
        rows.append([f"`{lock}`", *(str(counts[kind]) for kind in ("ok", "(x)", "x", "?")), ", ".join(against) or "-"])
    heads = ["lock", "ok", "(x)", "**x**", "?", "a promise was broken under"]
    clean = sum(row[3] == "0" for row in rows)
    said = f"{len(rows)} locks of {len(measured.records)} libraries. {clean} of the locks broke no promise in any cell."
    unmeasured = sorted(records.libraries() - {record["library"] for record in measured.records})
    if unmeasured:
        said += f" Not measured yet: {', '.join(unmeasured)}."
    notes = records.notes()
    told = "".join(f"\n`{lock}`: {notes[lock]}.\n" for lock in measured.locks() if lock in notes)
    return f"{BEGIN}\n{said} The cells of each lock, by result:\n\n" + table(heads, rows) + told


def version_of(record):
    """The one that was measured, and the one that is pinned by now, if that is another."""
    pinned = records.pinned_version(record["library"])
    return record["version"] if record["version"] == pinned else f"{record['version']} (now {pinned})"


def times(measured):
    def sum_of(cells, key):  # of floats the same in all versions of Python
        return round(math.fsum(cell[key] for cell in cells), 6)

    rows = []
    for record in measured.records:
        cells = record["cells"].values()
        minutes = [sum_of(cells, key) / 60 for key in ("seconds", "cpu_seconds")]
        rows.append([f"`{record['library']}`", version_of(record), str(len(cells)), str(int(sum_of(cells, "trials"))),
                     *(f"{one:.0f}" for one in minutes),
                     " ".join(sorted({one["run"][:10] for one in cells}))])  # fmt: skip
    heads = ["library", "version", "cells", "trials", "minutes of trials", "of a processor", "measured"]
    # One run may have measured several libraries, and two may have begun in the same second.
    runs = {(began, run["seconds"]) for record in measured.records for began, run in record["runs"].items()}
    minutes = sum(seconds for _, seconds in runs) / 60
    trials = int(sum_of(measured.cells.values(), "trials"))
    total = f"{len(measured.cells)} cells, {trials} trials, {minutes:.0f} minutes of runs, some side by side."
    return f"## Cost per library\n\n{total}\n\n" + table(heads, rows)


def locks(measured):
    rows = []
    for lock in measured.locks():
        cells = measured.of(lock)
        rows.append([f"`{lock}`", facts.token_of(cells), facts.told_of(cells), facts.late_releases_of(cells),
                     facts.recovery_of(cells)])  # fmt: skip
    heads = ["lock", "token", "a holder learned of its loss", "its release then", "free after a crash"]
    return "## Behaviour of each lock\n\n" + table(heads, rows)


def marks(measured):
    out = ["## Lock by fault\n"]
    others = measured.scenarios()[sum(map(len, GROUPS.values())) :]
    for title, names in [*GROUPS.items(), *([("Others", others)] if others else [])]:
        rows = []
        for lock in measured.locks():
            cells = measured.of(lock)
            rows.append([f"`{lock}`", *(mark(cells[name]) if name in cells else untried(measured, lock, name)
                                       for name in names)])  # fmt: skip
        out.append(f"### {title}\n\n" + table(["lock", *names], rows))
    return "\n".join(out)


# Reasons in records that an earlier holdfast made, in today's words.
SINCE = {
    "its jobs acquire again what they hold, which is not promised here":
        "its jobs acquire a held lock again, which this lock does not promise",
    "sends nothing by itself": "sends no requests in the background",
    "the scenario cancels acquires that wait, and": "the scenario cancels waiting acquires, but",
    "is done by the lock's own program, and": "must be carried out by the lock's own program, but",
    "clients with several threads, and this": "clients with several threads, but this",
    "cannot arrive twice: each has a stream of its own": "cannot arrive twice: each uses a separate stream",
}  # fmt: skip
NO_PROPERTY = "no property was tested"
NOT_REACHED = "its injection point was not reached: no such request, or no such state"


# Texts for reasons in records: the lock lacks the feature, or the cell had no result.
def reason(why, lock):
    for begin, said in {
        "only the waiting was tested": SERVED,
        "no property was put to the test": NO_PROPERTY,
        "no property was tested": NO_PROPERTY,
        "the trigger of one of its faults never fired": NOT_REACHED,
        "the injection point of one of its faults was never reached": NOT_REACHED,
        "the lock's library outlasted the cut": "the library outlasted the cut, and nothing ended uncertain",
    }.items():
        if why.startswith(begin):
            return said
    why = why.split("; remedy")[0].replace(lock, "the lock")
    for then, now in SINCE.items():
        why = why.replace(then, now)
    return re.sub(r"^faults\[\d+\]\.[a-z.]+: ", "", why)


def untried(measured, lock, scenario):
    why = measured.why(lock, scenario)
    if not why:
        return NOT_MEASURED
    return WAITED if reason(why, lock) == SERVED else NOT_TRIED


def reasons(measured):
    whose = collections.defaultdict(set)
    cells = collections.Counter()
    for lock, scenario in measured.not_tried:
        said = reason(measured.why(lock, scenario), lock)
        cells[said] += 1
        whose[said].add(lock)
    rows = [[said, str(count), str(len(whose[said]))] for said, count in cells.most_common()]
    return "### Cells without a verdict\n\n" + table(["reason", "cells", "locks"], rows)


def broken(measured):
    out = ["## Violations\n"]
    heads = ["fault", "violation", "trials", "allowed", "without the fault", "replayed", "again: `holdfast`"]
    notes = records.notes()
    for lock in measured.locks():
        rows = [row_of(lock, scenario, cell, measured.seeds[lock, scenario])
                for scenario, cell in sorted(measured.of(lock).items()) if "broken" in cell]  # fmt: skip
        if rows:
            note = f"Note: {notes[lock]}.\n\n" if lock in notes else ""
            out.append(f"### {lock}\n\n{note}" + table(heads, rows))
    return "\n".join(out)


def tables(folder):
    measured = Measured(folder.glob("*.json"))
    parts = [summary, times, locks, marks, reasons, broken]
    return "\n".join(part(measured) for part in parts)


def page():
    """Returns docs/libraries_table.md: its introduction as it is, and the tables."""
    return PAGE.read_text().split(BEGIN)[0] + tables(records.RECORDS)


def main():
    if sys.argv[1:] == ["--write"]:
        PAGE.write_text(page())
    else:
        print(tables(pathlib.Path(*sys.argv[1:2] or [records.RECORDS])), end="")


if __name__ == "__main__":
    main()
