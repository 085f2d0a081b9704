"""Trials on PostgreSQL in a lab: what they leave, whose the server is, and that no fault of it that was left out
passes.
"""

import json
import pathlib
import subprocess
import time
import unittest

import needs
from own_servers import postgres_folder
from program import PROGRAM, ProgramTest, as_user, kill, processes, program_for_all, quick, wait_until

LOCK = "postgres_insert_lease"
SERVER_FAULTS = {
    "server_kill": {},
    "server_pause": {},
    "server_clock": {"step_ms": 900},
    "server_drift": {"percent": 50},
    "connection_kill": {},
    "failover": {},
}


@unittest.skipUnless(postgres_folder(), "needs PostgreSQL, not installed; remedy: ./run setup postgres")
class OnPostgres(ProgramTest):
    def one_fault(self, name):
        server = name not in ("connection_kill", "failover")
        entry = {"fault": name, "at": {"phase": "critical_section"}, "for_ms": 300, **SERVER_FAULTS[name]}
        place = {"topology": "replica"} if name == "failover" else {}
        if server:
            entry["target"] = "server"
        return self.scenario(name, quick(locks=[LOCK], lease_ms=3000, faults=[entry], **place))

    def outcomes_with(self, *flags):
        paths = [self.one_fault(name) for name in SERVER_FAULTS]
        self.call(*self.run_command(*paths, "--quiet", *flags))
        return {cell.split("/")[1]: outcome for cell, outcome in self.outcomes().items()}


class Sabotage(OnPostgres):
    def test_complete_faults_are_not_errors(self):
        self.assertNotIn("harness_error", self.outcomes_with().values(), self.shown)

    def left_out(self, what, excepted=()):
        found = self.outcomes_with("--sabotage", what)
        self.assertEqual(self.verdict()["exit_code"], 5)
        broken = {name for name, outcome in found.items() if outcome == "harness_error"}
        self.assertEqual(broken, set(SERVER_FAULTS) - set(excepted), self.shown)

    def test_skipped_act_is_an_error(self):
        self.left_out("act")

    def test_skipped_heal_is_an_error(self):
        self.left_out("heal", {"connection_kill"})

    def test_early_end_is_an_error(self):
        self.left_out("undo_early", {"connection_kill"})


class Lab(OnPostgres):
    def servers(self):
        """The processes of this test: others have servers of their own, outside a lab."""
        found = processes(f"{postgres_folder()}/postgres")
        return {pid: line for pid, line in found.items() if str(self.folder) in line}

    def start(self, command):
        with (self.folder / "log").open("w") as log:
            run = subprocess.Popen(command, stdout=log, stderr=log, cwd=self.folder)
        self.addCleanup(run.wait)
        self.addCleanup(kill, run.pid)
        return run

    @needs.programs("pgbouncer", "pgbouncer")
    def test_a_killed_run_leaves_no_process(self):
        path = self.scenario("long", quick(locks=[f"{LOCK}+pgbouncer"], duration_ms=30000))
        run = self.start([*self.run_command(path, "--quiet")])
        self.assertTrue(wait_until(lambda: processes("pgbouncer") and self.servers(), 60))
        time.sleep(0.5)
        kill(run.pid)
        run.wait()
        self.assertTrue(wait_until(lambda: not processes(str(self.folder)), 30), processes(str(self.folder)))

    def test_a_server_has_no_privileges(self):
        path = self.scenario("long", quick(locks=[LOCK], duration_ms=20000))
        self.start([*self.run_command(path, "--quiet")])
        self.assertTrue(wait_until(self.servers, 60))
        looked_at = 0
        for pid in self.servers():
            try:
                status = pathlib.Path(f"/proc/{pid}/status").read_text()
            except OSError:
                continue  # one of its processes has ended
            looked_at += 1
            self.assertRegex(status, r"CapEff:\s0+\n")
            self.assertRegex(status, r"CapBnd:\s0+\n")
            self.assertRegex(status, r"NoNewPrivs:\s1\n")
        self.assertGreater(looked_at, 0)

    @needs.root("only root can become another user")
    def test_normal_user_can_run_a_trial(self):
        path = self.scenario("none", quick(locks=[LOCK]))
        program = program_for_all(self.folder)
        self.folder.chmod(0o777)
        command = [program, "run", path, "--out", self.folder / "theirs", "--seed", "1", "--quiet"]
        answer = subprocess.run(as_user(command), capture_output=True, text=True, cwd=self.folder)
        self.assertEqual(answer.returncode, 0, answer.stdout + answer.stderr)

    @needs.programs("pgbouncer", "pgbouncer")
    def test_pool_breaks_a_session_lock(self):
        clean = {"ownership": "holds", "resource": "not_exercised"}
        shared = {name: "violated:algorithm" for name in ("lease_exclusion", "mutual_exclusion", "resource")}
        shared["ownership"] = "violated"
        shared["progress"] = "allowed:refused_free,stuck"  # an unused session may keep it
        locks = ["postgres_advisory_lock", "postgres_advisory_lock+pgbouncer"]
        why = {locks[1]: "the pool's sessions are everybody's, and a session lock is its session's"}
        path = self.scenario("pool", quick(locks=locks, expect={locks[0]: clean, locks[1]: shared}, why=why))
        self.call(*self.run_command(path, "--quiet"))
        self.assertEqual(self.outcomes()[f"{locks[1]}/pool"], "caught", self.shown)
        self.assertEqual(json.loads((self.latest() / "verdict.json").read_text())["cells"][0]["lock"], locks[0])


if __name__ == "__main__":
    unittest.main()
