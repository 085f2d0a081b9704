"""Histories in which thousands believe at once: what the bound of the exclusions (checker/overlap.hpp) is for. They
are made, not stored: a mutant that none of the stored histories could show names one of these instead.

    with crowds.made(["two_leases_overlap"]) as entries:  # as histories.load() gives them
        said = histories.judge(program, entries)

A verdict's "PROPERTY.pairs_not_looked_at" is how many pairs of holders the bound left out: there are
COUNT * (COUNT - 1) / 2, and ten million are looked at whatever they show.
"""

import contextlib
import json
import pathlib
import tempfile

COUNT = 4700
LEFT_OUT = 903_300  # pairs left out of 11,042,650
FIRST_TO_RELEASE = 3400  # they meet some ten million others
STAYING = COUNT - FIRST_TO_RELEASE - 1  # when a violation is known; each meets a hundred of the others then
LEFT_OUT_THEN = (STAYING - 101) * (STAYING - 100) // 2


class Lines:
    """Each process is granted the lock once, two milliseconds after the one before it."""

    def __init__(self):
        self.lines, self.time_ns = [], 0

    def add(self, kind, what, process, **more):
        event = {"index": len(self.lines), "time": self.time_ns, "process": process, "type": kind, "f": what}
        self.lines.append(json.dumps({**event, "op": 1 if what == "acquire" else 2, **more}))
        self.time_ns += 1_000

    def grant(self, process, lease_ms=1):
        self.time_ns = process * 2_000_000
        self.add("invoke", "acquire", process)
        self.add("ok", "acquire", process, lease_ms=lease_ms)

    def release(self, process):
        self.add("invoke", "release", process)
        self.add("ok", "release", process)

    def text(self):
        return "\n".join(self.lines) + "\n"


def all_believe_at_once():
    lines = Lines()
    for process in range(COUNT):
        lines.grant(process)
    return lines.text()


def two_leases_overlap():
    """Those of the last two, which meet when ten million pairs of others have been looked at and found harmless."""
    lines = Lines()
    for process in range(COUNT):
        lines.grant(process, lease_ms=5 if process == COUNT - 2 else 1)
    for process in range(FIRST_TO_RELEASE):
        lines.release(process)
    lines.release(COUNT - 2)
    return lines.text()


def all_may_have_stalled():
    """A run without measured stalls: for each holder it is unknown whether it overran by itself."""
    header = {"holdfast_history": 3, "model": "owner", "lock": "crowd", "clients": COUNT, "lease_ns": 1_000_000,
              "promises": ["mutual_exclusion"], "minima": {"grants": 0, "attempts_in_hold": 0}}
    lines = all_believe_at_once()
    return f'{json.dumps(header)}\n{lines}{{"type":"end","events":{2 * COUNT}}}\n'


CROWDS = {
    "all_believe_at_once": (all_believe_at_once, "owner", {
        "trial": "violated", "mutual_exclusion": "violated:overrun", "ownership": "holds", "progress": "holds",
        "mutual_exclusion.pairs_not_looked_at": LEFT_OUT,
    }),
    "all_may_have_stalled": (all_may_have_stalled, "-", {
        "trial": "undecided", "mutual_exclusion": "undecided", "mutual_exclusion.pairs_not_looked_at": LEFT_OUT,
    }),
    "two_leases_overlap": (two_leases_overlap, "lease", {
        "trial": "violated", "lease_exclusion": "violated:algorithm",
        "lease_exclusion.pairs_not_looked_at": LEFT_OUT_THEN, "lease_service": "violated:served_twice",
        "mutual_exclusion": "violated:overrun", "mutual_exclusion.pairs_not_looked_at": LEFT_OUT,
        "ownership": "violated:foreign_release", "progress": "holds",
    }),
}


@contextlib.contextmanager
def made(names=CROWDS):
    with tempfile.TemporaryDirectory(prefix="holdfast-crowds-") as folder:
        entries = []
        for name in names:
            make, model, verdict = CROWDS[name]
            file = pathlib.Path(folder) / f"{name}.jsonl"
            file.write_text(make())
            entries.append({"file": str(file), "model": model, "verdict": verdict})
        yield entries
