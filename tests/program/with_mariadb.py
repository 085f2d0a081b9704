"""A test with a MariaDB of its own: no network, no grants, nothing of the machine's. It ends with the test."""

import shutil
import subprocess

from program import ProgramTest, wait_until

FOLDERS = "/usr/local/sbin:/usr/sbin:/usr/local/bin:/usr/bin:/bin"
SERVER = shutil.which("mariadbd", path=FOLDERS)
CLIENT = shutil.which("mariadb", path=FOLDERS)


class MariaDbTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.socket = self.folder / "s"
        data = self.folder / "data"
        data.mkdir()
        # `kill-child`: the server ends with unshare.
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
