"""Each attack detects what it should, in false programs that do it, and accepts a sound one. A few cases of each attack
also run on the real program, so that no tool rots.

HOLDFAST_PROGRAM and HOLDFAST_SOURCE name the program and the source folder (ctest sets them).
"""

import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
PROGRAM = os.environ["HOLDFAST_PROGRAM"]
sys.path.insert(0, str(HERE))
from mutations import MARK, mutated  # noqa: E402  (they lie beside this file)

# A program that refuses everything, as it should, once `DO` has been done.
FALSE_PROGRAM = """#!/usr/bin/python3 -uSE
import json, os, pathlib, resource, signal, subprocess, sys, time
words = sys.argv[1:]
DO
print("holdfast: " + " ".join([*words, *os.listdir(".")]) + ": refused; remedy: none", file=sys.stderr)
sys.exit(2)
"""
SOUND = "pass"
BROKEN_READERS = {  # the behaviour of a false program, and the find
    "killed by signal 11": "os.kill(os.getpid(), 11)",
    "killed by signal 6": "os.abort()",
    "exit code 66, which is not documented": "os._exit(66)",
    "exit code 5": "os._exit(5)",
    "hangs": "time.sleep(1000)",
    "leaves a process": "subprocess.Popen(['sleep', '1000'], start_new_session=True)",
    "leaves a temporary file": "open(os.environ['TMPDIR'] + '/x', 'w')",
    "takes ": "x = bytearray(150_000_000); x[::4096] = x[::4096].replace(b'\\0', b'1')",
    "a sanitizer reports": "print('x.cpp:1: runtime error: index 4 out of bounds', file=sys.stderr)",
    "words of a crash": "print('terminate called without an active exception', file=sys.stderr)",
    "standard error has the character U+001B": "print('\\x1b[2J', file=sys.stderr)",
    "standard output has the character U+202E": "print('\\u202e')",
    "standard error is not UTF-8": "os.write(2, b'\\xff\\n')",
    "refuses without an error of its own": "os._exit(2)",
    "the error names no input": "print('holdfast: no', file=sys.stderr, flush=True); os._exit(2)",
    "refuses, and has changed": "open('new', 'w')",
    "leaves a temporary file x.part": "open('x.part', 'w'); os._exit(0)",
}
BROKEN_REPORTS = {
    "text from outside becomes markup": f"open('run/report.html', 'w').write({MARK!r}); os._exit(0)",
    "writes XML that is none": "open('run/junit.xml', 'w').write('<?xml version=\"1.0\"?><a>'); os._exit(0)",
    "prints with --json what is no JSON": "print('{'); os._exit(0)",
}


class AttackTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="holdfast-attack-test-"))
        self.folder.chmod(0o755)
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def false_program(self, do):
        path = self.folder / "false_holdfast"
        path.write_text(FALSE_PROGRAM.replace("DO", do))
        path.chmod(0o755)
        return path

    def attack(self, tool, *words):
        command = [sys.executable, "-B", HERE / f"{tool}.py", *map(str, words)]
        answer = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=600, check=False)
        self.shown = f"{words}\n{answer.stdout[-4000:]}\n{answer.stderr[-2000:]}"
        return answer

    def finds(self, find, tool, *words):
        answer = self.attack(tool, *words)
        self.assertEqual(answer.returncode, 1, self.shown)
        self.assertIn("FAIL", answer.stdout.splitlines()[-1], self.shown)
        self.assertIn(find, answer.stdout, self.shown)

    def finds_nothing(self, tool, *words):
        answer = self.attack(tool, *words)
        self.assertEqual(answer.returncode, 0, self.shown)
        self.assertIn("PASS", answer.stdout.splitlines()[-1], self.shown)


