#!/usr/bin/env python3
"""Every kind of input that the program reads, changed in thousands of ways, given to the real commands.

    tests/attack/mutated_inputs.py --program build/release/holdfast --count 25000 --seed 7
    tests/attack/mutated_inputs.py --program build/asan/holdfast --for 3600 --seed 8 --corpus build/corpus
    tests/attack/mutated_inputs.py --program build/release/holdfast --seed 7 --corpus build/corpus --number 4711

Case N of a seed is the same in each call with the same corpus (a folder of whole files, made with real labs if it is
missing). A find is a command that is killed or hangs; ends with an undocumented code, or with 5 (a bad input is no
error of the harness); leaves a process or a temporary file; takes too much memory; prints control characters of a
terminal; puts outside text into a page as markup; prints no JSON with --json; refuses an input without naming it, or
changes files although it refuses. Each find is tried again, and kept in a folder with its command. Exits with 1 if
there is a find. attack_test.py shows that it finds each of these.
"""

import argparse
import contextlib
import json
import multiprocessing
import os
import pathlib
import random
import re
import shlex
import shutil
import signal
import sys
import tempfile
import time
import traceback
import xml.etree.ElementTree

import own_world
from corpus import Corpus
from inputs import laid
from mutations import MARK
from watched_command import Watcher, failings, text_of

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
START_S = 60  # of a command that may start a trial
LONG_ERROR = 8000
PAGES = (".html", ".xml")
REPORTS = ("run/summary.md", "run/junit.xml", "run/report.html")


def tree(place):
    """{path: (type, size, time of change)} of all below a folder."""
    found = {}
    for folder, folders, files in os.walk(place):
        for name in folders + files:
            path = os.path.join(folder, name)
            about = os.lstat(path)
            size = 0 if name in folders else about.st_size
            found[os.path.relpath(path, place)] = (
                about.st_mode >> 12,
                size,
                0 if name in folders else about.st_mtime_ns,
            )
    return found


def changes(before, after, resumed):
    """Changes that a command made in the folder in which it was called. A resumed run writes a damaged trial again."""
    for path, (kind, *_) in before.items():
        if resumed and "/cells/" in path:
            continue
        if kind not in (4, 8) and path in after and after[path][0] != kind:  # no folder, no plain file
            yield f"puts a file in the place of {path}, which is a device or a link"
    for path in after.keys() - before.keys():
        if path.endswith(".part"):
            yield f"leaves a temporary file {path}"


def markup(place, before, seen):
    """Text from outside that became markup, and invalid XML."""
    shown = [seen.out] if any(word in seen.command for word in ("html", "junit")) else []
    for path, about in tree(place).items():
        if path.endswith(PAGES) and before.get(path) != about and about[0] == 8:
            shown.append((place / path).read_bytes())
    for data in shown:
        if MARK.encode() in data:
            yield "text from outside becomes markup"
        if data.startswith(b"<?xml"):
            try:
                xml.etree.ElementTree.fromstring(data)
            except xml.etree.ElementTree.ParseError as error:
                yield f"writes XML that is none: {error}"


def no_json(seen):
    if "--json" not in seen.command or seen.code not in (0, 1, 3):
        return
    try:
        for line in [seen.out] if seen.command[0] != "check" else seen.out.splitlines():
            json.loads(line)
    except (ValueError, RecursionError) as error:
        yield f"prints with --json what is no JSON: {error}"


def refusal(case, seen, before, after):
    """Checks exit code 2: an error that names the input, and no action."""
    said = text_of(seen.err) or ""
    if not said.startswith("holdfast: "):
        yield "refuses without an error of its own"
    elif len(said) > LONG_ERROR:
        yield f"an error of {len(said)} bytes"
    elif case.named and not any(word in said for word in case.named):
        yield "the error names no input"
    if before != after and not case.done.startswith(REPORTS):  # then others are written before one cannot be
        yield "refuses, and has changed " + ", ".join(sorted({p for p, _ in before.items() ^ after.items()}))


