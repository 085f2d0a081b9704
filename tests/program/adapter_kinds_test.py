"""Elections, schedulers and threads in other languages: what is sound holds, and its broken twin is caught."""

import json
import shutil
import unittest

from own_adapters import AdapterTest
from program import PROGRAM, SOURCE

CLIENTS = {"clients": 3, "lease_ms": 2000, "hold_ms": [50, 150], "poll_ms": 20}
LEADERS = {**CLIENTS, "lead_ms": [600, 900], "duration_ms": 6000, "coverage": {"grants": 2, "attempts_in_hold": 1}}
JOBS = {**CLIENTS, "pause_ms": [0, 20], "duration_ms": 4000, "coverage": {"grants": 3, "attempts_in_hold": 1}}
THREADS = {**CLIENTS, "clients": 2, "threads": 2, "duration_ms": 3000, "coverage": {"grants": 3, "attempts_in_hold": 1}}
NOTHING = {"expect": {"*": {"ownership": "not_exercised"}}, "why": {"*": "as this test says"}}

GUARD = "IF(until < UTC_TIMESTAMP(6), VALUES(leader), leader)"
TELL = '            self.say(lock=self.row["key"], holder=leader, **{"is": "leader"})\n'
TELL_THE_PAST = (
    TELL
    + "            if leader and self.past not in ('', leader):\n    "
    + TELL.replace("=leader", "=self.past")
    + "            self.past = leader or self.past\n"
)
# For the template's lock: one program has one value a lock and thread, and refuses its other threads.
VALUE = """f"{self.owner}:{ask['n']}\""""
BUSY = '        return "ok" if self.redis.set'
IGNORES_THREAD = (
    '        if (self.redis.get(name) or b"").decode().startswith(self.owner + ":"):\n'
    '            return "ok"  # the program has it, whichever thread asks\n'
)


class Kinds(AdapterTest):
    def copied(self, name, *changes):
        """A shipped adapter under its own name in the test's folder; `changes`: (text, what is put in its place)."""
        folder = self.folder / name
        shutil.copytree(SOURCE / "adapters" / name, folder)
        manifest = json.loads((folder / "lock.json").read_text())
        self.renamed = name + "_twin"
        text = (folder / "lock.py").read_text().replace(name, self.renamed)
        for old, new in changes:
            self.assertIn(old, text)
            text = text.replace(old, new)
        (folder / "lock.py").write_text(text)
        (folder / "lock.md").unlink()
        command = [*manifest["command"], self.word]
        return self.changed(folder, name=self.renamed, command=command)

    def judged(self, folder, lock, load, expect=None):
        """{property: judgement and kinds} of one trial."""
        none = {"ownership": "not_exercised"}
        content = {"locks": [lock], **load, "expect": {"*": expect or none}, "why": {"*": "as this test says"}}
        self.run_suite(self.scenario("kinds", content), "--adapter", folder)
        self.assertNotIn("harness_error", self.outcomes().values(), self.shown)
        found = json.loads((self.latest() / f"cells/{lock}/kinds/1/verdict.json").read_text())["properties"]
        self.nothing_left()
        return {one["property"]: (one["judgement"], set(one.get("kinds") or ())) for one in found}

    def holds(self, judged, *properties):
        for name in properties:
            self.assertEqual(judged[name], ("holds", set()), f"{name}: {self.shown}")

    def violated(self, judged, name, kind):
        self.assertEqual(judged[name][0], "violated", self.shown)
        self.assertIn(kind, judged[name][1], self.shown)


class Election(Kinds):
    def test_sound_election_holds_and_is_observed(self):
        judged = self.judged(self.copied("leader_row_py"), self.renamed, LEADERS)
        self.holds(judged, "mutual_exclusion", "lease_exclusion", "leader_view")
        lines = (self.latest() / f"cells/{self.renamed}/kinds/1/history.jsonl").read_text().splitlines()
        seen = [json.loads(line) for line in lines if '"observer"' in line]
        self.assertGreater(len({one.get("holder") for one in seen}), 1, seen)
        self.assertEqual({one["client"] for one in seen}, {0, 1, 2})

    def test_unguarded_row_has_two_leaders(self):
        folder = self.copied("leader_row_py", (GUARD, "VALUES(leader)"))
        self.violated(self.judged(folder, self.renamed, LEADERS), "mutual_exclusion", "algorithm")

    def test_stale_observer_went_back(self):
        begin = ("self.seen = None", "self.seen, self.past = None, ''")
        # A candidate that waits in vain may have led before it gave up, so none waits; a campaign may succeed at once,
        # so a resigned leader campaigns again only after another is elected.
        folder = self.copied("leader_row_py", (TELL, TELL_THE_PAST), begin, ('"wait", ', ""))
        self.changed(folder, tick_ms=1000, can=["lost", "leader", "background"], waits_ms=None)
        judged = self.judged(folder, self.renamed, {**LEADERS, "duration_ms": 9000})
        self.violated(judged, "leader_view", "went_back")
        self.holds(judged, "mutual_exclusion")

    def test_unknown_leader_is_an_adapter_error(self):
        folder = self.copied("leader_row_py", ("holder=leader,", "holder=leader and 'me',"))
        content = {"locks": [self.renamed], **LEADERS, **NOTHING}
        answer = self.run_suite(self.scenario("kinds", content), "--adapter", folder)
        self.assertEqual(answer.returncode, 5, self.shown)
        self.assertIn("no hello had that owner", answer.stdout + answer.stderr)
        self.nothing_left()


