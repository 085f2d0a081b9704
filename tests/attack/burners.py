#!/usr/bin/env python3
"""False accusations under load: runs trials beside processes that only compute, and reads the results.

    tests/attack/burners.py --program build/release/holdfast --what quick --trials 200 --burners 12
    tests/attack/burners.py --program build/release/holdfast --what try --trials 200 --seed 5 --keep build/false_words

quick: repeats the suite `quick` for that many trials. A false word is a violation that the scenario does not expect.
try: repeats `try` of sound locks (KNOWN) for that many trials. A false word is a finding that the texts about the
lock do not mention. Each is printed on a line with the trial's folder, which is kept. Results that load may cause are
only counted: undecided trials, moments that never came, expected flaws that were not seen, harness errors. Exits with
1 if there is a false word, with 3 if fewer than half of the trials were judged.
"""

import argparse
import ctypes
import json
import multiprocessing
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
PR_SET_PDEATHSIG = 1
TRY_S = 90
# Sound locks and their known findings: (severity, kind), and the cases if only some may show it. No lease alone
# prevents an overrun, and only a token makes it harmless. A lock of a session is lost with its connection, and its
# holder does not learn of it. In a column of text "orders" and "orders " are one key, and one that is longer than the
# column, or of another collation, is an error each time.
OVERRUN = {("data_damaged", "overrun"): None, ("two_believed", "overrun"): None}
KEYS = {"keys_alike", "keys_apart"}
# A server that dropped its entries grants again what it had granted: no client can prevent that.
DROPPED = {(severity, "server_lost_state"): {"entries_dropped"} for severity in ("data_damaged", "two_believed")}
KNOWN = {
    "fenced_lease": DROPPED,
    "redis_token": {**DROPPED, **OVERRUN},
    "insert_lease": {**DROPPED, **OVERRUN, ("stuck", "refused_free"): KEYS, ("stuck", "stuck"): KEYS},
    "get_lock": {(severity, kind): None for severity in ("data_damaged", "two_believed")
                 for kind in ("session_lost", "partition")},
}  # fmt: skip


def is_known(lock, finding):
    """True if the lock's texts document it. They do not say of any overrun that a lease could have prevented it."""
    cases = KNOWN[lock].get((finding["severity"], finding["kind"]), set())
    if finding["kind"] == "overrun" and finding["promise_broken"]:
        return False
    return cases is None or (bool(finding["cases"]) and set(finding["cases"]) <= cases)


