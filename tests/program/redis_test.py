"""Every file of redis/ can be pasted into a shell as it stands: the real redis-cli, a real server."""

import pathlib
import re
import shutil
import subprocess
import unittest

from program import SOURCE, ProgramTest, wait_until

FOLDERS = "/usr/local/sbin:/usr/sbin:/usr/local/bin:/usr/bin:/bin"
# Debian 12's redis-tools has the server under the name of the checker; what it is decides the name it is called by.
SERVER = shutil.which("redis-server", path=FOLDERS) or shutil.which("redis-check-rdb", path=FOLDERS)


class RedisFiles(ProgramTest):
    def setUp(self):
        super().setUp()
        program = self.folder / "redis-server"
        program.symlink_to(SERVER)
        self.socket = self.folder / "s"
        # A socket in a folder of the test's own and no port: nothing of the machine's.
        command = [program, "--port", "0", "--unixsocket", self.socket, "--save", "", "--dir", self.folder]
        log = (self.folder / "server.log").open("w")
        self.server = subprocess.Popen(command, stdout=log, stderr=log)
        self.addCleanup(log.close)
        self.addCleanup(self.server.wait)
        self.addCleanup(self.server.kill)
        cli = self.folder / "bin" / "redis-cli"
        cli.parent.mkdir()
        cli.write_text(f'#!/bin/sh\nexec {shutil.which("redis-cli", path=FOLDERS)} -e -s {self.socket} "$@"\n')
        cli.chmod(0o755)
        answers = lambda: self.pasted("redis-cli PING").stdout == "PONG\n"
        ready = wait_until(lambda: answers() or self.server.poll() is not None, 30)
        self.assertTrue(ready and self.server.poll() is None, (self.folder / "server.log").read_text()[-2000:])

    def pasted(self, text):
        environment = {"PATH": f"{self.folder}/bin:{FOLDERS}"}
        command = ["bash", "-eu"]
        return subprocess.run(command, input=text, capture_output=True, text=True, timeout=30, env=environment)

    def test_each_file_can_be_pasted(self):
        files = sorted(pathlib.Path(SOURCE, "redis").glob("*.redis"))
        self.assertGreaterEqual(len(files), 7)
        for path in files:
            with self.subTest(file=path.name):
                self.pasted("redis-cli FLUSHALL")
                text = path.read_text()
                answer = self.pasted(text)
                self.assertEqual((answer.returncode, answer.stderr), (0, ""), answer.stdout)
                said = answer.stdout.splitlines()
                self.assertEqual(len(said), len(re.findall(r"^# name:", text, re.M)), said)
                self.assertIn(said[0], ("OK", "1"), "the first command acquires a free lock")
                self.assertEqual(said[-1], "1", "the last command releases it")
                self.assertEqual(self.pasted("redis-cli DBSIZE").stdout, "0\n")

    def test_mistakes_are_found(self):
        self.assertNotEqual(self.pasted("redis-cli SETT a b").returncode, 0)
        self.assertNotEqual(self.pasted('redis-cli SET a "$nobody" ').returncode, 0)
        self.assertNotEqual(self.pasted("redis-cli EVAL 'retur 0' 0").returncode, 0)


if __name__ == "__main__":
    unittest.main()
