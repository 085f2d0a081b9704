#!/usr/bin/env python3
"""Adapters that misbehave in every way that hostile_adapter.py knows, each in a small run beside sound locks.

    tests/attack/hostile_adapters.py --program build/release/holdfast
    tests/attack/hostile_adapters.py --program build/asan/holdfast --only 'replaces_*' --for 1200
    tests/attack/hostile_adapters.py --program build/release/holdfast --only floods_stderr --keep finds

For each behaviour it calls `run` with three cells (the hostile adapter, a good one, insert_lease), `report`, `check`
of the trial, and `adapter check`. A find is what no command may do (watched_command.py), an outcome that the
behaviour may not have (a harness error is neither a pass nor a violation), another cell that is not as expected, a
run that does not end, a leaked or changed file of the user, outside text that becomes markup, or a folder that grows
without bound. It tries a find again, to exclude load as the cause. Exits with 1 if there is a find. attack_test.py
shows that it finds each of these.
"""

import argparse
import fnmatch
import json
import multiprocessing
import os
import pathlib
import random
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import traceback

import own_world
from hostile_adapter import BEHAVIOURS
from mutations import MARK
from watched_command import Watcher, failings

HERE = pathlib.Path(__file__).resolve().parent
SECRET = "only-its-owner-may-read-this"
MOST_BYTES = 64 << 20  # on the disk, of a run whose adapter writes without end
LEAST_S = 190  # a trial ends after 150 s, whatever is in it
MOST_MB = 600  # sum over the program and the servers that it starts
CELLS = {"insert_lease": ["mysql"], "good": ["redis"]}
SCENARIO = {
    "clients": 3, "lease_ms": 1000, "hold_ms": [20, 60], "poll_ms": 20, "duration_ms": 1500,
    "coverage": {"grants": 2, "attempts_in_hold": 1},
    "expect": {"*": {"ownership": "not_exercised", "resource": "not_exercised"}},
}  # fmt: skip


class Attack:
    def __init__(self, options, folder):
        self.options, self.folder = options, pathlib.Path(folder).resolve()
        self.folder.mkdir(parents=True, exist_ok=True)
        self.folder.chmod(0o755)  # a lab that root starts runs as another user
        self.watcher = Watcher(options.program, self.folder / "watched", options.seconds, MOST_MB, address_space=None)
        self.secret = self.folder / "secret"
        self.secret.write_text(SECRET + "\n")
        self.secret.chmod(0o600)

    def lay(self, name, place):
        """The hostile adapter, the good one, and a scenario for both."""
        remove(place)
        place.mkdir(parents=True)
        place.chmod(0o755)
        for lock, behaviour in (("hostile", name), ("good", "good")):
            adapter = place / lock
            adapter.mkdir()
            for file in ("hostile_adapter.py", "hostile_conversation.py", "hostile_process.py", "mutations.py"):
                shutil.copy(HERE / file, adapter)
            command = ["/usr/bin/python3", "-B", "./hostile_adapter.py", behaviour, str(self.secret)]
            facts = BEHAVIOURS[name].facts if lock == "hostile" else {}
            manifest = {"name": lock, "command": command, "servers": ["redis"], "start_ms": 20_000, **facts}
            (adapter / "lock.json").write_text(json.dumps(manifest))
        (place / "tiny.json").write_text(json.dumps({"locks": ["hostile", *CELLS], **SCENARIO}))

    def commands(self, name):
        """(words, codes that they may end with) of each command, in their order."""
        adapters = ["--adapter", "hostile", "--adapter", "good"]
        run = [
            "run",
            "tiny.json",
            *adapters,
            "--out",
            "out",
            "--seed",
            str(self.options.seed),
            "--quiet",
            "--jobs",
            "3",
        ]
        yield run, (0, 1, 3, 5)
        yield ["report", "out/latest"], (0, 1, 2, 3, 5)  # 5 is the run's own code, 2: its files were changed
        yield ["check", "out/latest/cells/hostile/tiny/1"], (0, 1, 2, 3)
        yield ["adapter", "check", "hostile"], BEHAVIOURS[name].check

    def tried(self, name):
        place = self.folder / "place"
        self.lay(name, place)
        finds, shown = [], []
        for words, codes in self.commands(name):
            seen = self.watcher.run(words, place)
            found = [one for one in failings(seen) if name != "takes_memory" or not one.startswith("takes ")]
            if not seen.hung and seen.code not in codes:
                found.append(f"exit code {seen.code}")
            if words[0] == "run" and not seen.hung:
                found += self.judged(name, place / "out/latest")
            found += self.leaked(seen)
            if found:
                finds += [f"{words[0]}: {one}" for one in found]
                shown.append(
                    f"  cd {place} && " + shlex.join([self.watcher.program, *words]) + f"   # exit {seen.code}"
                )
                shown += ["  | " + line[:300] for line in seen.err.decode(errors="backslashreplace").splitlines()[:6]]
                shown += ["  | " + line[:300] for line in seen.reports.decode(errors="replace").splitlines()[:30]]
        return [*finds, *self.harmed(place)], shown

    def judged(self, name, run):
        """The outcomes of the run's cells."""
        try:
            cells = json.loads((run / "verdict.json").read_bytes())["cells"]
        except (OSError, ValueError, LookupError) as error:
            yield f"no verdict: {error}"
            return
        outcomes = {cell["lock"]: cell["outcome"] for cell in cells}
        for lock, outcome in outcomes.items():
            may_be = BEHAVIOURS[name].may_be if lock == "hostile" else ("as_expected",)
            if outcome not in may_be:
                yield f"the cell of {lock} is {outcome}, and may be {' or '.join(may_be)}"
        if set(outcomes) != {"hostile", *CELLS}:
            yield f"the cells are {sorted(outcomes)}"

    def leaked(self, seen):
        if SECRET.encode() in seen.out + seen.err:
            yield "shows a file that the adapter may not read"

    def harmed(self, place):
        if self.secret.read_text() != SECRET + "\n" or self.secret.stat().st_mode & 0o777 != 0o600:
            self.secret.unlink()
            self.secret.write_text(SECRET + "\n")
            self.secret.chmod(0o600)
            yield "a file that the adapter may not write is changed"
        size = 0
        for folder, _, files in os.walk(place / "out"):
            for file in files:
                path = pathlib.Path(folder, file)
                about = path.lstat()
                size += about.st_blocks * 512
                # The reports of the run, which the adapter may not write.
                if path.parent.parent.name == "out" and path.is_file() and not path.is_symlink():
                    data = path.read_bytes()
                    if SECRET.encode() in data:
                        yield f"{file} shows a file that the adapter may not read"
                    if MARK.encode() in data and file.endswith((".html", ".xml")):
                        yield f"in {file} text from outside is markup"
        if size > MOST_BYTES:
            yield f"keeps {size >> 20} MB"

    def result(self, name):
        finds, shown = self.tried(name)
        if finds and not any("hangs" in one for one in finds):  # a busy machine does not explain other finds
            again, _ = self.tried(name)
            known = {without_numbers(one) for one in again}
            finds = [one + ("" if without_numbers(one) in known else " (not when it was repeated)") for one in finds]
        if finds:
            self.keep(name)
        return finds, shown

    def keep(self, name):
        if not self.options.keep:
            return
        kept = pathlib.Path(self.options.keep).resolve() / name
        remove(kept)
        subprocess.run(["cp", "-a", self.folder / "place", kept], check=False)  # devices and FIFOs, too