def burn():
    """Computes until its parent ends."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        pass


class Totals:
    def __init__(self):
        self.trials, self.judged, self.false_words, self.doubts = 0, 0, 0, 0
        self.words = {}

    def count(self, word):
        self.words[word] = self.words.get(word, 0) + 1

    def trial(self, trial):
        self.trials += 1
        word = trial["outcome"]
        self.count(word)
        self.doubts += bool(trial.get("time_doubt"))
        self.judged += word not in ("harness_error", "unavailable", "not_run", "undecided", "nothing_judged")


def false_words_of_quick(verdict):
    """(cell, trial's folder, words) of each violation that is not expected."""
    for cell in verdict["cells"]:
        for trial in cell["trials"]:
            for one in trial["mismatches"]:
                if one["seen"].startswith("violated"):
                    said = f"{one['property']}: expected {one['expected']}, seen {one['seen']}"
                    yield f"{cell['lock']}/{cell['scenario']}", trial["folder"], said


def false_words_of_try(answer, verdict):
    """The same of each finding that the lock's texts do not have."""
    lock = answer["lock"]
    folders = {cell["scenario"]: cell["trials"][0]["folder"] for cell in verdict["cells"] if cell["trials"]}
    for one in answer["findings"]:
        if not is_known(lock, one):
            case = one["cases"][0] if one["cases"] else ""
            yield f"{lock}/{case}", folders.get(case, ""), f"{one['severity']}, {one['kind']}: {one['story']}"


class Runs:
    """Commands one after the other, each in a folder of its own."""

    def __init__(self, options, folder):
        self.options, self.folder, self.totals = options, folder, Totals()

    def call(self, number, *words):
        out = self.folder / f"runs{number}"
        words = (*words, "--time", self.options.time)
        command = [self.options.program, *words, "--seed", str(self.options.seed + number), "--json", "--quiet"]
        answer = subprocess.run([*command, "--out", out], cwd=SOURCE, capture_output=True, text=True, check=False)
        made = sorted(out.glob("2*"))
        if not made or not (made[0] / "verdict.json").exists():
            print(
                f"ERROR {' '.join(map(str, words))} ended with {answer.returncode}: {answer.stderr[-500:]}", flush=True
            )
            self.totals.count("no verdict")
            return None, None, ""
        return answer.stdout, json.loads((made[0] / "verdict.json").read_text()), made[0]

    def quick(self, number):
        only = [word for cell in self.options.only for word in ("--only", cell)]
        _, verdict, run = self.call(number, "run", str(self.options.suite), *only)
        return run, verdict, list(false_words_of_quick(verdict)) if verdict else []

    def try_(self, number):
        locks = self.options.lock or list(KNOWN)
        text, verdict, run = self.call(number, "try", locks[number % len(locks)], "--for", str(self.options.seconds))
        return run, verdict, list(false_words_of_try(json.loads(text), verdict)) if verdict else []

    def more(self, number):
        """One command; the lines of its false words are printed, and its folder is kept if it has one."""
        run, verdict, false_words = self.quick(number) if self.options.what == "quick" else self.try_(number)
        for cell in verdict["cells"] if verdict else []:
            for trial in cell["trials"]:
                self.totals.trial(trial)
        self.totals.false_words += len(false_words)
        place = self.kept(run, number) if false_words else run
        for cell, folder, said in false_words:
            print(f"FALSE {cell}: {said} · {pathlib.Path(place, folder)}", flush=True)
        if run:
            shutil.rmtree(self.folder / f"runs{number}", ignore_errors=True)
        return bool(verdict)

    def kept(self, run, number):
        kept = pathlib.Path(self.options.keep).resolve() / f"{self.options.what}-{self.options.seed + number}"
        shutil.rmtree(kept, ignore_errors=True)
        shutil.copytree(run, kept)
        return kept


def campaign(options, folder):
    burners = [multiprocessing.Process(target=burn, daemon=True) for _ in range(options.burners)]
    for one in burners:
        one.start()
    runs, number, failed, begun = Runs(options, folder), 0, 0, time.monotonic()
    totals = runs.totals
    try:
        while (
            totals.trials < options.trials
            and failed < 3
            and not (options.seconds_in_all and time.monotonic() - begun > options.seconds_in_all)
        ):
            failed = 0 if runs.more(number) else failed + 1
            number += 1
            words = ", ".join(f"{word} {n}" for word, n in sorted(totals.words.items()))
            print(f"{time.monotonic() - begun:.0f} s: {totals.trials} trials, {words}", flush=True)
    finally:
        for one in burners:
            one.kill()
    print(f"{options.what} beside {options.burners} burners, seed {options.seed}: {totals.trials} trials,"
          f" {totals.judged} judged, {totals.false_words} false words")  # fmt: skip
    if options.time == "skipped":
        print(f"time skipped, but for {totals.doubts} trials")
    if totals.false_words:
        print(f"FAIL  {totals.false_words} false words")
        return 1
    enough = totals.judged * 2 >= max(1, totals.trials)
    print("PASS  no false word" if enough else "UNDECIDED  most trials were not judged")
    return 0 if enough else 3


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True)
    parser.add_argument("--what", choices=["quick", "try"], required=True)
    parser.add_argument("--trials", type=int, default=200)
    parser.add_argument("--burners", type=int, default=12)
    parser.add_argument("--seed", type=int, default=time.time_ns() % 100_000, help="of the first command; printed")
    parser.add_argument(
        "--for", type=float, default=0, dest="seconds_in_all", metavar="SECONDS", help="begin none later"
    )
    parser.add_argument("--keep", default="false-words", help="a folder for the runs with false words")
    parser.add_argument("--suite", default="scenarios/quick", help="quick: other scenarios")
    parser.add_argument("--only", action="append", default=[], help="quick: only these cells")
    parser.add_argument("--lock", action="append", choices=list(KNOWN), help="try: only this lock; may be repeated")
    parser.add_argument("--time", choices=["real", "skipped"], default="real", help="in which trials live")
    parser.add_argument("--seconds", type=int, default=TRY_S, help="try: that one may take")
    options = parser.parse_args()
    options.program = str(pathlib.Path(options.program).resolve())
    return options


def main():
    options = arguments()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="holdfast-burners-"))
    folder.chmod(0o755)  # a lab that root starts runs as another user
    try:
        return campaign(options, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
