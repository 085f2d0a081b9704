"""The Python package without its program: what it makes of an answer, and the adapter that it makes of a class."""

import importlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["HOLDFAST_SOURCE"])
FINDING = {"promise_broken": True, "story": "both held it", "cause": "a guess", "cases": ["none"], "again": "replay it",
           "schedule": {"cause": "A, then B", "steps": "1 A\n2 B", "again": "replay the schedule"}}  # fmt: skip
LAPSE = {**FINDING, "promise_broken": False, "story": "a lease was over", "cases": ["pause"]}
LOCK = """
import holdfast

@holdfast.lock(servers=["redis"], lease=False)
class FreeForAll(holdfast.Adapter):
    def acquire(self, ask):
        self.held[self.key(ask)] = True
        return "ok"

    def release(self, ask):
        return "ok"

    def renew(self, ask):
        return "ok"
"""


def told(word, *findings):
    cases = [{"faults": "no fault", "cases": ["none", "crowd"], "of": 2}]
    return {"lock": "my_lock", "grade": {"word": word, "reason": "because"}, "headline": word, "findings": findings,
            "page": "page.html", "again": "again", "safe": cases, "data_damaged": [], "two_believed": [],
            "wrong_answer": []}  # fmt: skip


class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="holdfast-python-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        shutil.copytree(SOURCE / "python/holdfast", cls.folder / "holdfast")
        shutil.copy(SOURCE / "libraries/languages/python/holdfast_adapter.py", cls.folder / "holdfast/adapter.py")
        sys.path.insert(0, str(cls.folder))
        cls.addClassCleanup(sys.path.remove, str(cls.folder))
        cls.holdfast = importlib.import_module("holdfast")

    def answered(self, answer, exit_code=0):
        """try_lock with a program that prints this."""
        program = self.folder / "program.sh"
        (self.folder / "answer").write_text(answer if isinstance(answer, str) else json.dumps(answer))
        program.write_text(f"#!/bin/sh\ncat {self.folder}/answer\necho no server >&2\nexit {exit_code}\n")
        program.chmod(0o755)
        os.environ["HOLDFAST_PROGRAM"] = str(program)
        self.addCleanup(os.environ.pop, "HOLDFAST_PROGRAM", None)
        return self.holdfast.try_lock("my_lock")

    def test_grade_is_met_by_a_better_one_only(self):
        fine = self.answered(told("as_safe_as_a_lease", LAPSE))
        self.assertIs(fine.expect("as_safe_as_a_lease"), fine)
        self.assertIs(fine.expect("not_known"), fine)
        for grade in ("safe", "broken"):
            with self.assertRaises(self.holdfast.NotAsExpected):
                fine.expect(grade)
        with self.assertRaisesRegex(ValueError, "remedy: one of safe"):
            fine.expect("sound")

    def test_failure_tells_the_story_of_broken_promises(self):
        broken = self.answered(told("broken", FINDING, LAPSE), 1)
        with self.assertRaises(self.holdfast.NotAsExpected) as failure:
            broken.expect("as_safe_as_a_lease")
        text = str(failure.exception)
        for words in ("my_lock: expected as_safe_as_a_lease, is broken", "both held it", "cause: A, then B", "2 B",
                      "replay: replay the schedule", "report: page.html", "again: again"):  # fmt: skip
            self.assertIn(words, text)
        self.assertNotIn("a lease was over", text)
        self.assertEqual(broken.cases(), {"none": "both held it", "crowd": ""})

    def test_program_that_cannot_run_is_no_verdict(self):
        with self.assertRaises(self.holdfast.NothingRan) as failure:
            self.answered("", 4)
        self.assertEqual((str(failure.exception), failure.exception.exit_code), ("no server", 4))
        with self.assertRaises(self.holdfast.NothingRan):
            self.answered({**told("broken"), "grade": None}, 3)

    def test_command_starts_its_own_program(self):
        """HOLDFAST_PROGRAM, which the test runners of other languages read, may name the command itself."""
        command = self.folder / "command"
        command.write_text(f"#!{sys.executable}\nfrom holdfast.__main__ import main\nmain()\n")
        command.chmod(0o755)
        environment = {**os.environ, "PYTHONPATH": str(self.folder), "HOLDFAST_PROGRAM": str(command)}
        call = {"capture_output": True, "text": True, "env": environment, "timeout": 30}
        without = subprocess.run([command, "--version"], **call)
        self.assertEqual(without.returncode, 1, without)
        self.assertIn("remedy: pip install a wheel", without.stderr)
        program = self.folder / "holdfast/program/bin/holdfast"
        program.parent.mkdir(parents=True)
        self.addCleanup(shutil.rmtree, self.folder / "holdfast/program")
        program.write_text('#!/bin/sh\necho "own program: $*"\n')
        program.chmod(0o755)
        self.assertEqual(subprocess.run([command, "--version"], **call).stdout, "own program: --version\n")

    def test_class_becomes_an_adapter(self):
        (self.folder / "test_mine.py").write_text(LOCK)
        made = importlib.import_module("holdfast.lock_class").write_adapter(
            importlib.import_module("test_mine").FreeForAll, self.folder / "adapters"
        )
        facts = json.loads((made / "lock.json").read_text())
        self.assertEqual((facts["name"], facts["can"], facts["lease"]), ("free_for_all", ["renew"], False))
        hello = {"do": "hello", "n": 0, "name": "free_for_all", "client": 0, "servers": [], "locks": ["k"]}
        asked = [hello, {"do": "acquire", "n": 1, "lock": "k"}, {"do": "cancel", "n": 2}]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        with subprocess.Popen(facts["command"], cwd=made, **pipes) as one:
            answers = []
            for ask in asked:
                one.stdin.write(json.dumps(ask) + "\n")
                one.stdin.flush()
                answers.append(json.loads(one.stdout.readline()))
            one.communicate('{"do": "bye"}\n', timeout=30)
        self.assertEqual([answer["is"] for answer in answers], ["ready", "ok", "fail"])
        self.assertEqual(answers[0]["can"], ["renew"])

    def test_class_without_its_servers_is_refused(self):
        with self.assertRaisesRegex(TypeError, "is no subclass of Adapter"):
            self.holdfast.lock(servers=["redis"])(object)
        with self.assertRaisesRegex(TypeError, "add @holdfast.lock"):
            self.holdfast.try_lock(type("Bare", (self.holdfast.Adapter,), {}))


if __name__ == "__main__":
    unittest.main()
