"""Every file of sql/ can be pasted into a database client as it stands: the real client, a real server."""

import pathlib
import shutil
import subprocess
import unittest

from program import SOURCE, ProgramTest, unshare, wait_until

FOLDERS = "/usr/local/sbin:/usr/sbin:/usr/local/bin:/usr/bin:/bin"
SERVER = shutil.which("mariadbd", path=FOLDERS)
CLIENT = shutil.which("mariadb", path=FOLDERS)


class SqlFiles(ProgramTest):
    def setUp(self):
        super().setUp()
        self.socket = self.folder / "s"
        data = self.folder / "data"
        data.mkdir()
        # `kill-child`: the server ends with unshare. No network, no grants, nothing of the machine's.
        command = [
            "unshare", "-Urnpf", "--kill-child", SERVER, "--no-defaults", f"--datadir={data}", f"--tmpdir={data}",
            f"--socket={self.socket}", f"--pid-file={data}/pid", "--skip-grant-tables", "--user=root",
            "--skip-networking", "--innodb-buffer-pool-size=8M", "--innodb-log-file-size=4M",
        ]  # fmt: skip
        log = (self.folder / "server.log").open("w")
        self.server = subprocess.Popen(command, stdout=log, stderr=log)
        self.addCleanup(log.close)
        self.addCleanup(self.server.wait)
        self.addCleanup(self.server.kill)
        ready = wait_until(lambda: self.client("SELECT 1").returncode == 0 or self.server.poll() is not None, 30)
        self.assertTrue(ready and self.server.poll() is None, (self.folder / "server.log").read_text()[-2000:])

    def client(self, sql, *flags):
        command = [CLIENT, "--no-defaults", f"--socket={self.socket}", "--user=root", "--batch", *flags]
        return subprocess.run(command, input=sql, capture_output=True, text=True, timeout=30)

    def pasted(self, sql):
        self.client("DROP DATABASE IF EXISTS pasted; CREATE DATABASE pasted")
        return self.client(sql, "--show-warnings", "pasted")

    def test_each_file_as_it_stands(self):
        files = sorted(pathlib.Path(SOURCE, "sql").glob("*.sql"))
        self.assertGreaterEqual(len(files), 5)
        for path in files:
            with self.subTest(file=path.name):
                answer = self.pasted(path.read_text())
                self.assertEqual((answer.returncode, answer.stderr), (0, ""))
                self.assertNotIn("Error", answer.stdout)

    def test_this_test_sees_mistakes(self):
        self.assertNotEqual(self.pasted("SELECT @a; SELEC 1;").returncode, 0)
        self.assertNotEqual(self.pasted("INSERT INTO nowhere VALUES (1);").returncode, 0)


if __name__ == "__main__":
    unittest.main()
