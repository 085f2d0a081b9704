"""Locks rebuilt from public reports: `holdfast try`, as its users call it, finds what each does wrong, and says so.

    reported_test.py [--few] [--seed N] [--table FILE] [--twins] [NAME...]

expected.json says of each bug the public report, the right grade, the kinds of finding of which one must be there,
and words of which the cause must hold one; it was written from the report before the first run (the words of one
dozen after it). A lock is a file of statements or, with `language`, a class of locks.py, locks.js or locks.go, and the
twin is the same lock with the mistake corrected. What needs a package that is not installed is skipped by its name. A
lock with a `missed` is known not to be found, and the test fails when it is; one with a `wrong_cause` is found, and its
cause is not. HOLDFAST names the program (ctest sets it).
"""

import argparse
import functools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).parent
sys.path.append(str(HERE.parent.parent / "program"))
import needs  # noqa: E402

PROGRAM = os.environ.get("HOLDFAST", "")
NODE_MODULES = os.environ.get("HOLDFAST_NODE_MODULES", "")  # a folder with ioredis and mysql2
CALL_S = 900
CANNOT_RUN = 4  # the exit code of try where a server is missing
SOUND = ("safe", "as_safe_as_a_lease")
MODULES = {"redis": "redis", "mysql": "pymysql", "postgres": "psycopg2"}
COMMANDS = {"python": ["/usr/bin/python3", "./locks.py"], "node": ["node", "./locks.js"], "go": ["./locks"]}


class Skipped(Exception):
    """Needs what is not installed."""


def built_go(folder):
    """The program of all Go locks, which HOLDFAST_GO_LOCKS names."""
    given = os.environ.get("HOLDFAST_GO_LOCKS")
    if not given or not os.access(given, os.X_OK):
        raise Skipped("HOLDFAST_GO_LOCKS names no program: go build, in tests/planted/reported/go")
    shutil.copy(given, folder / "locks")