class Mutations(unittest.TestCase):
    def test_the_same_seed_makes_the_same_change(self):
        data = (HERE / "short.json").read_bytes()
        for seed in range(300):
            for kind in ("json", "lines", "text", "bytes"):
                changed, said = mutated(random.Random(seed), data, kind)
                self.assertEqual((changed, said), mutated(random.Random(seed), data, kind), seed)
                self.assertIsInstance(changed, bytes)

    def test_most_json_mutations_stay_valid_json(self):
        data, same, whole = (HERE / "short.json").read_bytes(), 0, 0
        for seed in range(300):
            changed, _ = mutated(random.Random(seed), data, "json")
            same += changed == data
            try:
                whole += json.loads(changed) != json.loads(data)
            except (ValueError, RecursionError):
                pass
        self.assertLess(same, 30)
        self.assertGreater(whole, 100)


class MutatedInputs(AttackTest):
    def corpus(self):
        """The files that a false program reads, too few to need a real run."""
        corpus = self.folder / "corpus"
        (corpus / "scenarios").mkdir(parents=True)
        shutil.copy(HERE / "short.json", corpus / "scenarios")
        trial = corpus / "run/cells/ip_lease/short/1"
        trial.mkdir(parents=True)
        for path in (corpus / "run/verdict.json", trial / "result.json", trial / "history.jsonl"):
            path.write_text(json.dumps({"x": [1, 2, "three"]}))
        (corpus / "done.json").write_text('{"small": true}')
        return corpus

    def words(self, do, kind):
        fixed = ["--seed", 1, "--workers", 1, "--seconds", 2, "--most-mb", 120, "--keep", self.folder / "finds"]
        return ["--program", self.false_program(do), "--corpus", self.corpus_folder, "--kind", kind, *fixed]

    def test_finds_reader_errors(self):
        self.corpus_folder = self.corpus()
        for find, do in BROKEN_READERS.items():
            with self.subTest(find):
                self.finds("FIND " + find, "mutated_inputs", *self.words(do, "scenario"), "--count", 2)
        kept = sorted(path.name for path in (self.folder / "finds").iterdir())
        self.assertIn("1-0.txt", kept)
        self.assertIn("1-0", kept, "the input, to be tried again")

    def test_finds_report_errors(self):
        self.corpus_folder = self.corpus()
        for find, do in BROKEN_REPORTS.items():
            with self.subTest(find):
                self.finds("FIND " + find, "mutated_inputs", *self.words(do, "stored_run"), "--count", 30)

    def test_sound_reader_has_no_finds(self):
        self.corpus_folder = self.corpus()
        for kind in ("scenario", "stored_run", "suite"):
            self.finds_nothing("mutated_inputs", *self.words(SOUND, kind), "--count", 20)

    def test_a_case_is_repeated_by_its_number(self):
        self.corpus_folder = self.corpus()
        words = self.words("os.abort()", "scenario")
        answer = self.attack("mutated_inputs", *words, "--number", 4)
        self.assertEqual(answer.returncode, 1, self.shown)
        self.assertIn("case 4, scenario", answer.stdout)
        self.assertIn("FIND killed by signal 6", answer.stdout)

    def test_real_program_has_no_finds(self):
        """Whatever else is found in it: it neither crashes nor hangs."""
        answer = self.attack("mutated_inputs", "--program", PROGRAM, "--small", "--seed", 1, "--count", 60)
        self.assertIn(answer.returncode, (0, 1), self.shown)
        self.assertIn("60 cases of seed 1", answer.stdout, self.shown)
        for find in ("killed by signal", "hangs", "sanitizer", "words of a crash", "leaves a process"):
            self.assertNotIn("FIND " + find, answer.stdout, self.shown)


