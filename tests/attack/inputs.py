"""Cases of the attack with changed inputs: for each kind of input the files, a change, and a command that reads them.

    case = laid(choose, corpus, place)        # writes files below `place` and changes one of them
    case.command                              # ["report", "run", "--json"], to be called in `place`

Most commands only read, so thousands of them run in a minute. A run that is resumed or merged has nothing left to
run; if a change makes it run something, its time budget is a second.
"""

import contextlib
import dataclasses
import hashlib
import json
import os
import pathlib
import shutil
import stat

from mutations import EVIL_TEXTS, mutated
from words import environment_words, random_words

JSON_FILES = {"result.json": "json", "history.jsonl": "lines", "only.txt": "text"}
MODELS = ["owner", "plain", "reentrant", "fenced", "lease", "leader", "read_write", "semaphore:2"]
FORMATS = ["annotations", "code_quality", "html", "json", "junit", "markdown", "outputs", "sarif", "trace"]
CELLS = ["ip_lease/none", "ip_lease/short", "insert_lease/short"]


@dataclasses.dataclass
class Case:
    kind: str
    command: list
    named: list = dataclasses.field(default_factory=list)  # an error has one of these words
    done: str = ""  # to which file what was done
    environment: dict = dataclasses.field(default_factory=dict)
    may_wait: bool = False  # a FIFO named on the command line has no writer here
    starts: bool = False  # a valid input starts a lab


def kind_of(path):
    if path.name in JSON_FILES:
        return JSON_FILES[path.name]
    endings = {".json": "json", ".jsonl": "lines", ".edn": "text", ".journal": "bytes", "": "text"}
    return endings.get(path.suffix, "text")


def damaged(choose, place, files, inside=True):
    """One of the files is changed, or something else stands in its place; what was done, and to which file."""
    path = choose.choice(files)
    shown = str(path.relative_to(place))
    if choose.random() < 0.06:
        return path, f"{shown}: {replaced(choose, path, inside)}"
    data, said = mutated(choose, path.read_bytes(), kind_of(path))
    path.write_bytes(data)
    return path, f"{shown}: {said}"


def replaced(choose, path, inside):
    """No plain file. A FIFO only inside a folder: one that is named may be waited for."""
    ways = ["gone", "folder", "link to nothing", "link to itself", "link to zeros", "link to a file", "closed"]
    way = choose.choice(ways + (["FIFO", "FIFO"] if inside else []))
    data = path.read_bytes()
    path.unlink()
    if way == "folder":
        path.mkdir()
    elif way == "FIFO":
        os.mkfifo(path)
    elif way == "closed":
        path.write_bytes(data)
        path.chmod(0)
    elif way != "gone":
        elsewhere = path.parent / "elsewhere"
        elsewhere.write_bytes(data)
        targets = {"link to nothing": "nothing", "link to itself": path.name, "link to zeros": "/dev/zero"}
        path.symlink_to(targets.get(way, "elsewhere"))
    return way


def sums_made_right(run):
    """Corrects the sums of each trial's files, as an attacker would."""
    for result in run.glob("cells/*/*/*/result.json"):
        if not result.is_file():
            continue
        try:
            content = json.loads(result.read_bytes())
            for name in content["sums"]:
                file = result.parent / name
                if file.is_file() and file.stat().st_size < 1 << 26:  # no device
                    content["sums"][name] = hashlib.sha256(file.read_bytes()).hexdigest()
            result.write_text(json.dumps(content))
        except (OSError, ValueError, LookupError, TypeError, RecursionError):
            continue  # it was changed itself


# --- the kinds


