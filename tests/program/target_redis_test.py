"""A run on a Redis of the user's own: a real one, with a password, and with keys of others beside ours, which must be
the same afterwards.
"""

import unittest

from on_target import OnTarget
from own_servers import OwnRedis
from program import SOURCE, quick


class RedisTarget(OnTarget):
    kind = OwnRedis
    lock = "redis_token"

    def test_published_locks_as_in_the_lab(self):
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

    def test_another_number(self):
        answer = self.run_on(self.own.url(number="/2"), self.scenario("none", quick(locks=["redis_token"], keys=2)))
        self.assertEqual(answer.returncode, 0, self.shown)
        self.assertIn("/2", self.verdict()["server"])
        self.assert_untouched()

    def test_what_is_refused(self):
        self.assert_refused(self.own.url(password="wrong"), 4, "WRONGPASS")
        self.assert_refused(f"redis://127.0.0.1:{self.own.port}", 4, "NOAUTH")
        self.assert_refused("redis://127.0.0.1:1", 4, "Connection refused")
        self.assert_refused(self.own.url(number="/app"), 2, "no number")

    def test_a_register_that_is_not_ours(self):
        for command in (("SET", "holdfast_runs", "theirs"), ("HSET", "holdfast_runs", "orders", "7")):
            self.own.ask(*command)
            self.before = self.own.dump()
            self.assert_refused(self.own.url(), 4, "holdfast_runs that is not holdfast's")
            self.own.ask("DEL", "holdfast_runs")

    def test_a_key_of_that_name(self):
        path = self.scenario("none", quick(locks=["redis_token"]))
        answer = self.run_on(self.own.url(), path, "--target-run", "holdfast_0123abcd")
        self.assertEqual(answer.returncode, 5, self.shown)
        self.assertIn("which is not this run's", str(self.verdict()))
        self.assert_untouched()

    def test_interrupted_and_killed(self):
        """A key says for how long a run may be at work; here the test takes it away, as time would."""
        self.interrupted_and_killed("holdfast_runs")
        answer = self.clean()
        self.assertIn("may be of a run that is at work", answer.stdout)
        run = answer.stdout.split()[1][: len("holdfast_1a2b3c4d")]
        self.own.ask("DEL", f"{run}_alive")
        self.assertIn("removed", self.clean().stdout)
        self.assert_untouched()


if __name__ == "__main__":
    unittest.main()
