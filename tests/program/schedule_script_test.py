"""replay --script: the shell script of a schedule, run on a server of one's own, gives the answers that explore saw."""

import os
import pathlib
import subprocess
import unittest

from explorer import ExploreTest
from own_servers import PASSWORD, OwnMariaDb, OwnRedis
from program import PROGRAM, SOURCE, wait_until

REPORTED = SOURCE / "tests/planted/reported"
BOUNDS = ("--preemptions", "1", "--time-jumps", "1", "--faults", "1", "--budget", "60s")


class Scripts(ExploreTest):
    def script_of(self, file, find):
        lock = pathlib.Path(file).stem
        self.explore(str(REPORTED / file), *BOUNDS, code=1)
        made = self.folder / "schedule.sh"
        command = ["replay", str(self.out / f"latest/{lock}.{find}.replay"), "--lock-file", str(REPORTED / file)]
        done = self.call(PROGRAM, *command, "--script", made)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn(f"script: {made}\n", done.stdout)
        return made

    def answers(self, script, options, environment=()):
        there = {**os.environ, **dict(environment)}
        done = subprocess.run(
            ["bash", script, *options], capture_output=True, text=True, timeout=120, check=False, env=there
        )
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        return done.stdout

    def test_redis_commands_free_another_clients_lock(self):
        script = self.script_of("leshan_two_requests.redis", "foreign_release")
        server = OwnRedis()
        self.addCleanup(server.stop)
        server.ask("DEL", "orders")
        options = ["--no-auth-warning", "-p", str(server.port)]
        said = self.answers(script, options, {"REDISCLI_AUTH": PASSWORD})
        self.assertIn("A   DEL orders\n     -> 1\n", said)
        self.assertIn("explore saw: A released B's lock\n", said)
        self.assertEqual(server.ask("EXISTS", "orders"), "0\n", "B's lease has two seconds, and its lock is gone")

    def test_statements_leave_the_row_locked(self):
        script = self.script_of("liquibase_lock.sql", "stuck")
        server = OwnMariaDb()
        self.addCleanup(server.stop)
        server.sql("CREATE DATABASE fresh")
        options = ["--no-defaults", "--skip-ssl", "-uroot", f"--socket={server.data}/s", "fresh"]
        said = self.answers(script, options)
        self.assertIn("     -> Query OK, 1 row affected\n", said)
        self.assertEqual(server.sql("SELECT locked FROM fresh.liquibase_lock"), "1\n", said)
        left = "SELECT COUNT(*) FROM information_schema.processlist WHERE db = 'fresh'"
        self.assertTrue(wait_until(lambda: server.sql(left) == "0\n"), "its sessions end with it")


if __name__ == "__main__":
    unittest.main()
