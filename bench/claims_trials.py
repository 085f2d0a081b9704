"""Runs generated scenarios and reads what their histories say; for claims.py.

    with Trials("build/release/holdfast", 7) as trials:
        seen = trials.run({"calm": {"locks": ["insert_lease"], "clients": 4}}, repeat=5)
        seen["calm"]["insert_lease"][0].grants_per_second()

Nothing is judged here, so that no trial is repeated and none gets controls; a trial that failed is an error.
Times are seconds.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

LOAD = {"clients": 1, "keys": 1, "hold_ms": 0, "pause_ms": 0, "poll_ms": 5, "duration_ms": 3000}
PROPERTIES = ["mutual_exclusion", "lease_exclusion", "ownership", "progress", "resource", "fencing"]
FREE = {"coverage": {"grants": 1, "attempts_in_hold": 0}, "expect": {"*": dict.fromkeys(PROPERTIES, "not_judged")}}


class History:
    """One trial's history, as far as claims need it."""

    def __init__(self, path):
        with open(path) as lines:
            self.header = json.loads(next(lines))
            events = [json.loads(line) for line in lines]
        self.lock = self.header["lock"]
        self.load_end = next(e["time"] for e in events if e.get("step") == "load_end") / 1e9
        self.events = events
        self.ended = [e for e in events if e["type"] != "invoke" and e.get("op")]
        self.done = [e for e in self.ended if e["time"] / 1e9 < self.load_end]
        self.sent = {(e["process"], e["op"]): e["time"] / 1e9 for e in events if e["type"] == "invoke"}

    def begun(self):
        """Statements sent under load: also of operations that ended later, so that no slow one is left out."""
        return [s for e in self.ended for s in e.get("statements", []) if s["call"] / 1e9 < self.load_end]

    def completed(self, what, kind=None):
        return [e for e in self.done if e["f"] == what and kind in (None, e["type"])]

    def grants(self):
        """When each grant was asked for and answered."""
        return sorted((self.sent[e["process"], e["op"]], e["time"] / 1e9) for e in self.completed("acquire", "ok"))

    def grants_per_second(self):
        return len(self.grants()) / self.load_end

    def took(self, what, kind=None):
        return [e["time"] / 1e9 - self.sent[e["process"], e["op"]] for e in self.completed(what, kind)]

    def statement_times(self, name):
        """Statements that found or changed a row."""
        found = (s for s in self.statements() if s["name"] == name and s["rows"] > 0)
        return [(s["return"] - s["call"]) / 1e9 for s in found]

    def statements(self):
        return [s for e in self.done for s in e.get("statements", [])]


class Trials:
    def __init__(self, program, seed):
        self.program = str(pathlib.Path(program).resolve())
        self.seed = seed
        self.server = set()

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="holdfast-claims-")
        return self

    def __exit__(self, *_):
        self.folder.cleanup()

    def run(self, scenarios, repeat=1, jobs=1):
        """{name: keys of a scenario} -> {name: {lock: [History]}}; each repetition goes through all of them in turn, or
        through `jobs` of them side by side."""
        out = {name: {lock: [] for lock in keys["locks"]} for name, keys in scenarios.items()}
        for _ in range(repeat):
            self.seed += 1
            for path in self.once(scenarios, jobs).glob("cells/*/*/1/history.jsonl"):
                out[path.parts[-3]][path.parts[-4]].append(History(path))
        return out

    def once(self, scenarios, jobs, more=()):
        work = pathlib.Path(self.folder.name) / str(self.seed)
        (work / "scenarios").mkdir(parents=True)
        for name, keys in scenarios.items():
            (work / "scenarios" / f"{name}.json").write_text(json.dumps({**LOAD, **FREE, **keys}))
        command = [self.program, "run", work / "scenarios", "--out", work / "runs", "--seed", str(self.seed)]
        subprocess.run([*command, "--jobs", str(jobs), "--quiet", *more], stdout=subprocess.DEVNULL, check=False)
        verdict = json.loads((work / "runs" / "latest" / "verdict.json").read_text())
        for trial in (t for cell in verdict["cells"] for t in cell["trials"]):
            if trial["error"]:
                sys.exit(trial["error"])
        self.server.update(verdict["server"].split(", "))
        return (work / "runs" / "latest").resolve()
