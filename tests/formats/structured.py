"""Formats that a parser reads: each is given to one that is not ours."""
import collections
import json
import pathlib
import re
import subprocess
import tempfile
import xml.etree.ElementTree as ElementTree

import jsonschema
import structure

HERE = pathlib.Path(__file__).resolve().parent
DOCS = HERE.parent.parent / "docs"
FINE = ("as_expected", "allowed", "caught")
ENDINGS = {
    "as_expected": "", "allowed": "", "caught": "",
    "unexpected": "failure", "missed": "failure", "harness_error": "error",
    "undecided": "error", "nothing_judged": "error", "not_run": "error", "unavailable": "skipped",
}  # fmt: skip


def strict_json(text):
    def refuse(word):
        raise ValueError(f"{word} is no JSON")

    return json.loads(text, parse_constant=refuse)


def schema_errors(value, name):
    schema = json.loads((DOCS / f"{name}.schema.json").read_text())
    for error in jsonschema.Draft7Validator(schema).iter_errors(value):
        yield f"{'/'.join(map(str, error.absolute_path))}: {error.message[:300]}"


def verdict(text, _verdict):
    yield from schema_errors(strict_json(text), "verdict")


def html(text, _verdict):
    with tempfile.NamedTemporaryFile("w", suffix=".html") as file:
        file.write(text)
        file.flush()
        yield from structure.errors(file.name)


def against_xsd(text):
    with tempfile.NamedTemporaryFile("w", suffix=".xml") as file:
        file.write(text)
        file.flush()
        command = ["xmllint", "--noout", "--nonet", "--schema", str(HERE / "junit.xsd"), file.name]
        done = subprocess.run(command, capture_output=True, text=True)
    return [] if done.returncode == 0 else done.stderr.splitlines()[:5]


def junit(text, run):
    wrong = against_xsd(text)
    yield from wrong
    if wrong:
        return
    root = ElementTree.fromstring(text)
    cases = root.findall("testsuite/testcase")
    grades = [] if run.get("baseline") else [one["grade"] for one in run.get("grades", [])]
    if len(cases) != len(run["cells"]) + len(grades):
        yield f"{len(cases)} cases of {len(run['cells'])} cells and {len(grades)} grades"
    counts = collections.Counter(child.tag for case in cases for child in case)
    stated = {"failures": "failure", "errors": "error", "skipped": "skipped"}
    for where in (root, *root.findall("testsuite")):
        inside = where.iter("testcase")
        own = collections.Counter(child.tag for case in inside for child in case)
        for attribute, tag in stated.items():
            if where is root and tag == "skipped":
                continue  # stated only by each suite
            if int(where.get(attribute)) != own[tag]:
                yield f"{where.tag} says {where.get(attribute)} {attribute}, there are {own[tag]}"
    wanted = collections.Counter(ENDINGS[cell["outcome"]] for cell in run["cells"])
    if run["exit_code"] == 4:  # nothing could run: skipped cases alone would look like a success
        wanted["error"] += wanted.pop("skipped", 0)
    wanted["failure"] += grades.count("broken")
    wanted["error"] += grades.count("not_known")
    for tag in ("failure", "error", "skipped"):
        if counts[tag] != wanted[tag]:
            yield f"{counts[tag]} <{tag}>, the verdict has {wanted[tag]}"
    for told in (*root.iter("failure"), *root.iter("error")):
        if "rerun: " not in (told.text or ""):
            yield "a body without the command that runs it again"


BADLY = {outcome for outcome in ENDINGS if outcome not in FINE}
HERE_OR_BELOW = re.compile(r"(?!/)(?!(.*/)?\.\.(/|$)).+")


