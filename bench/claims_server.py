"""A MariaDB of the bench's own, for tables of a chosen size; for claims.py.

    with Server() as server:
        server.run("CREATE DATABASE a")
        server.seconds_in_client("a", ["SELECT 1"] * 1000)

It lies in a temporary directory, listens on a socket there and on no port, and is ended by its process id.
"""

import os
import pathlib
import shutil
import subprocess
import tempfile
import time

# One block that the server goes through by itself, and that says how many seconds it took: 0 runs for the empty loop.
LOOP = """DELIMITER //
BEGIN NOT ATOMIC
  DECLARE i INT DEFAULT 0; DECLARE wanted VARCHAR(64); DECLARE found VARCHAR(64);
  DECLARE began DOUBLE DEFAULT UNIX_TIMESTAMP(SYSDATE(6));
  WHILE i < {times} DO
    SET wanted = MD5(1 + FLOOR(RAND() * {rows}));
    {statement};
    SET i = i + 1;
  END WHILE;
  SELECT UNIX_TIMESTAMP(SYSDATE(6)) - began;
END//
"""


class Server:
    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="holdfast-claims-server-")
        self.log = pathlib.Path(self.folder.name) / "server.log"
        data = pathlib.Path(self.folder.name) / "data"
        data.mkdir()
        self.socket = str(data / "server.sock")
        self.process = subprocess.Popen(self.command(data), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            self.wait()
        except BaseException:
            self.__exit__()
            raise
        return self

    def command(self, data):
        program = shutil.which("mariadbd", path=os.environ.get("PATH", "") + ":/usr/sbin")
        settings = {
            "datadir": data,
            "tmpdir": data,
            "socket": self.socket,
            "pid-file": data / "server.pid",
            "log-error": self.log,
            "innodb-buffer-pool-size": "256M",
            "innodb-flush-log-at-trx-commit": 0,
            "character-set-server": "utf8mb4",
        }
        root = ["--user=root"] if os.geteuid() == 0 else []
        flags = ["--no-defaults", "--skip-grant-tables", "--skip-networking", *root]
        return [program, *flags, *(f"--{name}={value}" for name, value in settings.items())]

    def wait(self):
        until = time.monotonic() + 60
        while self.client("", "SELECT 1", check=False).returncode != 0:
            if time.monotonic() > until or self.process.poll() is not None:
                raise RuntimeError("the bench's MariaDB does not start: " + self.log.read_text()[-2000:])
            time.sleep(0.1)

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.folder.cleanup()

    def client(self, database, text, check=True):
        command = ["mariadb", "--no-defaults", f"--socket={self.socket}", "--batch", "--skip-column-names", database]
        done = subprocess.run([c for c in command if c], input=text, capture_output=True, text=True, check=False)
        if check and done.returncode != 0:
            raise RuntimeError(done.stderr)
        return done

    def run(self, text, database=""):
        return self.client(database, text).stdout

    def seconds_in_client(self, database, statements):
        """As a client has it: each statement is sent, and its answer read."""
        text = ";\n".join(statements) + ";\n"
        began = time.monotonic()
        self.run(text, database)
        return time.monotonic() - began

    def seconds_in_server(self, database, statement, rows, times):
        """In the server alone, without the way to it: `statement` looks for the key `wanted`."""
        return float(self.run(LOOP.format(statement=statement, rows=rows, times=times), database))
