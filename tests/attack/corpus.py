"""Whole files of every kind that the program reads, which the attack changes.

    corpus = Corpus(folder, source); corpus.make(program)      # some 30 s; with small=True some 3 s, runs only

Scenarios, locks and histories come from the source tree. Runs, shards, searches, comparisons and a soak are made by
the program, in real labs. A folder that already holds a corpus is used unchanged.
"""

import json
import pathlib
import re
import shutil
import subprocess

# Three clients for half a second: one lock that holds, and one that does not.
SCENARIO = pathlib.Path(__file__).with_name("short.json")
LOCKS = ["ip_lease", "insert_lease"]
NOT_KEPT = ("*.log", "*.html", "trace.json", "latest")
MOST_HISTORY = 40_000  # bytes, so that a command is done in milliseconds
MANY_HISTORIES = 60


class Corpus:
    def __init__(self, folder, source):
        self.folder, self.source = pathlib.Path(folder).resolve(), pathlib.Path(source)
        self.small = True

    def files(self, name, pattern="*"):
        """Those of a kind, in an order that does not depend on the machine."""
        return sorted(path for path in (self.folder / name).glob(pattern))

    def make(self, program, small=False):
        done = self.folder / "done.json"
        if not done.exists():
            self.folder.mkdir(parents=True, exist_ok=True)
            self.copy()
            self.run(program, small)
            done.write_text(json.dumps({"small": small}))
        self.small = json.loads(done.read_text())["small"]

    def copy(self):
        for kind in ("scenarios", "lock_files", "histories", "manifests"):
            (self.folder / kind).mkdir(exist_ok=True)
        for path in sorted(self.source.glob("scenarios/*/*.json")) + sorted(self.source.glob("adapters/scenarios/*")):
            shutil.copy(path, self.folder / "scenarios" / f"{path.parent.name}_{path.name}")
        shutil.copy(SCENARIO, self.folder / "scenarios/short.json")
        self.copy_locks()
        histories = [
            path for path in sorted(self.source.glob("tests/histories/*.jsonl")) if path.stat().st_size <= MOST_HISTORY
        ]
        step = max(1, len(histories) // MANY_HISTORIES)
        foreign = sorted(self.source.glob("tests/fuzz/corpus/histories/*edn*"))
        for path in histories[::step] + foreign:
            shutil.copy(path, self.folder / "histories" / path.name)

    def copy_locks(self):
        for number, (language, text) in enumerate(lock_files(self.source / "docs/lock_file.md")):
            name = "my_token" if "redis" in language else re.search(r"CREATE TABLE (\w+)", text)[1]
            place = self.folder / "lock_files" / str(number)
            place.mkdir(exist_ok=True)
            (place / f"{name}.{language}").write_text(text)
        for path in sorted(self.source.glob("adapters/*/lock.json")):
            place = self.folder / "manifests" / path.parent.name
            place.mkdir(exist_ok=True)
            for file in path.parent.glob("lock.*"):
                shutil.copy(file, place)

    def run(self, program, small):
        scenario = ["scenarios/short.json"]
        self.call(program, "run", *scenario, "--seed", "7", "--write-baseline", "baseline.json", keep="run")
        for i in (1, 2):
            self.call(program, "run", *scenario, "--seed", "7", "--shard", f"{i}/2", keep=f"shard{i}")
        if small:
            return
        (self.folder / "two").mkdir()
        for name in ("a.json", "b.json"):
            shutil.copy(SCENARIO, self.folder / "two" / name)
        for i in (1, 2):
            search = ["explore", *LOCKS, "--budget", "2s", "--shard", f"{i}/2"]
            self.call(program, *search, keep=f"search{i}")
            beside = ["compare", *LOCKS, "--scenario", "two", "--seed", "7", "--shard", f"{i}/2"]
            self.call(program, *beside, keep=f"comparison{i}")
        self.call(program, "explore", "ip_lease", "--budget", "2s", keep="search")
        self.call(program, "soak", *scenario, "--for", "2s", "--seed", "7", keep="soak")

    def call(self, program, *command, keep):
        out = self.folder / f"out_{keep}"
        answer = subprocess.run(
            [program, *command, "--out", out, "--quiet"], cwd=self.folder, capture_output=True, text=True, check=False
        )
        made = sorted(path for path in out.glob("2*")) if out.exists() else []
        if answer.returncode not in (0, 1, 3) or len(made) != 1:
            raise SystemExit(f"no corpus: {command} ended with {answer.returncode}\n{answer.stdout}\n{answer.stderr}")
        shutil.copytree(made[0], self.folder / keep, ignore=shutil.ignore_patterns(*NOT_KEPT))
        shutil.rmtree(out)


def lock_files(page):
    """(language, text) of each whole lock on the page about them."""
    blocks = re.findall(r"```(sql|sh)\n(.*?)```", page.read_text(), re.DOTALL)
    return [("redis" if kind == "sh" else "sql", text) for kind, text in blocks if "name: acquire" in text]
