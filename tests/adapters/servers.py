"""Servers for the tests of adapters: bare ones on the loopback, which can be killed, stopped and started again."""

import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import unittest

FOLDERS = "/usr/local/sbin:/usr/sbin:/usr/local/bin:/usr/bin:/bin"
START_S = 60


def program(*names):
    found = next(filter(None, (shutil.which(name, path=FOLDERS) for name in names)), None)
    if not found:
        raise unittest.SkipTest(f"needs {' or '.join(names)}, not installed")
    return found


def free_port():
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        return door.getsockname()[1]


class Server:
    """A child of the test, with its data in a folder of its own; `remove` ends it and takes the folder away."""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="holdfast-adapters-"))
        self.port = free_port()
        self.process = None
        try:
            self.prepare()
            self.start()
        except BaseException:
            self.remove()
            raise

    def prepare(self):
        pass

    def start(self):
        with (self.folder / "log").open("a") as log:
            self.process = subprocess.Popen(self.command(), stdout=log, stderr=log)
        limit = time.monotonic() + START_S
        while not self.answers():
            if self.process.poll() is not None or time.monotonic() > limit:
                raise RuntimeError("the server does not start: " + (self.folder / "log").read_text()[-2000:])
            time.sleep(0.02)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        os.kill(self.process.pid, signal.SIGSTOP)

    def go_on(self):
        os.kill(self.process.pid, signal.SIGCONT)

    def remove(self):
        if self.process:
            self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def at(self):
        return {"kind": self.kind, "role": "lock", "host": "127.0.0.1", "port": self.port}


class Redis(Server):
    kind = "redis"

    def prepare(self):
        # Debian 12's redis-tools has the server as the checker.
        (self.folder / "redis-server").symlink_to(program("redis-server", "redis-check-rdb"))

    def command(self):
        settings = ["--bind", "127.0.0.1", "--save", "", "--dir", str(self.folder)]
        return [str(self.folder / "redis-server"), "--port", str(self.port), *settings]

    def answers(self):
        try:
            with socket.create_connection(("127.0.0.1", self.port), 1) as server:
                server.sendall(b"PING\r\n")
                return server.recv(100).startswith(b"+PONG")
        except OSError:
            return False


class MariaDb(Server):
    kind = "mysql"

    def prepare(self):
        user = ["--user=root"] if os.geteuid() == 0 else []
        self.own = [f"--datadir={self.folder}/db", *user, "--skip-grant-tables", "--skip-ssl"]
        install = [program("mariadb-install-db"), "--no-defaults", f"--datadir={self.folder}/db", *user]
        made = subprocess.run(install, capture_output=True, text=True, env={**os.environ, "PATH": FOLDERS})
        if made.returncode != 0:
            raise RuntimeError(f"{install[0]} ended with {made.returncode}: {made.stderr[-1500:]}")

    def command(self):
        where = [f"--port={self.port}", "--bind-address=127.0.0.1", f"--socket={self.folder}/s"]
        small = ["--innodb-buffer-pool-size=8M", "--innodb-log-file-size=4M", "--skip-name-resolve"]
        return [program("mariadbd"), "--no-defaults", *self.own, *where, *small]

    def answers(self):
        plain = ["--no-defaults", "--skip-ssl", "-uroot", f"--socket={self.folder}/s"]
        command = [program("mariadb"), *plain, "-e", "SELECT 1"]
        return subprocess.run(command, capture_output=True).returncode == 0


class Etcd(Server):
    kind = "etcd"

    def prepare(self):
        self.peers = free_port()

    def command(self):
        at, peer = f"http://127.0.0.1:{self.port}", f"http://127.0.0.1:{self.peers}"
        clients = ["--listen-client-urls", at, "--advertise-client-urls", at]
        peers = ["--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer, "--initial-cluster", f"s0={peer}"]
        program("etcdctl")  # by which the lock is taken
        return [program("etcd"), "--name", "s0", "--data-dir", str(self.folder / "data"), *clients, *peers]

    def answers(self):
        try:
            with socket.create_connection(("127.0.0.1", self.port), 1) as server:
                server.sendall(b"GET /health HTTP/1.0\r\n\r\n")
                return server.recv(100).startswith(b"HTTP/1.0 200")
        except OSError:
            return False


class Postgres(Server):
    """The server refuses to run as root, so root's tests start it as nobody. Its processes are stopped and ended
    together."""

    kind = "postgres"

    def prepare(self):
        folders = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"), key=lambda at: int(at.parent.name))
        if not folders:
            raise unittest.SkipTest("needs PostgreSQL, not installed; remedy: ./run setup postgres")
        self.programs = folders[-1]
        self.user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if os.geteuid() == 0 else []
        if self.user:
            os.chown(self.folder, 65534, 65534)
        make = [*self.user, self.programs / "initdb", "-D", self.folder / "db", "-U", "postgres", "-A", "trust"]
        made = subprocess.run([*make, "--locale=C", "--no-sync"], capture_output=True, text=True)
        if made.returncode != 0:
            raise RuntimeError(f"initdb ended with {made.returncode}: {made.stderr[-1500:]}")

    def command(self):
        settings = ["-c", f"port={self.port}", "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="]
        return [*self.user, self.programs / "postgres", "-D", self.folder / "db", *settings]

    def answers(self):
        ask = [self.programs / "pg_isready", "-q", "-h", "127.0.0.1", "-p", str(self.port), "-U", "postgres"]
        return subprocess.run(ask, capture_output=True).returncode == 0

    def children(self):
        found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(self.process.pid)], capture_output=True, text=True)
        return [int(word) for word in found.stdout.split()]

    def signal(self, number):
        for pid in self.children():
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                pass

    def stop(self):
        super().stop()
        self.signal(signal.SIGSTOP)

    def go_on(self):
        self.signal(signal.SIGCONT)
        super().go_on()

    def kill(self):
        super().stop()
        self.signal(signal.SIGKILL)
        super().kill()

    def at(self):
        return {**super().at(), "user": "postgres", "database": "postgres"}


KINDS = {server.kind: server for server in (Redis, MariaDb, Etcd, Postgres)}