def finds_of(case, seen, place, before):
    after = tree(place)
    found = [one for one in failings(seen) if not (case.may_wait and one.startswith("hangs"))]
    if not seen.hung and seen.code == 5 and b"No space left on device" not in seen.err:  # an input is a full device
        found.append("exit code 5, an error of the harness")
    if seen.code == 2:
        found += refusal(case, seen, before, after)
    found += [*changes(before, after, "--resume" in seen.command), *markup(place, before, seen), *no_json(seen)]
    return found


def without_numbers(find):
    return re.sub(r"\d+", "~", find)


class Attack:
    """Cases of one seed, in folders of one worker."""

    def __init__(self, options, corpus, folder):
        self.options, self.corpus = options, corpus
        self.place = pathlib.Path(folder) / "place"
        self.watcher = Watcher(options.program, pathlib.Path(folder) / "watched", options.seconds, options.most_mb)

    def lay(self, number, place):
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        return laid(random.Random(f"{self.options.seed}:{number}"), self.corpus, place, self.options.kind)

    def tried(self, number):
        """The case, what was seen, and the finds."""
        case = self.lay(number, self.place)
        before = tree(self.place)
        seconds = max(START_S, self.watcher.seconds) if case.starts else self.watcher.seconds
        seen = self.watcher.run(case.command, self.place, case.environment, seconds)
        return case, seen, finds_of(case, seen, self.place, before)

    def result(self, number):
        """(kind of input, exit code, [a line for each find], lines that show it)."""
        case, seen, finds = self.tried(number)
        if not finds:
            return case.kind, seen.code, [], []
        again = {without_numbers(one) for one in self.tried(number)[2]}
        finds = [one + ("" if without_numbers(one) in again else " (not when it was repeated)") for one in finds]
        return case.kind, seen.code, finds, self.kept(number, case, seen, finds)

    def kept(self, number, case, seen, finds):
        place = pathlib.Path(self.options.keep).resolve() / f"{self.options.seed}-{number}"
        self.lay(number, place)
        variables = [os.fsencode(f"{name}=") + value for name, value in case.environment.items()]
        words = [b"env", *variables, os.fsencode(self.watcher.program), *map(os.fsencode, case.command)]
        command = f"cd {place} && " + shlex.join(word.decode("utf-8", "backslashreplace") for word in words)
        shown = [
            f"  case {number}, {case.kind}: {case.done}",
            f"  {command}",
            f"  exit {seen.code}, {seen.seconds:.1f} s",
        ]
        shown += ["  | " + line[:300] for line in seen.err.decode(errors="backslashreplace").splitlines()[:4]]
        shown += ["  | " + line[:300] for line in seen.reports.decode(errors="replace").splitlines()[:30]]
        place.with_suffix(".txt").write_text("\n".join([*finds, *shown]) + "\n", errors="backslashreplace")
        return shown


