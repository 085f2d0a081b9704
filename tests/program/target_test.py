"""A run on a MariaDB of the user's own: a real one, with users and passwords, and with tables of others beside ours,
which must be the same afterwards.
"""

import json
import os
import subprocess
import time
import unittest

from on_target import OnTarget, fault
from own_servers import IN_URL, PASSWORD, OwnMariaDb
from program import PROGRAM, SOURCE, kill, quick, wait_until


class MySqlTarget(OnTarget):
    kind = OwnMariaDb
    lock = "insert_lease"
    # Its flaw shows where several read an expired lease at one moment: the shorter the way to the server, the rarer.
    RARE = "ip_lease/reply_lost"

    def test_race_is_found_without_a_network(self):
        self.run_on(self.own.url(), SOURCE / "scenarios/quick/reply_lost.json", "--only", self.RARE, "--repeat", "5")
        (cell,) = self.verdict()["cells"]
        outcomes = [trial["outcome"] for trial in cell["trials"]]
        self.assertEqual(len(outcomes), 5)
        self.assertLessEqual(set(outcomes), {"caught", "missed"}, self.shown)
        self.assertIn("caught", outcomes, self.shown)
        self.assert_untouched()

    def test_published_locks_behave_as_in_the_lab(self):
        locks = ("insert_lease", "ip_lease", "upsert_lease", "upsert_lease+found_rows")
        names = ("none", "pause", "kill", "reply_lost", "partition", "shared_address")
        wanted = [f"{lock}/{name}" for lock in locks for name in names if f"{lock}/{name}" != self.RARE]
        cells = [word for cell in wanted for word in ("--only", cell)]
        paths = [SOURCE / "scenarios" / "quick" / f"{name}.json" for name in names]
        answer = self.run_on(self.own.url(), *paths, *cells, "--jobs", "4")
        outcomes = self.outcomes()
        self.assertEqual(answer.returncode, 0, self.shown)
        for lock in locks:
            for name in names:
                flawed = lock in ("ip_lease", "upsert_lease+found_rows") or name == "pause"
                expected = "caught" if flawed else "as_expected"
                if name in ("partition", "shared_address"):
                    expected = "unavailable"
                if f"{lock}/{name}" in wanted:
                    self.assertEqual(outcomes[f"{lock}/{name}"], expected, f"{lock}/{name}: {self.shown}")
        self.assertEqual(len(outcomes), len(wanted))
        row = next(line for line in answer.stdout.splitlines() if line.startswith("insert_lease"))
        self.assertEqual(row.split().count("-"), 2, answer.stdout)
        self.assertEqual(answer.stderr.count("partition needs a network"), 1, self.shown)
        self.assertIn(f"127.0.0.1:{self.own.port}/app", self.verdict()["server"])
        self.assertIn(":***@", self.verdict()["command"])
        self.assert_no_password()
        self.assert_untouched()

    def test_client_and_connection_faults_work(self):
        scenarios = [
            self.scenario("skew", quick(faults=fault("client_skew", step_ms=5000))),
            self.scenario("cut", quick(locks=["insert_lease", "get_lock"], faults=fault("connection_kill"))),
            self.scenario("server", quick(faults=fault("server_pause", target="server"))),
            self.scenario("store", quick(locks=["redis_token"])),
        ]
        self.run_on(self.own.url(), *scenarios)
        outcomes = self.outcomes()
        for cell in ("insert_lease/skew", "insert_lease/cut"):
            self.assertEqual(outcomes[cell], "as_expected", self.shown)
        for cell in ("insert_lease/server", "redis_token/store"):
            self.assertEqual(outcomes[cell], "unavailable", self.shown)
        acted = {fault["fault"]: fault["acted"] for fault in self.verdict()["faults"]}
        self.assertGreaterEqual(acted["client_skew"], 1)
        self.assertGreaterEqual(acted["connection_kill"], 1)
        self.assert_untouched()

    def test_failed_trial_cleans_up(self):
        answer = self.run_on(self.own.url(), self.scenario("pause", quick(faults=fault("pause"))), "--sabotage", "act")
        self.assertEqual(answer.returncode, 5, self.shown)
        self.assert_untouched()

    def test_password_from_the_environment(self):
        environment = {**os.environ, "HOLDFAST_TARGET_PASSWORD": PASSWORD}
        url = f"mysql://app@127.0.0.1:{self.own.port}/app"
        answer = self.run_on(url, self.scenario("none", quick(locks=["fenced_lease"])), env=environment)
        self.assertEqual(answer.returncode, 0, self.shown)
        self.assert_no_password()

    def test_compare_runs_on_the_target(self):
        command = ["compare", "insert_lease", "upsert_lease+found_rows", "redis_token", "--seed", "3", "--quiet"]
        common = ["--scenario", self.scenario("mine", quick()), "--out", self.out, "--target", self.own.url()]
        answer = self.call(PROGRAM, *command, *common)
        self.assertEqual(answer.returncode, 0, self.shown)
        everything = json.loads((self.latest() / "compare.json").read_text())
        states = {cell["variant"]: [trial["state"] for trial in cell["trials"]] for cell in everything["cells"]}
        judged = ["judged"]
        expected = {"insert_lease": judged, "upsert_lease+found_rows": judged, "redis_token": ["unavailable"]}
        self.assertEqual(states, expected, self.shown)
        self.assertIn(f"127.0.0.1:{self.own.port}/app", everything["server"])
        self.assertIn(":***@", everything["command"])
        self.assert_no_password()
        self.assert_untouched()

    def test_invalid_targets_are_refused(self):
        self.assert_refused(self.own.url(password="wrong"), 4, "Access denied")
        self.assert_refused(self.own.url(database="nowhere"), 4, "nowhere")
        self.assert_refused(f"mysql://app:{IN_URL}@127.0.0.1:1/app", 4, "127.0.0.1:1/app", "connect")
        self.assert_refused(self.own.url("reader"), 4, "CREATE and DROP")
        self.assert_refused("mysql://app:***@127.0.0.1/app", 2, "HOLDFAST_TARGET_PASSWORD")
        self.assert_refused(f"mysql://app:{IN_URL}@127.0.0.1", 2, "no database")
        self.assert_refused(f"gopher://app:{IN_URL}@127.0.0.1/app", 2, "neither mysql:// nor ")

    def test_unremovable_table_is_reported(self):
        answer = self.run_on(self.own.url("maker"), self.scenario("none", quick()))
        self.assertEqual(answer.returncode, 4, self.shown)
        self.assertIn("DROP", answer.stderr)
        self.assertIn("left on the target", answer.stderr)
        self.assertIn("1 tables", self.clean().stdout)
        self.assert_untouched()

    def holds_back(self, table):
        """Others refer to a table of ours, so the server refuses to drop it."""
        at = f"WHERE table_schema = 'app' AND table_name = '{table}' AND constraint_name = 'PRIMARY'"
        key = self.own.sql(f"SELECT column_name FROM information_schema.key_column_usage {at}").split()
        columns = ", ".join(key)
        self.own.sql(f"CREATE TABLE app.theirs_too LIKE app.{table}; ALTER TABLE app.theirs_too COMMENT = '', "
                     f"ADD FOREIGN KEY ({columns}) REFERENCES app.{table} ({columns})")  # fmt: skip

    def tables_of_ours(self):
        asked = "SELECT table_name FROM information_schema.tables WHERE table_name LIKE 'holdfast%insert_lease' "
        asked += "OR table_name LIKE 'holdfast%resource' ORDER BY 1"
        return self.own.sql(asked).split()

    def test_unremovable_table_does_not_keep_others(self):
        """Neither the trial's other tables, nor a planted file in the trial's folder."""
        path = self.scenario("none", quick(duration_ms=3000))
        for number in (0, 1):
            run = subprocess.Popen([*self.run_command(path, "--quiet"), "--target", self.own.url()], cwd=self.folder,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)  # fmt: skip
            self.addCleanup(run.kill)
            client = lambda: any(" client " in line for line in self.ours().values())
            self.assertTrue(wait_until(lambda: client() and len(self.tables_of_ours()) == 2, 60))
            trial = self.latest() / "cells/insert_lease/none/1"
            os.mkfifo(trial / "planted")
            kept = self.tables_of_ours()[number]
            self.holds_back(kept)
            said = run.communicate(timeout=100)[0]
            self.assertEqual(run.returncode, 5, said)
            self.assertEqual(self.tables_of_ours(), [kept], said)
            self.assertFalse((trial / "planted").exists(), said)
            (one,) = self.verdict()["cells"][0]["trials"]
            self.assertIn("replaced a file", one["error"])
            self.assertIn(f"DROP TABLE IF EXISTS `{kept}`", one["error"])
            self.own.sql("DROP TABLE app.theirs_too")
            self.clean()
            self.assert_untouched()

    def test_foreign_table_with_our_name_is_kept(self):
        self.assert_named_like_ours("0123abcd")

    def assert_named_like_ours(self, run):
        path = self.scenario("none", quick())
        answer = self.run_on(self.own.url(), path, "--target-run", f"holdfast_{run}")
        self.assertEqual(answer.returncode, 4, self.shown)
        self.assertIn(f"there is a table holdfast_{run}_1_orders, which does not belong to this run", answer.stderr)
        self.assert_untouched()

    def test_interrupted_and_killed_runs_clean_up(self):
        self.interrupted_and_killed("made by holdfast")
        answer = self.run_on(self.own.url(), self.scenario("none", quick()))
        self.assertIn("interrupted run: removed", answer.stderr)
        self.assert_untouched()

    def guards(self):
        """The sessions that hold a run's claim, by their number."""
        held = "SELECT id FROM information_schema.processlist WHERE user = 'app' AND IS_USED_LOCK({}) = id"
        runs = {line.split("\t")[1][:17] for line in self.own.dump() if "\tholdfast_" in line} - {"holdfast_0123abcd"}
        return [number for run in runs for number in self.own.sql(held.format(f"'{run}'")).split()]

    def test_guard_session_is_reclaimed_after_a_cut(self):
        """An administrator cuts all sessions except the clients'; another client cleans up at once."""
        run = self.start_long(self.lock)
        for _ in range(3):
            (guard,) = self.guards()
            self.own.sql(f"KILL CONNECTION {guard}")
            self.assertIn("running run; not removed", self.clean().stdout)
            self.assertTrue(wait_until(self.guards, 20), "it claims again")
            self.assertNotIn(guard, self.guards())
        self.assertIsNone(run.poll())
        self.assertTrue(any("insert_lease" in line and "\tholdfast_" in line for line in self.own.dump()))
        run.terminate()
        self.assertEqual(run.wait(60), 130)
        self.assert_untouched()

    def test_trial_that_outlives_its_guard_cleans_up(self):
        path = self.scenario("none", quick(duration_ms=6000))
        log = (self.folder / "log").open("w")
        self.addCleanup(log.close)
        command = [*self.run_command(path, "--quiet"), "--target", self.own.url()]
        run = subprocess.Popen(command, stdout=log, stderr=log, cwd=self.folder)
        self.addCleanup(kill, run.pid)
        self.assertTrue(wait_until(self.guards, 60))
        for guard in self.guards():
            self.own.sql(f"KILL CONNECTION {guard}")
        run.wait(100)
        self.shown = (self.folder / "log").read_text()
        self.assertEqual(run.returncode, 0, self.shown)
        self.assert_untouched()

    def test_trial_that_loses_its_claim_is_discarded(self):
        """The guard is refused for longer than a cleaner waits: then a trial says nothing."""
        path = self.scenario("long", quick(duration_ms=20000))
        log = (self.folder / "log").open("w")
        self.addCleanup(log.close)
        command = [*self.run_command(path, "--quiet"), "--target", self.own.url()]
        run = subprocess.Popen(command, stdout=log, stderr=log, cwd=self.folder)
        self.addCleanup(kill, run.pid)
        client = lambda: any(" client " in line for line in self.ours().values())
        self.assertTrue(wait_until(lambda: client() and self.guards(), 60))
        time.sleep(1)  # the clients have connected
        self.own.sql("ALTER USER app@'%' ACCOUNT LOCK")
        try:
            for guard in self.guards():
                self.own.sql(f"KILL CONNECTION {guard}")
            time.sleep(10)
        finally:
            self.own.sql("ALTER USER app@'%' ACCOUNT UNLOCK")
        run.wait(100)
        self.shown = (self.folder / "log").read_text()
        self.assertEqual(run.returncode, 5, self.shown)
        self.assertIn("another run may have removed them", str(self.verdict()))
        self.assert_untouched()

    def test_clean_removes_own_tables(self):
        run = self.start_long(self.lock)
        self.assertIn("running run; not removed", self.clean().stdout)
        self.assertIsNone(run.poll())
        kill(run.pid)
        run.wait()
        wait_until(lambda: "removed" in self.clean().stdout, 30)
        self.assert_untouched()
        self.assertIn("holdfast has left nothing", self.clean().stdout)


if __name__ == "__main__":
    unittest.main()
