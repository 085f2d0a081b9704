"""Runs `holdfast try`, and keeps what it says of a lock."""

import inspect
import json
import os
import pathlib
import shutil
import subprocess
from dataclasses import dataclass, field

from .lock_class import write_adapter

GRADES = ("safe", "as_safe_as_a_lease", "not_known", "broken")  # the best first
UNAVAILABLE = 4  # exit code: this machine cannot run it


class NotAsExpected(AssertionError):
    """The lock's grade is worse than expected; the text tells the story."""


class NothingRan(RuntimeError):
    """The program could not try the lock; the text says why, and the remedy. `exit_code` is the program's."""

    def __init__(self, text, exit_code):
        super().__init__(text)
        self.exit_code = exit_code


def own_program():
    """The path of the program in this package; None without one."""
    own = pathlib.Path(__file__).with_name("program") / "bin/holdfast"
    return str(own) if own.exists() else None


def program():
    """The path of the program: of HOLDFAST_PROGRAM, of this package, or of PATH."""
    found = os.environ.get("HOLDFAST_PROGRAM") or own_program() or shutil.which("holdfast")
    if not found:
        why = "holdfast is not installed; remedy: pip install a wheel of it, or set HOLDFAST_PROGRAM"
        raise NothingRan(why, UNAVAILABLE)
    return found


@dataclass
class Verdict:
    lock: str
    grade: str  # a word of GRADES
    reason: str  # in whole sentences
    headline: str
    findings: list = field(repr=False)  # as in docs/try.schema.json
    page: str = ""  # the report, an HTML file
    again: str = ""  # the command that repeats the whole
    told: dict = field(default_factory=dict, repr=False)  # all that `holdfast try --json` printed

    def meets(self, grade):
        """Returns True if the lock has this grade or a better one; "broken" is met by a broken lock only."""
        if grade not in GRADES:
            raise ValueError(f"{grade!r} is no grade; remedy: one of {', '.join(GRADES)}")
        return self.grade == grade if grade == "broken" else GRADES.index(self.grade) <= GRADES.index(grade)

    def expect(self, grade):
        """Raises NotAsExpected unless the lock meets the grade. Returns self."""
        if not self.meets(grade):
            raise NotAsExpected(self.text(grade))
        return self

    def text(self, expected=""):
        """The story of each broken promise, the seed and the commands that show it again."""
        lines = [self.headline, self.reason]
        if expected:
            lines.insert(0, f"{self.lock}: expected {expected}, is {self.grade}")
        for one in self.broken():
            schedule = one.get("schedule", {})
            cause = schedule.get("cause") or one.get("cause")
            lines += ["", one["story"]]
            lines += [f"cause: {cause}"] if cause else []
            lines += [schedule["steps"]] if schedule.get("steps") else []
            lines.append(f"replay: {schedule.get('again') or one['again']}")
        return "\n".join([*lines, "", f"report: {self.page}", f"again: {self.again}"])

    def broken(self):
        """The findings that break a promise of the lock; the others no lease alone prevents."""
        return [one for one in self.findings if one["promise_broken"]]

    def cases(self):
        """{case: "" or the story of the broken promise that it shows} of all that were judged."""
        judged = [case for key in ("safe", "data_damaged", "two_believed", "wrong_answer") for one in self.told[key]
                  for case in one["cases"]]  # fmt: skip
        found = {case: one["story"] for one in reversed(self.broken()) for case in one["cases"]}
        return {case: found.get(case, "") for case in dict.fromkeys([*found, *judged])}


def try_lock(lock, *, within_s=90, seed=None, out="runs", arguments=()):
    """Tries a lock: a class marked by @holdfast.lock, a file of statements, an adapter's folder, or a built-in name.

    `within_s`: the time limit. `out`: where the run's folder goes. `arguments`: more of `holdfast try`.
    """
    if inspect.isclass(lock):
        lock = write_adapter(lock, pathlib.Path(out, "adapters"))
    command = [program(), "try", str(lock), "--json", "--quiet", "--for", f"{within_s}s", "--out", str(out)]
    command += ["--seed", str(seed)] if seed is not None else []
    done = subprocess.run([*command, *map(str, arguments)], capture_output=True, text=True, check=False)
    try:
        told = json.loads(done.stdout)
    except ValueError:
        raise NothingRan(done.stderr.strip() or f"holdfast ended with {done.returncode}", done.returncode) from None
    if not told["grade"]:
        raise NothingRan(done.stderr.strip() or told["headline"], done.returncode)
    grade = told["grade"]
    return Verdict(told["lock"], grade["word"], grade["reason"], told["headline"], told["findings"], told["page"],
                   told["again"], told)  # fmt: skip
