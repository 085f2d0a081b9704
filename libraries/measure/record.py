#!/usr/bin/env python3
"""What runs of `holdfast libraries run` say of each library, short enough to be kept: libraries/measured/NAME.json.

    libraries/measure/record.py RUN... [--to FOLDER]

A cell that a record has already is replaced, also by the reason why it is not tried; all others stay as they are, so
that a library can be measured in parts. table.py makes the tables of docs/libraries_table.md from all records.
"""

import argparse
import json
import os
import pathlib

import facts
import words

LIBRARIES = pathlib.Path(__file__).resolve().parent.parent
RECORDS = LIBRARIES / "measured"


def libraries():
    return {path.parent.name for path in LIBRARIES.glob("*/library.json")}


def library_of():
    """{lock: the folder of its library}."""
    return {json.loads(path.read_text())["name"]: path.parent.name for path in LIBRARIES.glob("*/lock*.json")}


def judged(cell):
    return [trial for trial in cell["trials"] if trial["outcome"] not in ("harness_error", "unavailable", "not_run")]


def broken_in(trial):
    return any(one["judgement"] == "violated" for one in trial["verdict"]["properties"])


def against_a_promise(trial):
    """Whether something was broken that is not allowed to this lock."""
    return any(one["seen"].startswith("violated") for one in trial["mismatches"])


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


def cell_record(cell, folder, run):
    """Of one cell; `run`: when its run began."""
    trials = judged(cell)
    folders = [folder / trial["folder"] for trial in trials]
    out = {
        "run": run,
        "trials": len(cell["trials"]),
        "judged": len(trials),
        "held": sum(trial["outcome"] in ("as_expected", "allowed") and not broken_in(trial) for trial in trials),
        "seconds": round(sum(trial["seconds"] for trial in cell["trials"]), 1),
        "cpu_seconds": round(sum(trial["cpu_seconds"] for trial in cell["trials"]), 1),
        **facts.of_cell(cell["scenario"], trials, folders),
    }
    if broken := [trial for trial in trials if broken_in(trial)]:
        out["broken"] = {
            "trials": len(broken),
            "promised": sum(against_a_promise(trial) for trial in broken),
            "seen": words.seen_in(broken),
            "controls": controls(cell),
        }
    return out


def pinned_version(name):
    return json.loads((LIBRARIES / name / "library.json").read_text())["version"]


def notes():
    """{lock: what its manifest wants to be told with every result}; of few locks there is anything."""
    manifests = [json.loads(path.read_text()) for path in LIBRARIES.glob("*/lock*.json")]
    return {manifest["name"]: manifest["note"] for manifest in manifests if "note" in manifest}


def load(name, kept=RECORDS):
    """Its record; an empty one where there is none, or one of another version."""
    path = kept / f"{name}.json"
    empty = {"library": name, "version": pinned_version(name), "runs": {}, "cells": {}, "not_tried": {}}
    stored = json.loads(path.read_text()) if path.exists() else empty
    return stored if stored["version"] == empty["version"] else empty


def of_run(run, folder):
    machine = json.loads((folder / "environment.json").read_text())
    return {"seed": run["seed"], "seconds": run["seconds"], "processors": machine["processors"]}


def add_run(records, folder, kept=RECORDS):
    """Into {library: its record}, what the run in `folder` says, over what the folder `kept` has."""
    run = json.loads((folder / "verdict.json").read_text())
    if run["interrupted"]:
        raise SystemExit(f"{folder}: was interrupted; remedy: holdfast libraries run --resume {folder}")
    began, libraries = run["started_utc"], library_of()

    def record_of(lock):
        if lock not in libraries:
            raise SystemExit(f"{folder}: {lock} is no lock of {LIBRARIES}; remedy: a run of pinned versions alone")
        return records.setdefault(libraries[lock], load(libraries[lock], kept))

    for cell in run["cells"]:
        name, record = f"{cell['lock']}/{cell['scenario']}", record_of(cell["lock"])
        before, now = record["cells"].get(name, {}), cell_record(cell, folder, began)
        if before.get("run") == began and "replayed" in before.get("broken", {}):
            now["broken"]["replayed"] = before["broken"]["replayed"]
        record["cells"][name] = now
        record["not_tried"].pop(name, None)
        record["runs"][began] = of_run(run, folder)
    for one in run["not_tried"]:
        name, record = f"{one['lock']}/{one['what']}", record_of(one["lock"])
        record["not_tried"][name] = one["why"]
        record["cells"].pop(name, None)


def text_of(record):
    """One line for each cell, so that a change shows which have changed."""
    parts = []
    for key, value in record.items():
        if isinstance(value, dict):
            lines = [f"  {json.dumps(name)}: {json.dumps(one)}" for name, one in sorted(value.items())]
            parts.append(f' "{key}": {{\n' + ",\n".join(lines) + "\n }")
        else:
            parts.append(f' "{key}": {json.dumps(value)}')
    return "{\n" + ",\n".join(parts) + "\n}\n"


def keep(record, kept=RECORDS):
    """Whole or not at all."""
    runs = {cell["run"] for cell in record["cells"].values()}
    record["runs"] = {began: run for began, run in record["runs"].items() if began in runs}
    kept.mkdir(exist_ok=True)
    path = kept / f"{record['library']}.json"
    beside = path.with_suffix(".part")
    beside.write_text(text_of(record))
    os.replace(beside, path)


def main():
    line = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    line.add_argument("runs", nargs="+", type=pathlib.Path, metavar="RUN")
    line.add_argument("--to", type=pathlib.Path, default=RECORDS, metavar="FOLDER")
    asked = line.parse_args()
    records = {}
    for folder in asked.runs:
        add_run(records, folder, asked.to)
    for record in records.values():
        keep(record, asked.to)


if __name__ == "__main__":
    main()