class Scheduler(Kinds):
    def test_sound_scheduler_holds(self):
        judged = self.judged(self.copied("job_row_py"), self.renamed, JOBS)
        self.holds(judged, "mutual_exclusion", "resource")
        self.assertEqual(judged["lease_exclusion"][0], "not_applicable")

    def test_jobs_without_a_lock_overlap(self):
        folder = self.copied("job_row_py", (" AND until < UTC_TIMESTAMP(6)", ""))
        self.violated(self.judged(folder, self.renamed, JOBS), "mutual_exclusion", "algorithm")

    def test_job_in_an_ordinary_lock_is_an_error(self):
        folder = self.copied("job_row_py")
        self.changed(folder, kind="lock")
        content = {"locks": [self.renamed], **JOBS, **NOTHING}
        answer = self.run_suite(self.scenario("kinds", content), "--adapter", folder)
        self.assertEqual(answer.returncode, 5, self.shown)
        self.assertIn("scheduler", answer.stdout + answer.stderr)

    def test_several_keys_of_one_client_are_refused(self):
        folder = self.copied("job_row_py")
        content = {"locks": [self.renamed], **JOBS, **NOTHING, "keys": 2}
        self.run_suite(self.scenario("kinds", content), "--adapter", folder)
        self.assertEqual(set(self.outcomes().values()), {"unavailable"}, self.shown)


class Threads(Kinds):
    def own(self, *changes):
        folder = self.made("my_lock", can=["threads"])
        text = (folder / "lock.py").read_text().replace("CAN = []", 'CAN = ["threads"]')
        text = text.replace("self.values[name]", "self.values[name, ask['thread']]")
        text = text.replace('self.values.get(name, "")', 'self.values.get((name, ask["thread"]), "")')
        for old, new in changes:
            self.assertIn(old, text)
            text = text.replace(old, new)
        (folder / "lock.py").write_text(text)
        return folder

    def test_sound_lock_separates_threads(self):
        self.holds(self.judged(self.own(), "my_lock", THREADS), "mutual_exclusion")

    def test_lock_that_ignores_threads_lets_two_in(self):
        folder = self.own((BUSY, IGNORES_THREAD + BUSY))
        self.violated(self.judged(folder, "my_lock", THREADS), "mutual_exclusion", "algorithm")

    def test_lock_without_threads_is_refused(self):
        folder = self.made()
        self.run_suite(self.scenario("kinds", {"locks": ["my_lock"], **THREADS, **NOTHING}), "--adapter", folder)
        self.assertEqual(set(self.outcomes().values()), {"unavailable"}, self.shown)
        self.assertIn("threads", self.verdict()["cells"][0]["trials"][0]["error"])


class Check(Kinds):
    def test_shipped_kinds_pass_the_check(self):
        for name in ("leader_row_py", "job_row_py"):
            answer = self.call(PROGRAM, "adapter", "check", SOURCE / "adapters" / name)
            self.assertEqual(answer.returncode, 0, self.shown)

    def wrong(self, folder, rule):
        answer = self.call(PROGRAM, "adapter", "check", folder)
        self.assertEqual(answer.returncode, 1, self.shown)
        self.assertRegex(answer.stdout, rf"(?m)^WRONG {rule}:")

    def test_election_without_notices_fails_the_check(self):
        self.wrong(self.copied("leader_row_py", (TELL, "            pass\n")), "leader")

    def test_simultaneous_jobs_fail_the_check(self):
        self.wrong(self.copied("job_row_py", (" AND until < UTC_TIMESTAMP(6)", "")), "job_alone")


if __name__ == "__main__":
    unittest.main()