def work(options, corpus, folder, first, results, over):
    """Every `workers`-th case, until the count or the time is over."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    attack, number = Attack(options, corpus, folder), first
    try:
        while number < options.count and not over.is_set():
            results.put((number, *attack.result(number)))
            number += options.workers
    except Exception:  # an error of this file, not of the program
        results.put((number, "none", 0, ["the attack itself failed"], traceback.format_exc().splitlines()))
    finally:
        results.put(None)


def signature(kind, find, shown):
    """Equal for finds of one reason: numbers, names of files and quoted texts left out."""
    error = next((line for line in shown if line.startswith("  | ")), "")
    word = re.sub(r"'[^']*'|\"[^\"]*\"|\S*[/.]\S*|\d+", "~", find + error)
    return kind, word[:160]


class Report:
    def __init__(self):
        self.codes, self.kinds, self.finds, self.cases = {}, {}, {}, 0

    def take(self, number, kind, code, finds, shown):
        self.cases += 1
        self.codes[code] = self.codes.get(code, 0) + 1
        self.kinds[kind] = self.kinds.get(kind, 0) + 1
        for find in finds:
            known = self.finds.setdefault(signature(kind, find, shown), [])
            known.append(number)
            if len(known) == 1:
                print("\n".join([f"FIND {find}", *shown]).encode("utf-8", "backslashreplace").decode(), flush=True)

    def ended(self, options, seconds):
        line = " ".join(f"{code}: {n}" for code, n in sorted(self.codes.items()))
        print(f"{self.cases} cases of seed {options.seed} in {seconds:.0f} s; exit codes {line}")
        print("; ".join(f"{kind} {n}" for kind, n in sorted(self.kinds.items())))
        for (kind, word), numbers in sorted(self.finds.items()):
            print(
                f"  {len(numbers)} times, first case {numbers[0]}: {kind}: {word.encode('ascii', 'replace').decode()}"
            )
        print(f"FAIL  {len(self.finds)} kinds of find" if self.finds else "PASS  no find", flush=True)
        return 1 if self.finds or not self.cases else 0


def campaign(options, corpus, work_folder):
    results, over, report = multiprocessing.Queue(), multiprocessing.Event(), Report()
    begun = time.monotonic()
    workers = [
        multiprocessing.Process(target=work, args=(options, corpus, work_folder / str(i), i, results, over))
        for i in range(options.workers)
    ]
    for one in workers:
        one.start()
    left = len(workers)
    while left:
        with contextlib.suppress(KeyboardInterrupt):
            result = results.get()
            if result is None:
                left -= 1
            else:
                report.take(*result)
            if options.seconds_in_all and time.monotonic() - begun > options.seconds_in_all:
                over.set()
            continue
        over.set()
    for one in workers:
        one.join()
    return report.ended(options, time.monotonic() - begun)


def one_case(options, corpus, work_folder):
    kind, code, finds, shown = Attack(options, corpus, work_folder / "0").result(options.number)
    print("\n".join([f"case {options.number}, {kind}: exit {code}", *(f"FIND {one}" for one in finds), *shown]))
    return 1 if finds else 0


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True)
    parser.add_argument("--count", type=int, default=10**9, help="how many cases")
    parser.add_argument(
        "--for", type=float, default=0, dest="seconds_in_all", metavar="SECONDS", help="begin none later"
    )
    parser.add_argument("--seed", type=int, default=time.time_ns() % 100_000, help="printed at the end")
    parser.add_argument("--number", type=int, help="only this case")
    parser.add_argument("--kind", default="", help="only inputs of this kind, a function of inputs.py")
    parser.add_argument("--corpus", help="a folder with whole files; made if it is not there")
    parser.add_argument("--small", action="store_true", help="make a corpus without searches and comparisons")
    parser.add_argument("--keep", default="attack-finds", help="a folder for what is found")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seconds", type=int, default=20, help="of one command, until it hangs")
    parser.add_argument("--most-mb", type=int, default=300, help="of memory that a command may take")
    options = parser.parse_args()
    if options.count == 10**9 and not options.seconds_in_all and options.number is None:
        parser.error("--count or --for is missing")
    return options


def main():
    options = arguments()
    options.seed = int(os.environ.setdefault("HOLDFAST_ATTACK_SEED", str(options.seed)))  # the same in its own world
    own = "HOLDFAST_ATTACK_FOLDER" not in os.environ
    folder = os.environ.setdefault("HOLDFAST_ATTACK_FOLDER", tempfile.mkdtemp(prefix="holdfast-attack-") if own else "")
    work_folder = pathlib.Path(folder)
    places = [work_folder, pathlib.Path(options.keep), *([pathlib.Path(options.corpus)] if options.corpus else [])]
    for place in places:
        place.mkdir(parents=True, exist_ok=True)
    try:
        code = own_world.ended(places)
        if code is not None:
            return code
        corpus = Corpus(options.corpus or work_folder / "corpus", SOURCE)
        corpus.make(str(pathlib.Path(options.program).resolve()), options.small)
        run = campaign if options.number is None else one_case
        return run(options, corpus, work_folder)
    finally:
        if own:
            shutil.rmtree(work_folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