# A false run: the verdict of its cells, or what `DO` makes of it.
FALSE_RUN = """
cells = {"hostile": "harness_error", "good": "as_expected", "insert_lease": "as_expected"}
secret = "only-its-owner-may-read-this"
run = pathlib.Path("out/latest")
DO
if words[0] == "run":
    run.mkdir(parents=True)
    listed = [{"lock": lock, "outcome": outcome} for lock, outcome in cells.items()]
    (run / "verdict.json").write_text(json.dumps({"cells": listed}))
os._exit(5 if words[0] in ("run", "report") else 1)
"""
HARMED_RUNS = {
    "the cell of hostile is as_expected": "cells['hostile'] = 'as_expected'",
    "the cell of hostile is unexpected": "cells['hostile'] = 'unexpected'",
    "the cell of good is unexpected": "cells['good'] = 'unexpected'",
    "the cells are": "del cells['good']",
    "no verdict": "os._exit(5)",
    "run: exit code 2": "os._exit(2)",
    "adapter: exit code 5": "os._exit(5) if words[0] == 'adapter' else None",
    "check: hangs": "time.sleep(1000) if words[0] == 'check' else None",
    "shows a file that the adapter may not read": "print(secret)",
    "a file that the adapter may not write is changed": "open('../secret', 'a').write('x')",
    "report.html shows a file": "pathlib.Path('out/latest').mkdir(parents=True, exist_ok=True) or "
                                "pathlib.Path('out/latest/report.html').write_text(secret)",
    "keeps ": "pathlib.Path('out').mkdir(exist_ok=True) or open('out/log', 'wb').write(bytes(80_000_000))",
    "leaves a process": "subprocess.Popen(['sleep', '1000'], start_new_session=True)",
}  # fmt: skip


class HostileAdapters(AttackTest):
    def words(self, do):
        program = self.false_program(
            FALSE_RUN.replace("DO", do).replace("mkdir(parents=True)", "mkdir(parents=True, exist_ok=True)")
        )
        return ["--program", program, "--only", "answers_twice", "--seed", 1, "--seconds", 2]

    def test_finds_harm_by_an_adapter(self):
        for find, do in HARMED_RUNS.items():
            with self.subTest(find):
                self.finds(find, "hostile_adapters", *self.words(do))

    def test_sound_run_has_no_finds(self):
        self.finds_nothing("hostile_adapters", *self.words(SOUND))

    def test_real_program_has_no_finds(self):
        for name in ("answers_twice", "exits_at_acquire"):
            self.finds_nothing("hostile_adapters", "--program", PROGRAM, "--seed", 1, "--only", name)


# A false command that runs until a signal ends it.
FALSE_COMMAND = """
out = pathlib.Path(words[words.index("--out") + 1]) if "--out" in words else None
def end(number, frame):
    os._exit(130)
signal.signal(signal.SIGINT, end)
signal.signal(signal.SIGTERM, end)
DO
if words[0] == "run" and "--resume" not in words:
    time.sleep(1000)
if words[0] == "list":
    os._exit(0)
"""
BEGUN = "if out: (out / '2x').mkdir(parents=True); (out / '2x/run.json').write_text('{}')"
BAD_ENDS = {
    "has not ended": "signal.signal(signal.SIGTERM, signal.SIG_IGN); signal.signal(signal.SIGINT, signal.SIG_IGN)",
    "exit code 7": "signal.signal(signal.SIGTERM, lambda number, frame: os._exit(7))",
    "processes are left": "subprocess.Popen(['sleep', '1000'], start_new_session=True)",
    "files are left": "open('/dev/shm/left', 'w')",
    "is no whole JSON": "run = out / '2x'; run.mkdir(parents=True); (run / 'verdict.json').write_text('{')",
    "unfinished files are left": "run = out / '2x'; run.mkdir(parents=True); (run / 'a.part').write_text('{')",
    "report of half a run: exit 0": "words[0] == 'report' and os._exit(0); (out / '2x').mkdir(parents=True)",
    "run --resume refuses what was cut off": BEGUN,
    "run --resume ends with 9": "'--resume' in words and os._exit(9)\n" + BEGUN,
    "list runs ends with 4": "words[0] == 'list' and os._exit(4)\n" + BEGUN,
}  # fmt: skip