def code_quality(text, run):
    """GitLab's issues: one for each cell that is not as expected; fingerprints tell them apart."""
    issues = strict_json(text)
    badly = sum(cell["outcome"] in BADLY for cell in run["cells"])
    if len(issues) != badly:
        yield f"{len(issues)} issues, of {badly} cells that are not as expected"
    if len({issue["fingerprint"] for issue in issues}) != len(issues):
        yield "two issues with the same fingerprint"
    for issue in issues:
        if set(issue) != {"description", "check_name", "fingerprint", "severity", "location"}:
            yield f"its keys are {sorted(issue)}"
        if issue["severity"] not in ("info", "minor", "major", "critical", "blocker"):
            yield f"unknown severity {issue['severity']}"
        if not re.fullmatch("[0-9a-f]{32}", issue["fingerprint"]) or "rerun: " not in issue["description"]:
            yield f"a fingerprint or a description that is none: {issue}"
        if not HERE_OR_BELOW.fullmatch(issue["location"]["path"]) or issue["location"]["lines"]["begin"] < 1:
            yield f"no place in the sources: {issue['location']}"


def sarif(text, run):
    """SARIF 2.1: what its schema requires of these objects, and the rules that a schema cannot state."""
    log = strict_json(text)
    if log["version"] != "2.1.0" or len(log["runs"]) != 1:
        yield f"version {log['version']}, {len(log['runs'])} runs"
    only = log["runs"][0]
    rules = only["tool"]["driver"]["rules"]
    badly = sum(cell["outcome"] in BADLY for cell in run["cells"])
    if len(only["results"]) != badly:
        yield f"{len(only['results'])} results, of {badly} cells that are not as expected"
    if len({rule["id"] for rule in rules}) != len(rules) or not all(rule["shortDescription"]["text"] for rule in rules):
        yield f"rules twice or without a text: {rules}"
    for one in only["results"]:
        if rules[one["ruleIndex"]]["id"] != one["ruleId"] or one["level"] not in ("error", "warning", "note"):
            yield f"no such rule or level: {one['ruleId']}, {one['level']}"
        if "rerun: " not in one["message"]["text"] or one.get("baselineState", "new") not in ("new", "unchanged"):
            yield f"a message without a command, or an unknown state: {one}"
        place = one["locations"][0]["physicalLocation"]
        uri = place["artifactLocation"]["uri"]
        if not re.fullmatch(r"([\w.~/-]|%[0-9A-F]{2})+", uri, re.ASCII) or not HERE_OR_BELOW.fullmatch(uri):
            yield f"no relative reference: {uri[:200]!r}"
        if place["artifactLocation"]["uriBaseId"] not in ("%SRCROOT%", "RUN") or place["region"]["startLine"] < 1:
            yield f"no place: {place}"
    call = only["invocations"][0]
    if call["exitCode"] != run["exit_code"] or call["executionSuccessful"] != (run["exit_code"] in (0, 1)):
        yield f"the run ended with {run['exit_code']}, not as in {call}"


def trace(text, _verdict):
    data = strict_json(text)
    open_slices, last, holders, named = collections.defaultdict(int), {}, {}, set()
    for event in data["traceEvents"]:
        track, kind = (event["pid"], event.get("tid")), event["ph"]
        if kind == "M":
            named.add(track if event["name"] == "thread_name" else event["pid"])
            continue
        if kind == "C":
            track = (event["pid"], event["name"])
            holders[track] = event["args"]["holders"]
            if holders[track] < 0:
                yield f"{track}: a counter below 0"
        if event["ts"] < last.get(track, event["ts"]):
            yield f"{track}: time goes back at {event['ts']}"
        last[track] = event["ts"]
        if kind in "BE":
            open_slices[track] += 1 if kind == "B" else -1
            if open_slices[track] < 0:
                yield f"{track}: an end without its begin"
            if track not in named or event["pid"] not in named:
                yield f"{track}: a track without a name"
        elif kind != "C":
            yield f"an event of kind {kind}"
    yield from (f"{track}: a begin without its end" for track, depth in open_slices.items() if depth > 0)
    yield from (f"{track}: ends at {value} holders" for track, value in holders.items() if value != 0)
