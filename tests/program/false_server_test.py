"""A target that misbehaves: it gets no password that it could use, no file and no memory, and its behaviour is reported
in one line.
"""

import os
import subprocess
import time
import unittest

import pymysql

from false_servers import CLIENT_LOCAL_FILES, CLIENT_MULTI_STATEMENTS, FalseMySql, FalseRedis
from own_servers import IN_URL, PASSWORD
from program import PROGRAM, ProgramTest

MOST_KB = 400_000  # of a client whose limit is 64 MiB an answer, as received and as stored
MOST_S = 40


class FalseServers(ProgramTest):
    def clean(self, url):
        """`holdfast clean`, and how much memory it took at most."""
        log = self.folder / "log"
        begun = time.monotonic()
        with log.open("w") as out:
            process = subprocess.Popen(
                [PROGRAM, "clean", "--target", url], stdin=subprocess.DEVNULL, stdout=out, stderr=out, cwd=self.folder
            )
            _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.shown = f"exit {process.returncode}, {usage.ru_maxrss} kB\n{log.read_text()}"
        self.assertLess(usage.ru_maxrss, MOST_KB, self.shown)
        self.assertLess(time.monotonic() - begun, MOST_S, self.shown)
        self.assertEqual(process.returncode, 4, self.shown)
        self.assertEqual(len(log.read_text().splitlines()), 1, self.shown)
        self.assertNotIn("_M_", self.shown)
        self.assertNotIn("bad_", self.shown)
        return log.read_text()

    def mysql(self, lie, query=""):
        server = FalseMySql(lie)
        self.addCleanup(server.stop)
        said = self.clean(f"mysql://app:{IN_URL}@127.0.0.1:{server.port}/app{query}")
        self.assertIn(f"127.0.0.1:{server.port}", said)
        self.assertNotIn(PASSWORD.encode(), server.received, lie)
        return server, said

    def redis(self, word, begin, again=b""):
        server = FalseRedis(word, begin, again)
        self.addCleanup(server.stop)
        said = self.clean(f"redis://127.0.0.1:{server.port}")
        self.assertIn(f"127.0.0.1:{server.port}", said)
        return said

    def test_clear_text_password_is_refused(self):
        for way in ("asks", "greets"):
            for plugin in ("mysql_clear_password", "dialog", "sha256_password", "mysql_old_password", "../../evil"):
                with self.subTest(way=way, plugin=plugin):
                    _, said = self.mysql(f"{way}: {plugin}")
                    self.assertIn("connect", said)
        _, said = self.mysql("asks: mysql_clear_password")
        self.assertIn("tls=required", said)

    def test_password_for_the_servers_own_key_is_refused(self):
        for way in ("asks", "greets"):
            server, said = self.mysql(f"{way}: caching_sha2_password")
            self.assertIn("tls=required", said)
            self.assertFalse(server.received.endswith(b"\x02"), "the server's key was asked for")

    def test_server_without_tls_is_refused(self):
        server, said = self.mysql("rows", "?tls=required")
        self.assertEqual(server.received, b"", "nothing is said to a server that has no TLS")
        self.assertRegex(said, "(?i)tls|ssl")

    def test_file_request_is_refused(self):
        server, said = self.mysql("infile")
        self.assertNotIn(b"root:", server.received)
        self.assertIn("infile", said)

    def test_connection_allows_one_statement(self):
        """Tables of others are listed and removed on a connection that takes no second statement after a `;`."""
        server, _ = self.mysql("few columns")
        self.assertTrue(server.wanted)
        for wanted in server.wanted:
            self.assertEqual(wanted & (CLIENT_MULTI_STATEMENTS | CLIENT_LOCAL_FILES), 0, hex(wanted))
        flags = {"client_flag": CLIENT_MULTI_STATEMENTS}
        pymysql.connect(host="127.0.0.1", port=server.port, user="app", password=PASSWORD, **flags)
        self.assertTrue(server.wanted[-1] & CLIENT_MULTI_STATEMENTS, "a client that does take several is seen")

    def test_endless_answers_are_refused(self):
        for lie in ("rows", "columns", "nulls", "one long row", "results"):
            with self.subTest(lie=lie):
                _, said = self.mysql(lie)
                # Newer client libraries refuse so many columns themselves.
                known = ("sent more than 64 MiB in one answer", "Number of columns in result")
                self.assertTrue(any(words in said for words in known[: 2 if lie == "columns" else 1]), said)

    def test_malformed_answers_are_refused(self):
        _, said = self.mysql("few columns")
        self.assertIn("too few", said)
        self.mysql("malformed")

    def test_error_in_place_of_a_greeting(self):
        """The client library takes the number 65535 for something else, and reads through a null pointer."""
        for number in (1040, 65535):
            with self.subTest(number=number):
                _, said = self.mysql(f"refuses: {number}")
                self.assertIn("connect: ", said)
                self.assertIn("Too many connections", said)

    def test_endless_redis_replies_are_refused(self):
        for name, begin, again in (
            ("numbers", b"*1000000000\r\n", b":1\r\n"),
            ("nothing", b"*1000000000\r\n", b"*0\r\n"),
            ("nulls", b"*1000000000\r\n", b"$-1\r\n"),
            ("text", b"$9000000000000000000\r\n", b"x" * 1000),
        ):
            with self.subTest(name=name):
                self.assertIn("sent more than 64 MiB in one answer", self.redis(b"HGETALL", begin, again))
        self.assertIn("nested deeper than 8 levels", self.redis(b"HGETALL", b"*1\r\n", b"*1\r\n"))
        self.assertIn("the Redis protocol", self.redis(b"EXISTS", b"+", b"x" * 1000))

    def test_malformed_redis_replies_are_refused(self):
        for answer in (b"HTTP/1.1 400 Bad Request\r\n", b":\r\n", b"%1\r\n+a\r\n", b":1\r\n:2\r\n", b"*1\r\n!\r\n"):
            with self.subTest(answer=answer):
                self.assertIn("the Redis protocol", self.redis(b"EXISTS", answer))


if __name__ == "__main__":
    unittest.main()
