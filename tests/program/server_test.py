"""A server of the user's choice in the lab: it is the one that runs, and a mistake is reported before anything runs."""

import json
import os
import shutil
import unittest

from doctor_test import without
from own_servers import program
from program import ProgramTest, quick


class Servers(ProgramTest):
    def chosen(self, real):
        """A program that leaves a trace in its log, then becomes the installed server."""
        path = self.folder / "chosen"
        path.write_text(f'#!/bin/sh\necho "chosen: $@" >&2\nexec {real} "$@"\n')
        path.chmod(0o755)
        return path

    def log(self, lock):
        logs = self.latest().glob(f"cells/{lock}/none/1/*.log")
        return "".join(log.read_text() for log in logs)

    def test_server_option_selects_the_server(self):
        path = self.chosen(program("mariadbd"))
        answer = self.run_suite(self.scenario("none", quick()), "--quiet", "--server", f"mysqld={path}")
        self.assertEqual(answer.returncode, 0, self.shown)
        self.assertRegex(self.log("insert_lease"), "chosen: .*--datadir")
        self.assertRegex(self.log("insert_lease"), "chosen: .*--skip-ssl", "no time is spent on a certificate")
        self.assertTrue(self.verdict()["server"].startswith("MariaDB "), self.shown)
        self.assertIn(f"--server mysqld={path}", self.verdict()["command"])

    def test_endless_server_log_is_bounded(self):
        """Its log is cut while the trial runs and afterwards, with a notice; the server and the verdict are as ever."""
        path = self.chosen(program("mariadbd"))
        noise = "for n in $(seq 300); do head -c 200000 /dev/zero | tr '\\0' x >&2; sleep 0.01; done; echo the end >&2"
        begin, rest = path.read_text().split("exec ")
        path.write_text(f'{begin}case "$*" in *--version*) ;; *) ({noise}) & ;; esac\nexec {rest}')
        scenario = self.scenario("none", quick(duration_ms=8000))
        answer = self.run_suite(scenario, "--quiet", "--server", f"mysqld={path}")
        self.assertEqual(answer.returncode, 0, self.shown)
        (trial,) = self.latest().glob("cells/insert_lease/none/1")
        (log,) = [log for log in trial.glob("*.log") if "chosen: " in log.read_text(errors="replace")[:100_000]]
        self.assertLess(log.stat().st_size, 5 << 20)
        self.assertRegex(log.read_text(), r"\nholdfast: the log is full; .*\nholdfast: \d+ bytes left out\n")
        cut = json.loads((self.latest() / "environment.json").read_text())["cut_logs"]
        self.assertEqual(cut, [str(log.relative_to(self.latest()))])

    def test_server_option_selects_redis(self):
        link = self.folder / "redis-server"  # Debian 12's redis-tools has it as the checker
        link.symlink_to(program("redis-server", "redis-check-rdb"))
        path = self.chosen(link)
        scenario = self.scenario("none", quick(locks=["redis_token"]))
        answer = self.run_suite(scenario, "--quiet", "--server", f"redis-server={path}")
        self.assertEqual(answer.returncode, 0, self.shown)
        self.assertRegex(self.log("redis_token"), "chosen: .*--port")

    def test_valkey_is_used_without_redis(self):
        """Redis's program stands in for Valkey's, under the name that Debian's valkey-tools has it by."""
        there = self.folder / "valkey"
        there.mkdir()
        shutil.copy(program("redis-server", "redis-check-rdb"), there / "valkey-check-rdb")
        path = f"{there}:{os.environ['PATH']}"
        prefix = [*without("redis-server", "redis-check-rdb"), "env", f"PATH={path}"]
        answer = self.run_suite(self.scenario("none", quick(locks=["redis_token"])), "--quiet", prefix=prefix)
        self.assertEqual(answer.returncode, 0, self.shown)

    def test_failed_server_start_is_reported(self):
        path = self.folder / "broken"
        path.write_text("#!/bin/sh\necho 'MariaDB, but broken'\n[ \"$2\" = --version ]\n")
        path.chmod(0o755)
        answer = self.run_suite(self.scenario("none", quick()), "--quiet", "--server", f"mysqld={path}")
        self.assertEqual(answer.returncode, 5, self.shown)
        self.assertIn("the server exited", json.dumps(self.verdict()))

    def test_usage_errors(self):
        for text, said in (("mysqld", "mysqld=PATH"), ("oracle=/bin/sh", "or mysqld=PATH or")):
            answer = self.run_suite(self.scenario("none", quick()), "--server", text)
            self.assertEqual((answer.returncode, said in answer.stderr), (2, True), self.shown)
        answer = self.run_suite(self.scenario("none", quick()), "--server", f"mysqld={self.folder}/nothing")
        self.assertEqual((answer.returncode, ": no such program" in answer.stderr), (2, True), self.shown)
        self.assertFalse(os.path.exists(self.out))


if __name__ == "__main__":
    unittest.main()
