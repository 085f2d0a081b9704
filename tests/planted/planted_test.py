"""The planted bugs: explore and the generated suite catch each, for the right reason, and accuse no sound twin.

    planted_test.py [--few] [--tools explore,generated] [--table FILE] [NAME...]

expected.json says of each bug which of the two finds it, as what, and why. What one of them is known to miss has
its reason there, too, and must be missed: a find makes the test fail until the reason is taken out.
A bug is searched until it is found; a twin whole. A bug that one of the tools should find and does not is a failure; so
is one whose first find is something else, a twin that is accused, and a twin that was not judged. --table writes a
table of the results. HOLDFAST_PLANTED names the program (ctest sets it).
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).parent
sys.path.append(str(HERE.parent / "program"))
import needs  # noqa: E402

PROGRAM = os.environ.get("HOLDFAST_PLANTED", "")
TOOLS = ("explore", "generated")
EXPLORE_S = (3, 20)  # budgets: of a bug a short one first
FEW_S = 5  # of a twin, with --few
GENERATED_S = 60
CALL_S = 900
CONSEQUENCES = ("algorithm", "overrun", "late_grant", "foreign_release", "foreign_renew", "lost_lock")
HOLDS, VIOLATED, UNDECIDED = 0, 1, 3


class Result:
    """What one tool said of one lock. `found` has its violations, as words; `judged`: it said holds or violated; `cut`:
    explore's budget ended before the search did, after this many whole costs."""

    def __init__(self, code, found, seconds, shown, cut=None):
        self.found, self.seconds, self.shown, self.cut = found, seconds, shown, cut
        self.judged = code in (HOLDS, VIOLATED) and (code == VIOLATED) == bool(found)
        self.failed = code not in (HOLDS, VIOLATED, UNDECIDED)


def call(arguments, out):
    command = [PROGRAM, *arguments, "--out", str(out)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=CALL_S, cwd=out, check=False)
    shown = f"{' '.join(command)}\nexit {done.returncode}\n{done.stdout[-1500:]}{done.stderr[-1500:]}"
    return done.returncode, done.stdout, shown


def cheapest(violations):
    """The invariants whose counterexample costs least: what comes after them may be a consequence."""
    costs = [one["preemptions"] + one["time_jumps"] + one["faults"] for one in violations]
    found = [one["invariant"] for one, cost in zip(violations, costs) if cost == min(costs)]
    return list(dict.fromkeys(found))  # it may have several causes


def explore_once(lock, budget_s, extra, out):
    begin = time.monotonic()
    code, text, shown = call(["explore", lock, "--budget", f"{budget_s}s", "--json", *extra], out)
    try:
        result = json.loads(text)
    except ValueError:
        result = None
    if not isinstance(result, dict):  # an error of the harness
        return Result(code, [], time.monotonic() - begin, shown)
    found = cheapest([one for one in result["violations"] if one["severe"]])
    words = "; ".join(f"{one['invariant']} by '{one['replay']}'" for one in result["violations"])
    state = f"{result['verdict']}, complete {result['complete']}, levels {result['levels']}"
    cut = None if result["complete"] else result["levels"]
    return Result(code, found, time.monotonic() - begin, f"explore {lock}: exit {code}, {state}: {words}", cut)


def explore(lock, settings, until_found, out):
    extra = settings.get("arguments", [])
    if not until_found:
        return explore_once(lock, settings.get("budget_s", EXPLORE_S[-1]), extra, out)
    results = []
    for budget_s in EXPLORE_S:
        results.append(explore_once(lock, budget_s, extra, out))
        if any(fits(one, settings.get("finds", [])) for one in results[-1].found):
            break  # else the search may have been cut before it came to the cheapest
    results[-1].seconds = sum(one.seconds for one in results)
    return results[-1]


def unconfirmed(trial):
    """(property, kind) of what the run's controls did not confirm: that a fault was the cause."""
    return {(one["property"], one["kind"]) for one in trial.get("causes", [])
            if one["of_fault"] and one["state"] == "unconfirmed"}  # fmt: skip


def violations(verdict):
    """property:kind of all that a run found and did not expect. A fault is a cause only if the controls say so."""
    found = set()
    for cell in verdict["cells"]:
        for trial in cell["trials"]:
            for one in trial.get("mismatches", []):
                word, _, kinds = one["seen"].partition(":")
                expected = one["expected"].partition(":")[2].split(",")
                if word == "violated":
                    said = {(one["property"], kind) for kind in kinds.split(",") if kind not in expected}
                    found.update(map(":".join, said - unconfirmed(trial)))
    return sorted(found)


def generated(lock, settings, until_found, out):
    begin = time.monotonic()
    extra = [*settings.get("arguments", []), *(["--first", "--time-budget", f"{GENERATED_S}s"] if until_found else [])]
    code, _, shown = call(["run", "generated", "--lock", lock, "-q", *extra], out)
    seconds = time.monotonic() - begin
    try:
        verdict = json.loads((out / "latest" / "verdict.json").read_text())
    except (OSError, ValueError):
        return Result(code, [], seconds, shown)
    return Result(code, violations(verdict), seconds, shown)