def remove(folder):
    """With trees that are deeper than Python's stack."""
    subprocess.run(["rm", "-rf", "--", folder], check=False)


def without_numbers(find):
    return "".join(letter for letter in find if not letter.isdigit())


def work(options, folder, names, over, results):
    """Tries these, and says of each: its name, the finds, and what shows them."""
    attack = Attack(options, folder)
    try:
        for name in names:
            if time.monotonic() < over:
                results.put((name, *attack.result(name)))
    except Exception:  # an error of this file, not of the program
        results.put(("the attack itself", ["failed"], traceback.format_exc().splitlines()))
    finally:
        results.put(None)


def campaign(options, folder):
    names = [name for name in BEHAVIOURS if any(fnmatch.fnmatch(name, one) for one in options.only)]
    random.Random(options.seed).shuffle(names)
    begun, tried, found, results = time.monotonic(), 0, 0, multiprocessing.Queue()
    over = begun + (options.seconds_in_all or 10**9)
    workers = []
    for i in range(options.workers):
        mine = names[i :: options.workers]
        args = (options, pathlib.Path(folder) / str(i), mine, over, results)
        workers.append(multiprocessing.Process(target=work, args=args))
        workers[-1].start()
    for _ in workers:
        for name, finds, shown in iter(results.get, None):
            tried += 1
            found += bool(finds)
            for find in finds:
                print(f"FIND {name}: {find}")
            if finds or options.verbose:
                print("\n".join([*shown, f"  {name}: {time.monotonic() - begun:.0f} s"]), flush=True)
    print(f"{tried} of {len(names)} hostile adapters, seed {options.seed}, {time.monotonic() - begun:.0f} s")
    print(f"FAIL  finds of {found}" if found else "PASS  no find", flush=True)
    return 1 if found or not tried else 0


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True)
    parser.add_argument("--only", action="append", help="a behaviour, or a pattern of them; may be repeated")
    parser.add_argument(
        "--for", type=float, default=0, dest="seconds_in_all", metavar="SECONDS", help="begin none later"
    )
    parser.add_argument("--seed", type=int, default=time.time_ns() % 100_000, help="printed at the end")
    parser.add_argument("--keep", help="a folder for the runs in which something was found")
    parser.add_argument("--seconds", type=int, default=LEAST_S, help="of one command, until it hangs")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--list", action="store_true", help="print the behaviours")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    options.only = options.only or ["*"]
    return options


def main():
    options = arguments()
    if options.list:
        print("\n".join(BEHAVIOURS))
        return 0
    options.seed = int(os.environ.setdefault("HOLDFAST_ATTACK_SEED", str(options.seed)))
    own = "HOLDFAST_ATTACK_FOLDER" not in os.environ
    folder = os.environ.setdefault("HOLDFAST_ATTACK_FOLDER", tempfile.mkdtemp(prefix="holdfast-attack-") if own else "")
    pathlib.Path(folder).chmod(0o755)
    places = [folder, *([options.keep] if options.keep else [])]
    for place in places:
        pathlib.Path(place).mkdir(parents=True, exist_ok=True)
    try:
        code = own_world.ended(places)
        return campaign(options, folder) if code is None else code
    finally:
        if own:
            remove(folder)


if __name__ == "__main__":
    sys.exit(main())
