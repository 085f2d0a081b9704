"""Proves that every rule of the checker matters: changes one at a time, and some stored history is judged otherwise.

    python3 tests/mutants/mutants.py --build build/release           # all of them
    python3 tests/mutants/mutants.py --build build/release --few     # a few: one of every fifth file of rules
    python3 tests/mutants/mutants.py --build build/release --only "equal times"

A mutant is a piece of text of one file below checker/ and what takes its place (rules/*.json). Its text must stand in
the file exactly once. One that only thousands of holders can show names their history (crowds.py). Only what depends on
the changed file is compiled again, in a folder of its own, and linked with the rest of the checker. A mutant under
which no verdict changes is a survivor, and the command fails: then either the rule does nothing, or a history is
missing. Needs the target judge_histories.
"""

import argparse
import concurrent.futures
import contextlib
import json
import os
import pathlib
import sys
import tempfile

import crowds
import histories
from rebuild import Checker, Mutant, NotBuilt

MANY = 40  # from here on it pays to compile the rest of the checker apart
RULES = pathlib.Path(__file__).resolve().parent / "rules"


def load(folder=RULES):
    """The mutants of each file of rules."""
    files = sorted(folder.glob("*.json"))
    return {path.stem: [Mutant(**one) for one in json.loads(path.read_text())] for path in files}


def chosen(rules, options, checker):
    if options.few:
        return [min(ones, key=lambda one: len(checker.groups(one.file))) for ones in list(rules.values())[::5]]
    return [m for mutants in rules.values() for m in mutants if options.only.lower() in (m.rule + m.file).lower()]


def differences(entries, said):
    """{history: what is judged otherwise than is right}"""
    changes = {histories.name_of(e): histories.different(e["verdict"], said[histories.name_of(e)]) for e in entries}
    return {name: what for name, what in changes.items() if what}


def expect_right(checker, entries):
    wrong = differences(entries, histories.judge(checker.program, entries))
    if wrong:
        raise NotBuilt(f"the checker as it is contradicts the index: {', '.join(wrong)} (see verdicts_test.py)")


def changes_of(checker, mutant, entries):
    """The same when the rule is changed."""
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="holdfast-mutant-"))
        if mutant.crowd:
            entries = stack.enter_context(crowds.made([mutant.crowd]))
            expect_right(checker, entries)
        return differences(entries, histories.judge(checker.build(mutant, pathlib.Path(folder)), entries))


def tell(mutant, changes, quiet):
    print(f"{'changed' if changes else 'SURVIVED'}  {mutant.file}: {mutant.rule}")
    for name, what in [] if quiet else list(changes.items())[:3]:
        print(f"    {name}: {'; '.join(what)}")
    if len(changes) > 3 and not quiet:
        print(f"    and {len(changes) - 3} more")
    sys.stdout.flush()


def run(checker, mutants, entries, jobs=1, quiet=False):
    """The mutants for which no history gives another verdict."""
    expect_right(checker, entries)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        results = pool.map(lambda m: (m, changes_of(checker, m, entries)), mutants)
        survivors = []
        for mutant, changes in results:
            tell(mutant, changes, quiet)
            survivors += [] if changes else [mutant]
    return survivors


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", required=True, help="the folder of a build with tests")
    parser.add_argument("--few", action="store_true", help="of every fifth file of rules the one that is built soonest")
    parser.add_argument("--only", default="", help="those whose rule or file has these words")
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1))
    parser.add_argument("--quiet", action="store_true", help="name the mutants only")
    options = parser.parse_args()
    try:
        checker = Checker(options.build)
        mutants = chosen(load(), options, checker)
        if not mutants:
            parser.error("no such mutant")
        for mutant in mutants:
            checker.changed(mutant)  # all texts are looked for before anything is compiled
        with tempfile.TemporaryDirectory(prefix="holdfast-mutant-") as folder:
            if len(mutants) > MANY:
                checker.compile_apart([mutant.file for mutant in mutants], pathlib.Path(folder), options.jobs)
            survivors = run(checker, mutants, histories.load(), options.jobs, options.quiet)
    except NotBuilt as error:
        print(f"mutants: {error}", file=sys.stderr)
        return 2
    word = "FAIL" if survivors else "PASS"
    print(f"{word}  {len(mutants) - len(survivors)} of {len(mutants)} mutants change a verdict")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
