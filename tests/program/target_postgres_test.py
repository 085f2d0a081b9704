"""A run on a PostgreSQL of the user's own: a real one, with users and passwords, and with tables of others beside ours,
which must be the same afterwards.
"""

import unittest

from on_target import OnTarget, fault
from own_servers import IN_URL, OwnPostgres, postgres_folder
from program import PROGRAM, quick, wait_until, kill

LOCK = "postgres_insert_lease"


class SecurePostgres(OwnPostgres):
    def __init__(self):
        super().__init__(tls=True)


@unittest.skipUnless(postgres_folder(), "needs PostgreSQL, not installed; remedy: ./run setup postgres")
class OnPostgres(OnTarget):
    kind = OwnPostgres
    lock = LOCK


class PostgresTarget(OnPostgres):
    def test_locks_and_faults_behave_as_in_the_lab(self):
        locks = [LOCK, "postgres_fenced_lease", "postgres_advisory_lock", "postgres_row_nowait"]
        scenarios = [
            self.scenario("none", quick(locks=locks)),
            self.scenario("cut", quick(locks=[LOCK], faults=fault("connection_kill"))),
            self.scenario("server", quick(locks=[LOCK], faults=fault("server_pause", target="server"))),
            self.scenario("other", quick(locks=["insert_lease"])),
        ]
        self.run_on(self.own.url(), *scenarios)
        outcomes = self.outcomes()
        for cell in [*(f"{lock}/none" for lock in locks if "fenced" not in lock), f"{LOCK}/cut"]:
            self.assertEqual(outcomes[cell], "as_expected", self.shown)
        for cell in (f"{LOCK}/server", "insert_lease/other"):
            self.assertEqual(outcomes[cell], "unavailable", self.shown)
        acted = {one["fault"]: one["acted"] for one in self.verdict()["faults"]}
        self.assertGreaterEqual(acted["connection_kill"], 1)
        self.assertIn(f"127.0.0.1:{self.own.port}/postgres", self.verdict()["server"])
        self.assert_no_password()
        self.assert_untouched()

    def test_invalid_targets_are_refused(self):
        self.assert_refused(self.own.url(password="wrong"), 4, "password authentication failed")
        self.assert_refused(self.own.url(database="nowhere"), 4, "nowhere")
        self.assert_refused(f"postgres://app:{IN_URL}@127.0.0.1:1/app", 4, "127.0.0.1:1/app", "connect")
        self.assert_refused(self.own.url("reader"), 4, "CREATE and DROP")
        self.assert_refused(f"postgres://app:{IN_URL}@192.0.2.1/app", 4, "tls=required")
        self.assert_refused(f"postgres://app:{IN_URL}@127.0.0.1", 2, "no database")

    def test_foreign_table_with_our_name_is_kept(self):
        path = self.scenario("none", quick(locks=[LOCK]))
        answer = self.run_on(self.own.url(), path, "--target-run", "holdfast_0123abcd")
        self.assertEqual(answer.returncode, 4, self.shown)
        self.assertIn("0123abcd_1_", answer.stderr)
        self.assert_untouched()

    def test_interrupted_and_killed_runs_clean_up(self):
        self.interrupted_and_killed("made by holdfast")
        answer = self.run_on(self.own.url(), self.scenario("none", quick(locks=[LOCK])))
        self.assertIn("interrupted run: removed", answer.stderr)
        self.assert_untouched()

    def guards(self):
        """The sessions that hold a run's claim, by their number."""
        held = "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND classid = 1752132708 AND granted"
        return self.own.sql(held).split()

    def test_guard_session_is_reclaimed_after_a_cut(self):
        run = self.start_long(LOCK)
        (guard,) = self.guards()
        self.own.sql(f"SELECT pg_terminate_backend({guard})")
        self.assertIn("running run; not removed", self.clean().stdout)
        self.assertTrue(wait_until(self.guards, 20), "it claims again")
        self.assertNotIn(guard, self.guards())
        self.assertIsNone(run.poll())
        kill(run.pid)
        run.wait()
        wait_until(lambda: "removed" in self.clean().stdout, 30)
        self.assert_untouched()
        self.assertIn("not removed", self.clean().stdout, "what is only named like ours")


class PostgresWithTls(OnPostgres):
    kind = SecurePostgres

    def asked(self, name):
        return self.own.url(query=f"?tls=required&ca={self.own.data}/{name}.pem")

    def test_run_with_tls(self):
        answer = self.run_on(self.asked("ca"), self.scenario("none", quick(locks=[LOCK])))
        self.assertEqual(answer.returncode, 0, self.shown)
        self.assert_no_password()
        self.assert_untouched()

    def test_server_with_an_untrusted_certificate_is_refused(self):
        self.assert_refused(self.asked("stranger"), 4, "certificate")
        self.assert_refused(self.own.url(), 4, "no encryption")


if __name__ == "__main__":
    unittest.main()