def scenario(choose, corpus, place):
    shutil.copy(choose.choice(corpus.files("scenarios")), place / "s.json")
    path, done = damaged(choose, place, [place / "s.json"], inside=False)
    commands = [
        ["plan", "s.json"],
        ["plan", "s.json", "--only", "*", "--seed", "5"],
        ["plan", "s.json", "--lock", "get_lock"],
        ["run", "s.json", "--only", "zz/none", "--quiet"],
        ["compare", "get_lock", "--scenario", "s.json", "--set", "no_such=1"],
    ]
    return Case("scenario", choose.choice(commands), ["s.json", "zz/none", "no_such", "'get_lock'", "s:"], done)


def suite(choose, corpus, place):
    (place / "suite").mkdir()
    for number in range(3):
        shutil.copy(choose.choice(corpus.files("scenarios")), place / f"suite/s{number}.json")
    path, done = damaged(choose, place, sorted(place.glob("suite/*")))
    commands = [["plan", "suite"], ["locks", "--scenarios", "."], ["run", "suite", "--only", "zz/none", "--quiet"]]
    return Case("suite", choose.choice(commands), [path.name, "suite/", "suite:", "zz/none"], done)


def lock_file(choose, corpus, place):
    source = choose.choice(corpus.files("lock_files", "*/*"))
    path = place / source.name
    shutil.copy(source, path)
    path, done = damaged(choose, place, [path], inside=False)
    commands = [
        ["plan", "generated", "--lock", path.stem, "--lock-file", path.name],
        ["plan", "generated", "--lock", path.stem, "--lock-file", path.name, "--only", "*/none"],
        ["run", "generated", "--lock", path.stem, "--lock-file", path.name, "--only", "zz/none", "--quiet"],
    ]
    return Case("lock file", choose.choice(commands), [path.name, path.stem, "zz/none"], done)


def manifest(choose, corpus, place):
    shutil.copytree(choose.choice(corpus.files("manifests")), place / "my_lock")
    name = json.loads((place / "my_lock/lock.json").read_text())["name"]
    path, done = damaged(choose, place, sorted((place / "my_lock").glob("lock.*")), inside=False)
    given = ["--adapter", choose.choice(["my_lock", "my_lock/lock.json"])]
    commands = [
        ["plan", "generated", "--lock", name, *given],
        ["list", "locks"],
        ["run", "generated", "--lock", name, *given, "--only", "zz/none", "--quiet"],
    ]
    command = choose.choice(commands[:1] + commands[2:])
    return Case("manifest", command, ["my_lock/", name, "zz/none"], done)


def history(choose, corpus, place):
    names = []
    for number in range(choose.choice([1, 1, 1, 2])):
        source = choose.choice(corpus.files("histories"))
        names.append(f"h{number}" + (source.suffix or ".edn"))
        shutil.copy(source, place / names[-1])
    path, done = damaged(choose, place, [place / name for name in names], inside=False)
    more = choose.choice(
        [
            [],
            [],
            ["--json"],
            ["--first"],
            ["--export", "jsonl"],
            ["--export", "edn"],
            ["--merge"],
            ["--merge", "--json"],
            ["--not-held", "client"],
        ]
    )
    model = ["--model", choose.choice(MODELS)] if choose.random() < 0.5 else []
    command = ["check", *names, *more, *model]
    if choose.random() < 0.15:
        command = ["report", names[0], *model]
    return Case("history", command, [*names, "--export takes one"], done)


def journals(choose, corpus, place):
    trial = choose.choice(corpus.files("run", "cells/*/*/1"))
    (place / "journals").mkdir()
    for file in trial.glob("*.journal"):
        shutil.copy(file, place / "journals")
    path, done = damaged(choose, place, sorted(place.glob("journals/*")))
    command = ["check", choose.choice(["journals", "journals", f"journals/{path.name}"])]
    command += choose.choice([[], ["--json"], ["--export", "jsonl"]])
    return Case("journal", command, ["journals"], done, may_wait=command[1] != "journals")