def ask(tool, lock, settings, until_found):
    with tempfile.TemporaryDirectory(prefix="holdfast-planted-") as folder:
        return {"explore": explore, "generated": generated}[tool](lock, settings, until_found, pathlib.Path(folder))


def consequence(tool, found, wanted):
    """Once two hold the lock, or one has lost it, what else a run sees follows. A fault that is blamed does not."""
    kinds = {one.partition(":")[2] for one in wanted}
    return tool == "generated" and found.partition(":")[2] in {*CONSEQUENCES, *kinds}


def fits(found, wanted):
    """`ownership` is any kind of it."""
    return any(found == one or found.startswith(one + ":") for one in wanted)


def faults_of_bug(bug, results):
    """What is wrong with what the tools said of a bug."""
    wrong, caught = [], False
    for tool, result in results.items():
        settings = bug.get(tool, {})
        wanted, missed = settings.get("finds", []), settings.get("missed")
        right = [one for one in result.found if fits(one, wanted)]
        odd = [one for one in result.found if not fits(one, [*wanted, *settings.get("also", [])])]
        odd = [one for one in odd if not (right and consequence(tool, one, wanted))]
        caught = caught or bool(right)
        if missed and right:
            wrong.append(f"{tool} finds it now: take the reason out ({missed})")
        if result.failed and not missed:
            wrong.append(f"{tool} failed")
        if wanted and not right and not missed:
            wrong.append(f"{tool} did not find {' or '.join(wanted)}")
        if odd:
            wrong.append(f"{tool} found {', '.join(odd)}")
    return wrong if caught or left_to_others(bug, results) else [*wrong, "nothing caught it"]


def left_to_others(bug, asked):
    """Only some tools were asked, and none of them is said to find it; or all are known to miss it."""
    able = [tool for tool in TOOLS if bug.get(tool, {}).get("finds") and not bug[tool].get("missed")]
    return not able or not set(able) & set(asked)


def faults_of_twin(twin, results):
    wrong = []
    for tool, result in results.items():
        inherent = twin.get(tool, {}).get("inherent", [])
        accused = [one for one in result.found if not fits(one, inherent)]
        if accused:
            wrong.append(f"{tool} accuses it: {', '.join(accused)}")
        elif not result.judged and not (result.cut or 0) > 0:
            wrong.append(f"{tool} did not judge it")
    return wrong


def examine(entry, is_bug, tools):
    results = {}
    for tool in tools:
        settings = entry.get(tool, {})
        if not settings.get("skip"):
            results[tool] = ask(tool, entry["lock"], settings, is_bug)
    wrong = (faults_of_bug if is_bug else faults_of_twin)(entry, results)
    return entry, is_bug, results, wrong


def line(entry, is_bug, results):
    cells = [f"`{entry['lock']}`", entry["why"] if is_bug else f"sound: {entry['about']}"]
    for tool in TOOLS:
        result = results.get(tool)
        if result is None:
            cells += ["not asked", ""]
            continue
        nothing = "nothing" if result.cut is None else f"nothing below cost {result.cut}"
        said = ", ".join(f"`{one}`" for one in result.found) or ("an error" if result.failed else nothing)
        cells += [said, f"{result.seconds:.1f}"]
    return f"| {' | '.join(cells)} |"


def head():
    return ["| lock | mistake | explore | s | generated suite | s |", "|---|---|---|---|---|---|"]


def chosen(expected, arguments):
    bugs, twins = expected["bugs"], expected["twins"]
    if arguments.few:
        bugs = [bug for bug in bugs if bug.get("few")]
        twins = [twin for twin in twins if twin["lock"] in {bug["twin"] for bug in bugs}]
        for twin in twins:
            twin.setdefault("explore", {})["budget_s"] = FEW_S
    if arguments.names:
        bugs = [bug for bug in bugs if bug["lock"] in arguments.names]
        twins = [twin for twin in twins if twin["lock"] in arguments.names]
    return [(bug, True) for bug in bugs] + [(twin, False) for twin in twins]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--few", action="store_true")
    parser.add_argument("--tools", default=",".join(TOOLS))
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--table")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    if why := needs.refused_lab():
        print(f"SKIP: {why}")
        return needs.SKIPPED
    tools = [tool for tool in arguments.tools.split(",") if tool]
    entries = chosen(json.loads((HERE / "expected.json").read_text()), arguments)
    lines, failed = head(), 0
    print("\n".join(lines), flush=True)
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for entry, is_bug, results, wrong in pool.map(lambda one: examine(*one, tools), entries):
            lines.append(line(entry, is_bug, results))
            print(lines[-1], flush=True)
            failed += bool(wrong)
            for text in wrong:
                print(f"FAIL {entry['lock']}: {text}", flush=True)
            if wrong:
                print("".join(f"    {result.shown}\n" for result in results.values()), flush=True)
    if arguments.table:
        pathlib.Path(arguments.table).write_text("\n".join(lines) + "\n")
    bugs = sum(is_bug for _, is_bug in entries)
    print(f"{bugs} bugs, {len(entries) - bugs} sound twins, {failed} failed")
    return 1 if failed or not entries else 0


if __name__ == "__main__":
    sys.exit(main())