@functools.cache
def python_has(module):
    command = [COMMANDS["python"][0], "-c", f"import {module}"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def program_in(folder, language, server):
    """Puts the program of an adapter into a folder of its own."""
    if language == "python" and not python_has(MODULES[server]):
        raise Skipped(f"remedy: apt-get install python3-{MODULES[server]}")
    if language == "go":
        built_go(folder)
        return
    if language == "node":
        if not NODE_MODULES:
            raise Skipped("HOLDFAST_NODE_MODULES names no folder with ioredis, mysql2 and pg")
        (folder / "node_modules").symlink_to(NODE_MODULES)
    for source in HERE.glob("*.py" if language == "python" else "*.js"):
        shutil.copy(source, folder)


def adapter(entry, is_twin, folder):
    """The lock.json of a class, in a folder of its own."""
    name = entry["name"] + ("_twin" if is_twin else "")
    place = folder / name
    place.mkdir()
    program_in(place, entry["language"], entry["manifest"]["servers"][0])
    manifest = {
        "name": name,
        "command": COMMANDS[entry["language"]],
        "install": "tests/planted/reported",
        **entry["manifest"],
        "options": {"class": entry["name"], "twin": is_twin},
    }
    (place / "lock.json").write_text(json.dumps(manifest))
    for file in [folder, place, *place.iterdir()]:
        if not file.is_symlink():
            file.chmod(0o755)  # a lab is nobody's
    return str(place)


def answer(entry, is_twin, seed):
    """What `try` says of a lock, and for how long it took."""
    with tempfile.TemporaryDirectory(prefix="holdfast-reported-") as path:
        folder = pathlib.Path(path)
        lock = adapter(entry, is_twin, folder) if "language" in entry else str(HERE / entry["name"])
        begin = time.monotonic()
        command = [PROGRAM, "try", lock, "--json", "-q", "--seed", str(seed), "--out", str(folder / "out")]
        done = subprocess.run(command, capture_output=True, text=True, timeout=CALL_S, check=False)
        seconds = time.monotonic() - begin
    if done.returncode == CANNOT_RUN:
        raise Skipped((done.stdout + done.stderr).strip()[-300:])
    try:
        return json.loads(done.stdout), seconds
    except ValueError:
        return {"error": (done.stdout + done.stderr)[-600:]}, seconds


def word(told):
    return (told.get("grade") or {}).get("word", "error")


def broken_promises(told):
    return [one for one in told.get("findings", []) if one.get("promise_broken")]


# Names every sort of mistake, and so none.
MENU = re.compile(r"no fault explains it, so look at the lock's own statements.*?took effect late\.", re.S)


def cause_text(finding):
    """The cause in words, and the statement that the search names."""
    schedule = finding.get("schedule", {}).get("cause", "")
    return MENU.sub("(a guess)", " ".join([schedule, finding.get("cause", ""), finding.get("flaw", "")]))


def judged_bug(bug, told):
    """(found, with its right cause)."""
    named = [one for one in broken_promises(told) if one.get("kind") in bug["finds"]]
    found = word(told) == bug["grade"] and bool(named)
    return found, found and any(re.search("|".join(bug["cause"]), cause_text(one), re.I) for one in named)


def line(name, report, told, seconds, verdict):
    first = next(iter(broken_promises(told)), {})
    cause = cause_text(first)[:160].strip() or "-"
    cells = [f"`{name}`", report, word(told), first.get("kind", "-"), cause, f"{seconds:.0f}", verdict]
    return "| " + " | ".join(cells) + " |"


def examine_bug(bug, seed):
    told, seconds = answer(bug, False, seed)
    found, caused = judged_bug(bug, told)
    missed, uncaused = bug.get("missed"), bug.get("wrong_cause")
    wrong = []
    if found and missed:
        wrong.append(f"is found now: take the reason out ({missed})")
    elif not found and not missed:
        wrong.append(f"is not found: {word(told)}, {[one.get('kind') for one in broken_promises(told)]}")
    if found and not caused and not uncaused:
        wrong.append(f"has another cause: {[cause_text(one) for one in broken_promises(told)]}")
    verdict = "right" if caused else "found, other cause" if found else "not found"
    return line(bug["name"], bug["report"], told, seconds, verdict), wrong, told


def examine_twin(twin, name, seed):
    told, seconds = answer(twin, "language" in twin, seed)
    reason = (told.get("grade") or {}).get("reason", told)
    wrong = [] if word(told) in SOUND else [f"is no more than {word(told)}: {reason}"]
    return line(name, "sound", told, seconds, "right" if not wrong else "accused or not known"), wrong, told


def entries(expected, arguments):
    """(the name, the entry, whether it is a twin)."""
    made = [(bug["name"] + "+twin", bug, True) for bug in expected["bugs"] if bug["twin"] == bug["name"] + "+twin"]
    every = [(bug["name"], bug, False) for bug in expected["bugs"]]
    twins = [(twin["name"], twin, True) for twin in expected["twins"]] + made
    if arguments.names:
        return [one for one in every + twins if one[0] in arguments.names]
    if arguments.few:
        return [one for one in every + twins if one[1].get("few")]
    return twins if arguments.twins else every + twins


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*")
    parser.add_argument("--few", action="store_true", help="those that ./test runs")
    parser.add_argument("--twins", action="store_true", help="the sound ones alone")
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--table", help="file for a table of the results")
    parser.add_argument("--keep", help="folder for the answers")
    arguments = parser.parse_args()
    if why := needs.refused_lab():
        print(f"SKIP: {why}")
        return needs.SKIPPED
    expected = json.loads((HERE / "expected.json").read_text())
    failed, skipped, chosen = False, 0, entries(expected, arguments)
    if arguments.keep:
        pathlib.Path(arguments.keep).mkdir(parents=True, exist_ok=True)
    for name, entry, is_twin in chosen:
        try:
            if is_twin:
                row, wrong, told = examine_twin(entry, name, arguments.seed)
            else:
                row, wrong, told = examine_bug(entry, arguments.seed)
        except Skipped as reason:
            print(f"SKIP {name}: {reason}", flush=True)
            skipped += 1
            continue
        print(row, *wrong, sep="\n  ", flush=True)
        failed = failed or bool(wrong)
        if arguments.table:
            with open(arguments.table, "a", encoding="utf-8") as table:
                table.write(row + "\n")
        if arguments.keep:
            (pathlib.Path(arguments.keep) / (name + ".json")).write_text(json.dumps(told, indent=1))
    if failed:
        return 1
    return needs.SKIPPED if skipped == len(chosen) else 0


if __name__ == "__main__":
    sys.exit(main())