def stored_run(choose, corpus, place):
    shutil.copytree(corpus.folder / "run", place / "run")
    files = sorted(path for path in place.glob("run/**/*") if path.is_file() and path.suffix != ".journal")
    top = [path for path in files if path.parent.name == "run" and path.suffix == ".json"]
    path, done = damaged(choose, place, choose.choice([files, top]))
    if choose.random() < 0.6:
        sums_made_right(place / "run")
    cell = choose.choice(CELLS)
    trial = f"run/cells/{cell}/1"
    commands = [
        ["report", "run"],
        ["report", "run", "--json"],
        ["table", "run"],
        ["table", "run", "--json"],
        ["report", "run", "--format", choose.choice(FORMATS)],
        ["table", "run", "--markdown"],
        ["report", "run", "--format", choose.choice(FORMATS), "--cell", cell],
        ["check", trial],
        ["check", trial, "--json"],
        ["report", f"{trial}/history.jsonl"],
        ["report", "."],
        ["list", "runs"],
        ["run", "--resume", "run", "--time-budget", "1s", "--quiet"],
        ["run", "--resume", "run", "--time-budget", "1s", "--quiet", "--again"],
        ["replay", "run", cell, "--out", "out", "--quiet"],
    ]
    command = choose.choice(commands)
    if command[0] == "run" and choose.random() < 0.8:
        shutil.rmtree(place / "run/verdict.json", ignore_errors=True)
        (place / "run/verdict.json").unlink(missing_ok=True)
    starts = command[0] in ("run", "replay")
    return Case(
        "run", command, ["run", cell, "scenarios/"], done, starts=starts, may_wait=f"{trial}/history.jsonl" in command
    )


def shards(choose, corpus, place):
    """Input for a run, a search or a comparison."""
    kind = "shard" if corpus.small else choose.choice(["shard", "search", "comparison"])
    for i in (1, 2):
        shutil.copytree(corpus.folder / f"{kind}{i}", place / f"part{i}")
    files = sorted(path for path in place.glob("part*/**/*") if path.is_file() and path.suffix != ".journal")
    top = [path for path in files if path.parent.name.startswith("part") and path.suffix == ".json"]
    path, done = damaged(choose, place, choose.choice([files, top]))
    if choose.random() < 0.5:
        for i in (1, 2):
            sums_made_right(place / f"part{i}")
    command = ["merge", "part1", "part2", "--out", "out", *choose.choice([[], ["--json"]])]
    return Case(f"shards ({kind})", command, ["part1", "part2"], done)


def baseline(choose, corpus, place):
    shutil.copy(corpus.folder / "baseline.json", place / "b.json")
    path, done = damaged(choose, place, [place / "b.json"], inside=False)
    for i in (1, 2):
        shutil.copytree(corpus.folder / f"shard{i}", place / f"part{i}")
    command = ["merge", "part1", "part2", "--out", "out", "--baseline", "b.json", *choose.choice([[], ["--json"]])]
    return Case("baseline", command, ["b.json"], done)


def comparison(choose, corpus, place):
    source = choose.choice([corpus.folder / "comparison1/compare.json", corpus.folder / "run/verdict.json"])
    shutil.copy(source, place / "c.json")
    path, done = damaged(choose, place, [place / "c.json"], inside=False)
    command = ["compare", "get_lock", "--baseline", "c.json", "--scenario", "no_such"]
    return Case("comparison", command, ["c.json", "no_such"], done)


def stored_search(choose, corpus, place):
    """Input for a search or a soak: the contents of its folder, and the schedules that it found."""
    kind = choose.choice(["search", "soak", "comparison1"])
    shutil.copytree(corpus.folder / kind, place / "run")
    files = sorted(path for path in place.glob("run/**/*") if path.is_file() and path.suffix != ".journal")
    path, done = damaged(choose, place, files)
    commands = [
        ["report", "run"],
        ["report", "run", "--json"],
        ["report", "."],
        ["list", "runs"],
        ["table", "run"],
        ["report", "run", "--format", choose.choice(FORMATS)],
    ]
    return Case(kind, choose.choice(commands), ["run"], done)