class Kills(AttackTest):
    def words(self, do):
        program = self.false_program(FALSE_COMMAND.replace("DO", do))
        return [
            "--program",
            program,
            "--only",
            "run",
            "--part",
            "itself",
            "--signal",
            "SIGTERM",
            "--seed",
            1,
            "--count",
            1,
            "--soonest",
            1.5,  # its handlers of signals are set by then
        ]

    def test_finds_leftovers_of_a_kill(self):
        for find, do in BAD_ENDS.items():
            with self.subTest(find):
                self.finds(find, "kills", *self.words(do))

    def test_sound_end_has_no_finds(self):
        self.finds_nothing("kills", *self.words(SOUND))

    def test_real_program_has_no_finds(self):
        self.finds_nothing("kills", "--program", PROGRAM, "--seed", 1, "--count", 2, "--only", "run")


FALSE_TRIALS = """
out = pathlib.Path(words[words.index("--out") + 1]) / "2x"
seen, outcome, finding = SEEN
mismatches = [{"property": "resource", "expected": "holds", "seen": seen}] if seen else []
trial = {"outcome": outcome, "folder": "cells/fenced_lease/none/1", "mismatches": mismatches}
verdict = {"cells": [{"lock": "fenced_lease", "scenario": "none", "trials": [trial] * 5}]}
out.mkdir(parents=True)
(out / "verdict.json").write_text(json.dumps(verdict))
print(json.dumps({"lock": words[1], "findings": [finding] if finding else []}))
os._exit(0)
"""


def finding(severity="data_damaged", kind="overrun", promise_broken=False):
    return {"severity": severity, "kind": kind, "promise_broken": promise_broken, "cases": ["none"], "story": "a story"}


class Burners(AttackTest):
    def words(self, what, seen="", outcome="as_expected", found=None, lock="redis_token"):
        program = self.false_program(FALSE_TRIALS.replace("SEEN", repr((seen, outcome, found))))
        more = ["--lock", lock] if what == "try" else []
        return ["--program", program, "--what", what, "--trials", 10, "--burners", 1, "--seed", 1, *more]

    def test_unexpected_violation_is_a_find(self):
        self.finds("FALSE fenced_lease/none: resource: expected holds, seen violated:overrun", "burners",
                   *self.words("quick", "violated:overrun", "unexpected"))  # fmt: skip
        self.assertTrue((self.folder / "false-words/quick-1/verdict.json").exists(), "the run is kept")

    def test_missed_flaw_is_not_a_find(self):
        self.finds_nothing("burners", *self.words("quick", "holds", "missed"))

    def test_unjudged_trials_are_not_finds(self):
        answer = self.attack("burners", *self.words("quick", outcome="undecided"))
        self.assertEqual(answer.returncode, 3, self.shown)

    def test_documented_finding_is_accepted(self):
        self.finds_nothing("burners", *self.words("try", found=finding()))

    def test_undocumented_finding_is_a_find(self):
        for found in (finding(kind="algorithm"), finding(promise_broken=True), finding("stuck", "refused_free")):
            self.finds("FALSE redis_token/none", "burners", *self.words("try", found=found))
        self.finds("FALSE fenced_lease/none", "burners", *self.words("try", found=finding(), lock="fenced_lease"))

    def test_real_program_has_no_finds(self):
        words = ["--what", "quick", "--trials", 1, "--burners", 1, "--seed", 1, "--only", "fenced_lease/none"]
        answer = self.attack("burners", "--program", PROGRAM, *words)
        self.assertIn(answer.returncode, (0, 3), self.shown)


BAD_CLIENTS = {
    "exit code 5": "os._exit(5)",
    "killed by signal 11": "os.kill(os.getpid(), 11)",
    "the error does not name the server": "print('holdfast: no', file=sys.stderr); os._exit(4)",
}


class FalseAnswers(AttackTest):
    def test_finds_client_errors(self):
        for find, do in BAD_CLIENTS.items():
            words = ["--program", self.false_program(do), "--kind", "redis", "--seed", 1, "--count", 2]
            self.finds("FIND " + find, "false_answers", *words)

    def test_real_program_has_no_finds(self):
        self.finds_nothing("false_answers", "--program", PROGRAM, "--kind", "redis", "--seed", 1, "--count", 20)


if __name__ == "__main__":
    unittest.main()
