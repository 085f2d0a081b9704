"""The pytest plugin: the fixture `holdfast`.

    def test_my_lock(holdfast):
        holdfast.try_lock("my_lock.sql").expect("as_safe_as_a_lease")

A path is relative to the test's file. Each case is a subtest, where pytest has them (from 9.0 on).
A failure is the story of the flaw, with the seed, the report and the commands that show it again.
"""

import inspect
import pathlib

import pytest

from . import verdict


def pytest_addoption(parser):
    group = parser.getgroup("holdfast", "testing distributed locks")
    group.addoption("--holdfast-for", type=int, default=90, metavar="S", help="time limit of each lock (default: 90)")
    group.addoption("--holdfast-seed", type=int, default=None, metavar="N", help="seed of all random choices")
    group.addoption("--holdfast-out", default="runs", metavar="FOLDER", help="where the reports go (default: runs)")


class Tried(verdict.Verdict):
    """A verdict whose `expect` reports each case to pytest."""

    subtests = None

    def expect(self, grade):
        met = self.meets(grade)
        self.report(dict.fromkeys(self.cases(), "") if met else self.cases())
        return super().expect(grade)

    def report(self, cases):
        for case, story in cases.items() if self.subtests else ():
            with self.subtests.test(msg=case):
                if story:
                    pytest.fail(story, pytrace=False)


class Locks:
    def __init__(self, request):
        self.request = request

    def try_lock(self, lock, *, within_s=None, seed=None, arguments=()):
        """As holdfast.try_lock; the defaults are pytest's options. Skips the test where this machine cannot run it."""
        option = self.request.config.getoption
        found = lock if inspect.isclass(lock) else self.found(lock)
        try:
            tried = verdict.try_lock(
                found,
                within_s=within_s or option("--holdfast-for"),
                seed=option("--holdfast-seed") if seed is None else seed,
                out=option("--holdfast-out"),
                arguments=arguments,
            )
        except verdict.NothingRan as reason:
            if reason.exit_code == verdict.UNAVAILABLE:
                pytest.skip(str(reason))
            raise
        result = Tried(**vars(tried))
        result.subtests = self.subtests()
        for name in ("grade", "page", "again"):
            self.request.node.user_properties.append((f"holdfast_{name}", getattr(result, name)))
        return result

    def found(self, lock):
        beside = pathlib.Path(self.request.path).parent / lock
        return beside if beside.exists() else lock

    def subtests(self):
        try:
            return self.request.getfixturevalue("subtests")
        except pytest.FixtureLookupError:
            return None


@pytest.fixture
def holdfast(request):
    """Tries locks: `holdfast.try_lock("my_lock.sql").expect("as_safe_as_a_lease")`."""
    return Locks(request)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(call):
    outcome = yield
    if call.excinfo and call.excinfo.errisinstance((verdict.NotAsExpected, verdict.NothingRan)):
        outcome.get_result().longrepr = str(call.excinfo.value)  # where in the test it was asked says nothing