def schedule(choose, corpus, place):
    shutil.copy(choose.choice(corpus.files("search", "*.replay")), place / "x.replay")
    path, done = damaged(choose, place, [place / "x.replay"], inside=False)
    return Case("schedule", ["replay", "x.replay", "--quiet", "--out", "out"], ["x.replay"], done, starts=True)


def cells_file(choose, corpus, place):
    shutil.copy(corpus.folder / "scenarios/short.json", place / "s.json")
    (place / "cells.txt").write_text("# some\n" + "ip_lease/*\ninsert_lease/s\n" * choose.choice([1, 50]))
    path, done = damaged(choose, place, [place / "cells.txt"], inside=False)
    return Case("cells", ["plan", "s.json", "--only", "@cells.txt"], ["cells.txt", "--only"], done)


def hosts(choose, corpus, place):
    shutil.copy(corpus.folder / "scenarios/short.json", place / "s.json")
    nodes = [{"run": "false", "folder": "/x"}, {"name": "n", "run": "env", "server": "127.0.0.1:1"}]
    (place / "hosts.json").write_text(json.dumps({"nodes": nodes}))
    shutil.copytree(corpus.folder / "manifests/redis_token_py", place / "my_lock")
    path, done = damaged(choose, place, [place / "hosts.json"], inside=False)
    command = [
        "run",
        "s.json",
        "--lock",
        "redis_token_py",
        "--adapter",
        "my_lock",
        "--target",
        "redis://127.0.0.1:1",
        "--hosts",
        "hosts.json",
        "--quiet",
    ]
    return Case("hosts", command, ["hosts.json"], done)


def words(choose, corpus, place):
    """No file is changed: the command line is."""
    shutil.copy(corpus.folder / "scenarios/short.json", place / "s.json")
    shutil.copytree(corpus.folder / "run", place / "run")
    for i in (1, 2):
        shutil.copytree(corpus.folder / f"shard{i}", place / f"part{i}")
    shutil.copy(corpus.files("histories", "*.jsonl")[0], place / "h.jsonl")
    (place / "there.html").write_text("there")
    (place / "link.html").symlink_to("there.html")
    with contextlib.suppress(PermissionError):  # only root makes devices
        os.mknod(place / "full", 0o666 | stat.S_IFCHR, os.makedev(1, 7))
    return Case("words", random_words(choose, EVIL_TEXTS), [], "the command line")


def variables(choose, corpus, place):
    shutil.copy(corpus.folder / "scenarios/short.json", place / "s.json")
    shutil.copytree(corpus.folder / "run", place / "run")
    commands = [
        ["run", "s.json", "--shard", "auto", "--seed", "1", "--only", "zz/none", "--quiet"],
        ["report", "run"],
        ["clean", "--target", "mysql://a@127.0.0.1:1/b"],
        ["report", "run", "--format", "annotations"],
    ]
    changed = environment_words(choose, EVIL_TEXTS)
    return Case("variables", choose.choice(commands), [], f"the environment: {changed}", environment=changed)


KINDS = [
    (scenario, 16),
    (suite, 6),
    (lock_file, 10),
    (manifest, 10),
    (history, 16),
    (journals, 6),
    (stored_run, 20),
    (shards, 8),
    (baseline, 3),
    (cells_file, 2),
    (hosts, 3),
    (words, 14),
    (variables, 3),
]
WITH_SEARCHES = [(comparison, 3), (stored_search, 6), (schedule, 1)]


def laid(choose, corpus, place, only=""):
    """A case of some kind, its files below `place`."""
    kinds = KINDS + ([] if corpus.small else WITH_SEARCHES)
    if only:
        kinds = [one for one in kinds if one[0].__name__ == only]
    (make,) = choose.choices([one for one, _ in kinds], [weight for _, weight in kinds])
    return make(choose, corpus, pathlib.Path(place))
