"""Adapters with one mistake each: `holdfast explore` finds it by the adapter's requests, and its twin holds.

    requests_test.py [--few] [NAME...]

expected.json says of each the invariant that it violates and words of the cause. Both must be found within a minute;
of the twin, every schedule within the same bounds must hold. A lock that needs what is not installed is skipped by its
name. HOLDFAST names the program (ctest sets it).
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).parent
sys.path.append(str(HERE.parent.parent / "program"))
import needs  # noqa: E402

PROGRAM = os.environ.get("HOLDFAST", "")
MOST_S = 60  # of a search
VIOLATED, HOLDS, UNAVAILABLE = 1, 0, 4
MODULES = {"redis": "redis", "mysql": "pymysql", "postgres": "psycopg2"}
COMMANDS = {"python": ["/usr/bin/python3", "./locks.py"], "node": ["node", "./locks.js"], "go": ["./locks"]}
BOUNDS = {
    "time": ("--preemptions", "1", "--time-jumps", "1", "--faults", "0", "--attempts", "1"),
    "fault": ("--preemptions", "0", "--time-jumps", "0", "--faults", "1", "--attempts", "1"),
    "attempts": ("--preemptions", "1", "--time-jumps", "0", "--faults", "0", "--attempts", "2"),
}
FEW = ("python_ReleaseInTwoSteps", "node_LookThenSet", "go_ExpireLater")


class Skipped(Exception):
    """Needs what is not installed."""


def name_of(bug):
    return f"{bug['language']}_{bug['class']}"


def built_go(folder):
    if not shutil.which("go"):
        raise Skipped("there is no go")
    environment = {**os.environ, "GOFLAGS": "-mod=mod", "CGO_ENABLED": "0"}
    subprocess.run(["go", "build", "-o", folder / "locks", "."], cwd=HERE / "go", env=environment, check=True)


def made(bug, twin, folder):
    """The adapter's folder: its program, and a manifest that asks for the lock or its twin."""
    folder.mkdir()
    language = bug["language"]
    if language == "python":
        module = MODULES[bug["server"]]
        if subprocess.run(["/usr/bin/python3", "-c", f"import {module}"], capture_output=True).returncode:
            raise Skipped(f"python has no {module}")
        for program in HERE.glob("*.py"):
            shutil.copy(program, folder)
    elif language == "node":
        if not shutil.which("node"):
            raise Skipped("there is no node")
        shutil.copy(HERE / "locks.js", folder)
    else:
        built_go(folder)
    name = name_of(bug).lower() + ("_twin" if twin else "")
    manifest = {"name": name, "command": COMMANDS[language], "language": language, "servers": [bug["server"]],
                "can": bug.get("can", []), "options": {"class": bug["class"], "twin": twin}}
    (folder / "lock.json").write_text(json.dumps(manifest))
    return folder


def explored(bug, twin, folder):
    adapter = made(bug, twin, folder / ("twin" if twin else "flawed"))
    begin = time.monotonic()
    command = [PROGRAM, "explore", adapter, *BOUNDS[bug["bounds"]], "--rounds", "1", "--budget", f"{MOST_S}s", "--json"]
    done = subprocess.run([*command, "--out", folder / "runs"], capture_output=True, text=True)
    if done.returncode == UNAVAILABLE:
        raise Skipped(done.stderr.strip())
    try:
        return done.returncode, json.loads(done.stdout), time.monotonic() - begin
    except json.JSONDecodeError:
        raise AssertionError(f"explore ended with {done.returncode}: {done.stderr}") from None


def severe(result):
    return [one for one in result["violations"] if one["severe"] and one["counts"]]


def wrong_of_flawed(bug, code, result, seconds):
    """What is wrong with the answer about the lock with the mistake; empty: nothing."""
    wanted = [one for one in severe(result) if one["invariant"] == bug["invariant"] and bug["cause"] in one["cause"]]
    if code != VIOLATED or not wanted:
        found = [(one["invariant"], one["cause"]) for one in severe(result)]
        return f"ended with {code}, verdict {result['verdict']}; found {found}; {result['at_requests']}"
    return f"took {seconds:.0f} s" if seconds > MOST_S else ""


def wrong_of_twin(code, result):
    if code == HOLDS and result["verdict"] == "holds" and result["complete"] and result["grants"] > 0:
        return ""
    return f"twin: ended with {code}, verdict {result['verdict']}; found {severe(result)}; {result['at_requests']}"


def tried(bug):
    with tempfile.TemporaryDirectory() as folder:
        code, result, seconds = explored(bug, False, pathlib.Path(folder))
        wrong = wrong_of_flawed(bug, code, result, seconds)
        if not wrong:
            code, twin, _ = explored(bug, True, pathlib.Path(folder))
            wrong = wrong_of_twin(code, twin)
        if wrong:
            return wrong
    first = next(one for one in severe(result) if one["invariant"] == bug["invariant"])
    print(f"{name_of(bug)}: {first['replay']}  ({result['schedules']} schedules in {result['seconds']:.1f} s; "
          f"twin {twin['schedules']} in {twin['seconds']:.1f} s)", flush=True)
    return ""


def main():
    asked = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    asked.add_argument("--few", action="store_true")
    asked.add_argument("names", nargs="*")
    asked = asked.parse_args()
    if why := needs.refused_lab():
        print(f"SKIP: {why}")
        return needs.SKIPPED
    bugs = json.loads((HERE / "expected.json").read_text())
    names = asked.names or (FEW if asked.few else [name_of(bug) for bug in bugs])
    failed, skipped = [], []
    for bug in bugs:
        if name_of(bug) not in names:
            continue
        try:
            if wrong := tried(bug):
                print(f"{name_of(bug)}: {wrong}", flush=True)
                failed.append(name_of(bug))
        except Skipped as why:
            print(f"{name_of(bug)} skipped: {why}", flush=True)
            skipped.append(name_of(bug))
    if failed:
        sys.exit(f"{len(failed)} of {len(names)} failed: {', '.join(failed)}")
    return needs.SKIPPED if len(skipped) == len(names) else 0


if __name__ == "__main__":
    sys.exit(main())
