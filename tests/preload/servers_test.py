"""The wall clock of real servers, moved while they run: what they answer, what expires, and that they never hang."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import time
import unittest

from clock import Clock

MS = 1_000_000
HOUR_MS = 3_600_000
LONG_S = 120
SQL = ["mariadb", "--no-defaults", "--batch", "--skip-column-names", "--user=root"]


def sbin():
    return os.environ["PATH"] + ":/usr/local/sbin:/usr/sbin:/sbin"


class ServerTest(unittest.TestCase):
    """A server with a clock of its own, on a socket in a folder of the test's own."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="holdfast-clock-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.socket = self.folder / "s.sock"
        self.clock = Clock(self.folder)
        with (self.folder / "log").open("w") as log:
            streams = {"stdin": subprocess.DEVNULL, "stdout": log, "stderr": log}
            self.server = subprocess.Popen(self.command(), env=self.clock.environment(), cwd=self.folder, **streams)
        self.addCleanup(self.end)
        limit = time.monotonic() + LONG_S
        while not self.answers() and time.monotonic() < limit:
            self.assertIsNone(self.server.poll(), (self.folder / "log").read_text())
            time.sleep(0.05)

    def end(self):
        self.server.kill()
        self.server.wait()

    def said(self, *command):
        done = subprocess.run([*map(str, command)], capture_output=True, text=True, timeout=LONG_S, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.split()

    def assert_between(self, ask, offset_ms, slack_ns):
        before = time.time_ns() + offset_ms * MS
        for seen in ask():
            self.assertTrue(before - slack_ns <= seen <= time.time_ns() + offset_ms * MS, f"{offset_ms} ms: {seen}")


class MariaDb(ServerTest):
    def command(self):
        data = self.folder / "data"
        data.mkdir()
        program = shutil.which("mariadbd", path=sbin())
        plain = ["--no-defaults", f"--datadir={data}", f"--socket={self.socket}", "--skip-networking"]
        return [program, *plain, "--skip-grant-tables", "--user=root", "--innodb-log-file-size=4M"]

    def answers(self):
        ping = [*SQL, f"--socket={self.socket}", "-e", "SELECT 1"]
        return subprocess.run(ping, capture_output=True, timeout=LONG_S, check=False).returncode == 0

    def sql(self, text):
        return self.said(*SQL, f"--socket={self.socket}", "-e", text)

    def clocks(self):
        """NOW and SYSDATE to the microsecond, UNIX_TIMESTAMP to the second, as nanoseconds since 1970."""
        words = self.sql("SELECT UNIX_TIMESTAMP(NOW(6)), UNIX_TIMESTAMP(SYSDATE(6)), UNIX_TIMESTAMP() + 0.999999")
        return [int(word.replace(".", "")) * 1000 for word in words]

    def test_now_and_sysdate_follow(self):
        for offset_ms in (0, HOUR_MS, -HOUR_MS, 3500, 0):
            self.clock.set(offset_ms)
            before = time.time_ns() + offset_ms * MS
            seen = self.clocks()
            after = time.time_ns() + offset_ms * MS
            for name, at, late in zip(("NOW", "SYSDATE", "UNIX_TIMESTAMP"), seen, (0, 0, 1000 * MS), strict=True):
                self.assertTrue(before - 1000 <= at <= after + late, f"{name} at {offset_ms} ms: {before} {at} {after}")

    def test_an_expiry_follows(self):
        create = "CREATE DATABASE d; CREATE TABLE d.lease (expires DATETIME(6)) ENGINE = InnoDB;"
        self.sql(create + "INSERT INTO d.lease VALUES (NOW(6) + INTERVAL 30 MINUTE)")
        expired = "SELECT expires <= NOW(6) FROM d.lease"
        self.assertEqual(self.sql(expired), ["0"])
        self.clock.set(HOUR_MS)
        self.assertEqual(self.sql(expired), ["1"])
        self.clock.set(-HOUR_MS)
        self.assertEqual(self.sql(expired), ["0"])

    def test_waits_end_in_time_despite_a_wrong_clock(self):
        self.sql("CREATE DATABASE d; CREATE TABLE d.t (k INT PRIMARY KEY) ENGINE = InnoDB")
        self.sql("INSERT INTO d.t VALUES (1)")
        client = [*SQL, "--unbuffered", f"--socket={self.socket}"]
        holder = subprocess.Popen(client, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.addCleanup(holder.communicate)
        holder.stdin.write(b"BEGIN; SELECT k FROM d.t FOR UPDATE; SELECT GET_LOCK('l', 0);\n")
        holder.stdin.flush()
        self.assertEqual([holder.stdout.readline() for _ in range(2)], [b"1\n", b"1\n"])
        for offset_ms in (HOUR_MS, -HOUR_MS):
            self.clock.set(offset_ms)
            begin = time.monotonic()
            self.assertEqual(self.sql("SELECT GET_LOCK('l', 1)"), ["0"])
            self.sql("SELECT SLEEP(0.5)")
            row = "SET innodb_lock_wait_timeout = 1; UPDATE d.t SET k = 2"
            refused = subprocess.run([*SQL, f"--socket={self.socket}", "-e", row], capture_output=True, check=False)
            self.assertIn(b"1205", refused.stderr)
            self.assertGreaterEqual(time.monotonic() - begin, 2)
            self.assertLess(time.monotonic() - begin, LONG_S)


class Redis(ServerTest):
    def command(self):
        program = shutil.which("redis-server") or shutil.which("redis-check-rdb")
        if program is None:
            self.skipTest("needs redis-server, not installed")
        options = f"--port 0 --unixsocket {self.socket} --save '' --daemonize no --dir {self.folder}"
        return ["bash", "-c", f"exec -a redis-server {program} {options}"]

    def answers(self):
        ping = ["redis-cli", "-s", self.socket, "PING"]
        return subprocess.run(ping, capture_output=True, timeout=LONG_S, check=False).returncode == 0

    def redis(self, *words):
        return self.said("redis-cli", "-s", self.socket, *words)

    def time_ns(self):
        seconds, microseconds = self.redis("TIME")
        return [(int(seconds) * 1_000_000 + int(microseconds)) * 1000]

    def test_time_and_expiry_follow(self):
        self.redis("SET", "lock", "me", "PX", HOUR_MS // 2)
        for offset_ms in (0, -HOUR_MS, 0):
            self.clock.set(offset_ms)
            self.assert_between(self.time_ns, offset_ms, 200 * MS)
            self.assertEqual(self.redis("GET", "lock"), ["me"])
        self.assertGreater(int(self.redis("PTTL", "lock")[0]), 0)
        self.clock.set(HOUR_MS)
        self.assert_between(self.time_ns, HOUR_MS, 200 * MS)
        self.assertEqual(self.redis("GET", "lock"), [])


if __name__ == "__main__":
    unittest.main()
