"""A run on a Redis of the user's own: a real one, with a password, and with keys of others beside ours, which must be
the same afterwards.
"""

import contextlib
import os
import pathlib
import subprocess
import unittest

from on_target import OnTarget
from own_servers import OwnRedis
from program import SOURCE, kill, quick, wait_until


class RedisTarget(OnTarget):
    kind = OwnRedis
    lock = "redis_token"

    def test_published_locks_behave_as_in_the_lab(self):
        locks = ("redis_token", "redis_setnx", "redis_watchdog")
        names = ("none", "pause", "kill", "reply_lost", "partition")
        cells = [word for lock in locks for word in ("--only", f"{lock}/*")]
        paths = [SOURCE / "scenarios" / "redis" / f"{name}.json" for name in names]
        answer = self.run_on(self.own.url(), *paths, *cells, "--jobs", "4")
        outcomes = self.outcomes()
        self.assertEqual(answer.returncode, 0, self.shown)
        self.assertEqual(outcomes["redis_token/none"], "as_expected", self.shown)
        for cell in ("redis_token/pause", "redis_watchdog/pause", "redis_setnx/kill", "redis_setnx/reply_lost"):
            self.assertEqual(outcomes[cell], "caught", self.shown)
        self.assertEqual({outcome for cell, outcome in outcomes.items() if "partition" in cell}, {"unavailable"})
        self.assert_no_password()
        self.assert_untouched()

    def test_database_number_is_used(self):
        answer = self.run_on(self.own.url(number="/2"), self.scenario("none", quick(locks=["redis_token"], keys=2)))
        self.assertEqual(answer.returncode, 0, self.shown)
        self.assertIn("/2", self.verdict()["server"])
        self.assert_untouched()

    def test_relay_faults_are_unavailable(self):
        """Faults of requests on their way, and requests that are not holdfast's own statements."""
        held = {"fault": "hold_request", "at": {"request": 1, "of": "release"}, "for_ms": 300}
        twice = {"fault": "duplicate", "at": {"request": 1, "of": "release"}}
        stopped = {"fault": "pause", "at": {"request": 1, "of": "acquire", "when": "after"}, "for_ms": 300}
        lost = {"fault": "reply_lost", "at": {"request": 1, "of": "acquire", "when": "after", "nth": 2}}
        paths = [
            self.scenario(name, quick(locks=["redis_token", "redis_token_py"], faults=[one], expect={"*": {}}))
            for name, one in (("held", held), ("twice", twice), ("stopped", stopped), ("lost", lost))
        ]
        self.run_on(self.own.url(), *paths)
        outcomes = self.outcomes()
        unavailable = {cell for cell, outcome in outcomes.items() if outcome == "unavailable"}
        of_the_adapter = {f"redis_token_py/{name}" for name in ("held", "twice", "stopped", "lost")}
        self.assertEqual(unavailable, {"redis_token/held", "redis_token/twice", *of_the_adapter}, self.shown)
        self.assertNotIn("harness_error", outcomes.values(), self.shown)
        errors = {cell["trials"][0]["error"] for cell in self.verdict()["cells"] if cell["outcome"] == "unavailable"}
        for error in errors:
            self.assertIn("needs the relay of a lab: not possible on a --target", error)
        self.assert_untouched()

    def test_invalid_targets_are_refused(self):
        self.assert_refused(self.own.url(password="wrong"), 4, "WRONGPASS")
        self.assert_refused(f"redis://127.0.0.1:{self.own.port}", 4, "NOAUTH")
        self.assert_refused("redis://127.0.0.1:1", 4, "Connection refused")
        self.assert_refused(self.own.url(number="/app"), 2, "not the number")

    def test_foreign_register_is_refused(self):
        for command in (("SET", "holdfast_runs", "theirs"), ("HSET", "holdfast_runs", "orders", "7")):
            self.own.ask(*command)
            self.before = self.own.dump()
            self.assert_refused(self.own.url(), 4, "holdfast_runs that is not holdfast's")
            self.own.ask("DEL", "holdfast_runs")

    def test_foreign_key_with_our_name_is_kept(self):
        path = self.scenario("none", quick(locks=["redis_token"]))
        answer = self.run_on(self.own.url(), path, "--target-run", "holdfast_0123abcd")
        self.assertEqual(answer.returncode, 5, self.shown)
        self.assertIn("which does not belong to this run", str(self.verdict()))
        self.assert_untouched()

    def test_interrupted_and_killed_runs_clean_up(self):
        """A key says duration a run may be at work; here the test takes it away, as time would."""
        self.interrupted_and_killed("holdfast_runs")
        answer = self.clean()
        self.assertIn("may belong to a running run", answer.stdout)
        run = answer.stdout.split()[1][: len("holdfast_1a2b3c4d")]
        self.own.ask("DEL", f"{run}_alive")
        self.assertIn("removed", self.clean().stdout)
        self.assert_untouched()


    def entry(self):
        """The register's name of the run that is at work."""
        return self.own.ask("HKEYS", "holdfast_runs").strip()

    def guard(self, run):
        """HOST:PORT of the connection that the run's own process has, as the server names it."""
        links = []
        for descriptor in pathlib.Path(f"/proc/{run.pid}/fd").iterdir():
            with contextlib.suppress(OSError):
                links.append(os.readlink(descriptor))
        sockets = {link[len("socket:[") : -1] for link in links if link.startswith("socket:[")}
        for line in pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]:
            words = line.split()
            if words[9] in sockets and int(words[2].split(":")[1], 16) == self.own.port and words[3] == "01":
                return f"127.0.0.1:{int(words[1].split(':')[1], 16)}"
        return ""

    def begun(self, *paths, jobs=1):
        """A run whose first trials are at work."""
        log = (self.folder / "log").open("w")
        self.addCleanup(log.close)
        command = [*self.run_command(*paths, "--quiet", "--jobs", jobs), "--target", self.own.url()]
        run = subprocess.Popen(command, stdout=log, stderr=log, cwd=self.folder)
        self.addCleanup(run.wait)
        self.addCleanup(kill, run.pid)
        wanted = 3 * jobs
        clients = lambda: sum(" client " in line for line in self.ours().values()) >= wanted
        self.assertTrue(wait_until(clients, 60))
        return run

    def ended(self, run, code):
        run.wait(100)
        self.shown = (self.folder / "log").read_text()
        self.assertEqual(run.returncode, code, self.shown)
        self.assert_untouched()

    def test_guard_connection_is_reclaimed_after_a_cut(self):
        """An administrator cuts it, again and again; another client cleans up at once."""
        run = self.begun(self.scenario("none", quick(locks=["redis_token"], duration_ms=60000)))
        for _ in range(3):
            guard = self.guard(run)
            self.assertTrue(guard)
            self.own.ask("CLIENT", "KILL", "ADDR", guard)
            self.assertIn("may belong to a running run; not removed", self.clean().stdout)
            self.assertTrue(wait_until(lambda guard=guard: self.guard(run) not in ("", guard), 20), "it connects again")
        self.assertIsNone(run.poll())
        run.terminate()
        self.ended(run, 130)

    def test_lost_register_entry_is_restored(self):
        """Otherwise the keys of a run that is killed then could not be found; but the trial is inconclusive."""
        run = self.begun(self.scenario("none", quick(locks=["redis_token"], duration_ms=12000)))
        name = self.entry()
        for lost in ("holdfast_runs", f"{name}_alive"):
            self.own.ask("DEL", lost)
            self.assertTrue(wait_until(lambda lost=lost: self.own.ask("EXISTS", lost) == "1\n", 20), lost)
        self.assertEqual(self.entry(), name)
        self.assertIn("may belong to a running run; not removed", self.clean().stdout)
        self.ended(run, 5)
        self.assertIn("this run was no longer in the register", str(self.verdict()))

    def test_parallel_trial_does_not_hide_a_loss(self):
        """Keys are removed under a trial; one that begins after that registers the run again."""
        lock = ["redis_token"]
        long = self.scenario("a_long", quick(locks=lock, duration_ms=8000))
        short = [self.scenario(f"b_short_{n}", quick(locks=lock, duration_ms=500, expect={"*": {}})) for n in range(2)]
        run = self.begun(long, *short, jobs=2)
        self.own.ask("DEL", f"{self.entry()}_alive")
        self.clean()
        run.wait(100)
        self.shown = (self.folder / "log").read_text()
        self.assertEqual(run.returncode, 5, self.shown)
        self.assertEqual(self.outcomes()["redis_token/a_long"], "harness_error", self.shown)
        self.assert_untouched()


if __name__ == "__main__":
    unittest.main()
