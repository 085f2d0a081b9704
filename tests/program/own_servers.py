"""Real servers of a user's own for the tests of --target: MariaDB with users and passwords, Redis with a password, on
ports of the loopback, with tables and keys of another program in them. All below one folder, which goes at the end.
"""

import os
import pathlib
import shutil
import socket
import subprocess
import tempfile

from program import wait_until

FOLDERS = "/usr/local/sbin:/usr/sbin:/usr/local/bin:/usr/bin:/bin"
PASSWORD = "qUite@seCret7"
IN_URL = PASSWORD.replace("@", "%40")
# A database with a table called like a lock's, one called like a run's and without its sign, and users with few rights.
THEIRS = f"""
DROP DATABASE IF EXISTS test; CREATE DATABASE app; CREATE DATABASE other; USE app;
CREATE TABLE orders (n INT PRIMARY KEY); INSERT INTO orders VALUES (7), (8);
CREATE TABLE insert_lease (n INT); INSERT INTO insert_lease VALUES (1);
CREATE TABLE resource (n INT) COMMENT = 'ours';
CREATE TABLE holdfast_0123abcd_1_orders (n INT); INSERT INTO holdfast_0123abcd_1_orders VALUES (3);
CREATE TABLE other.upsert_lease (n INT);
CREATE USER app@'%' IDENTIFIED BY '{PASSWORD}'; GRANT ALL ON app.* TO app@'%';
CREATE USER reader@'%' IDENTIFIED BY '{PASSWORD}'; GRANT SELECT ON app.* TO reader@'%';
CREATE USER maker@'%' IDENTIFIED BY '{PASSWORD}'; GRANT SELECT, INSERT, UPDATE, DELETE, CREATE ON app.* TO maker@'%';
"""
SYSTEM = "('mysql', 'sys', 'information_schema', 'performance_schema')"


def program(*names):
    return next(filter(None, (shutil.which(name, path=FOLDERS) for name in names)))


def quoted(name):
    return "`" + name.replace("`", "``") + "`"


def free_port():
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        return door.getsockname()[1]


class OwnServer:
    """A child of the test; `stop` ends it and removes its folder."""

    def __init__(self):
        self.data = pathlib.Path(tempfile.mkdtemp(prefix="holdfast-own-"))
        self.port = free_port()

    def start(self, command, answers):
        with (self.data / "log").open("w") as log:
            self.server = subprocess.Popen(command, stdout=log, stderr=log)
        ready = wait_until(lambda: answers() or self.server.poll() is not None, 60)
        if not ready or self.server.poll() is not None:
            self.stop()
            raise AssertionError((self.data / "log").read_text()[-2000:])

    def stop(self):
        self.server.kill()
        self.server.wait()
        shutil.rmtree(self.data, ignore_errors=True)


class Certificates:
    """An authority, a certificate that it gave to localhost, one that it gave to another host, and a second, unknown
    authority."""

    def __init__(self, folder):
        self.folder = folder
        for name in ("ca", "stranger"):
            self.openssl(
                "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={name}",
                "-keyout", self.file(name, "key"), "-out", self.file(name),
            )  # fmt: skip
        self.give("server", "DNS:localhost,IP:127.0.0.1")
        self.give("elsewhere", "DNS:elsewhere.example,IP:10.1.2.3")

    def openssl(self, *words):
        subprocess.run([program("openssl"), *map(str, words)], check=True, capture_output=True)

    def file(self, name, kind="pem"):
        return self.folder / f"{name}.{kind}"

    def give(self, name, names):
        self.file(name, "ext").write_text(f"subjectAltName={names}\n")
        self.openssl(
            "req", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={name}.example",
            "-keyout", self.file(name, "key"), "-out", self.file(name, "csr"),
        )  # fmt: skip
        self.openssl(
            "x509", "-req", "-days", "2", "-in", self.file(name, "csr"), "-extfile", self.file(name, "ext"),
            "-CA", self.file("ca"), "-CAkey", self.file("ca", "key"), "-CAcreateserial", "-out", self.file(name),
        )  # fmt: skip


class OwnMariaDb(OwnServer):
    def __init__(self, *more):
        super().__init__()
        more = [word.replace("FOLDER", str(self.data)) for word in more]
        if more:
            self.certificates = Certificates(self.data)
        user = ["--user=root"] if os.geteuid() == 0 else []
        # A /tmp of all is also that of servers in pid namespaces, whose temporary tables have the same names.
        (self.data / "tmp").mkdir()
        own = [f"--datadir={self.data}/db", f"--tmpdir={self.data}/tmp", *user]
        environment = {**os.environ, "PATH": FOLDERS}
        install = [program("mariadb-install-db"), "--no-defaults", *own, "--auth-root-authentication-method=normal"]
        made = subprocess.run(install, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment)
        if made.returncode != 0:
            raise RuntimeError(f"{install[0]} ended with {made.returncode}: {made.stdout[-1500:]}")
        command = [program("mariadbd"), "--no-defaults", *own, "--skip-name-resolve"]
        command += [f"--port={self.port}", "--bind-address=127.0.0.1", f"--socket={self.data}/s", *more]
        self.start(command, lambda: self.sql("SELECT 1") == "1\n")
        self.sql(THEIRS)

    def sql(self, text):
        own = ["--no-defaults", "--skip-ssl", "-uroot", f"--socket={self.data}/s"]  # its client wants TLS from 11.4 on
        command = [program("mariadb"), *own, "-N", "-e", text]
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout

    def url(self, user="app", password=IN_URL, database="app", query=""):
        return f"mysql://{user}:{password}@127.0.0.1:{self.port}/{database}{query}"

    def dump(self):
        """All that is not the server's own: databases, users, tables with their making and their rows."""
        out = [self.sql("SHOW DATABASES"), self.sql("SELECT user, host FROM mysql.user ORDER BY 1, 2")]
        found = "SELECT table_schema, table_name, create_time FROM information_schema.tables "
        for line in self.sql(found + f"WHERE table_schema NOT IN {SYSTEM} ORDER BY 1, BINARY table_name").splitlines():
            schema, table, _ = line.split("\t")
            there = f"{schema}.{quoted(table)}"
            out += [line, self.sql(f"SHOW CREATE TABLE {there}"), self.sql(f"SELECT * FROM {there}")]
        return out


class OwnRedis(OwnServer):
    def __init__(self, tls=False):
        super().__init__()
        self.tls = []
        server = self.data / "redis-server"  # Debian 12's redis-tools has it as the checker
        server.symlink_to(program("redis-server", "redis-check-rdb"))
        command = [server, "--port", str(self.port), "--bind", "127.0.0.1", "--requirepass", PASSWORD]
        command += ["--save", "", "--dir", self.data]
        if tls:
            known = Certificates(self.data)
            command[1:3] = ["--port", "0", "--tls-port", str(self.port), "--tls-auth-clients", "no"]
            command += ["--tls-cert-file", known.file("server"), "--tls-key-file", known.file("server", "key")]
            command += ["--tls-ca-cert-file", known.file("ca")]
            self.tls = ["--tls", "--cacert", str(known.file("ca"))]
        self.start(command, lambda: self.ask("PING") == "PONG\n")
        self.ask("SET", "orders", "7")
        self.ask("SET", "k0", "theirs")
        self.ask("HSET", "session", "user", "3")
        self.ask("SET", "holdfast_0123abcd_1_k0", "theirs")
        self.ask("-n", "1", "SET", "k0", "of another number")

    def ask(self, *words):
        command = [program("redis-cli"), "--no-auth-warning", "-p", str(self.port), *self.tls, *words]
        environment = {**os.environ, "REDISCLI_AUTH": PASSWORD}
        answer = subprocess.run(command, capture_output=True, env=environment, check=False)
        return answer.stdout.decode(errors="backslashreplace")

    def url(self, password=IN_URL, number="", query=""):
        scheme = "rediss" if self.tls else "redis"
        return f"{scheme}://:{password}@127.0.0.1:{self.port}{number}{query}"

    def dump(self):
        out = []
        for number in ("0", "1", "2"):
            for key in sorted(self.ask("-n", number, "KEYS", "*").split()):
                out.append((number, key, self.ask("-n", number, "DUMP", key), self.ask("-n", number, "TTL", key)))
        return out


# As THEIRS: tables and sequences of others, some called like ours, and users with few rights.
THEIRS_ON_POSTGRES = f"""
CREATE ROLE app LOGIN PASSWORD '{PASSWORD}'; CREATE ROLE reader LOGIN PASSWORD '{PASSWORD}';
CREATE SCHEMA app AUTHORIZATION app; CREATE SCHEMA other;
GRANT USAGE ON SCHEMA app TO reader;
ALTER ROLE app SET search_path = app; ALTER ROLE reader SET search_path = app;
CREATE TABLE app.orders (n int PRIMARY KEY); INSERT INTO app.orders VALUES (7), (8);
CREATE TABLE app.postgres_insert_lease (n int); INSERT INTO app.postgres_insert_lease VALUES (1);
CREATE TABLE app.holdfast_0123abcd_1_orders (n int); INSERT INTO app.holdfast_0123abcd_1_orders VALUES (3);
CREATE TABLE app."HOLDFAST_0123abcd_1_x" (n int);
COMMENT ON TABLE app."HOLDFAST_0123abcd_1_x" IS 'made by holdfast; holdfast clean --target removes it';
CREATE SEQUENCE app.holdfast_0123abcd_2_numbers;
CREATE TABLE other.postgres_insert_lease (n int);
"""


def postgres_folder():
    """The folder of the newest PostgreSQL's programs; empty: none."""
    folders = pathlib.Path("/usr/lib/postgresql").glob("*/bin")
    return max(folders, key=lambda at: int(at.parent.name), default=None)


class OwnPostgres(OwnServer):
    """Users prove their passwords (SCRAM); the server refuses to run as root, who starts it as nobody."""

    def __init__(self, *more, tls=False):
        super().__init__()
        self.programs = postgres_folder()
        nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        self.user = nobody if os.geteuid() == 0 else []
        if tls:
            self.certificates = Certificates(self.data)
            more = [*more, *(word.replace("FOLDER", str(self.data)) for word in ("ssl=on",))]
            more += [f"ssl_cert_file={self.data}/server.pem", f"ssl_key_file={self.data}/server.key"]
        if self.user:
            for path in (self.data, *self.data.glob("*")):
                os.chown(path, 65534, 65534)
        make = [*self.user, self.programs / "initdb", "-D", self.data / "db", "-U", "postgres", "-A", "trust"]
        subprocess.run([*make, "--locale=C", "--no-sync"], check=True, capture_output=True)
        way = "hostssl" if tls else "host"
        rules = f"local all postgres trust\n{way} all all all scram-sha-256\n"
        (self.data / "db" / "pg_hba.conf").write_text(rules)
        command = [*self.user, self.programs / "postgres", "-D", self.data / "db"]
        for word in (f"port={self.port}", "listen_addresses=127.0.0.1", f"unix_socket_directories={self.data}", *more):
            command += ["-c", word]
        self.start(command, lambda: self.sql("SELECT 1") == "1\n")
        self.sql(THEIRS_ON_POSTGRES)

    def sql(self, text):
        command = [self.programs / "psql", "-h", self.data, "-p", str(self.port), "-U", "postgres", "-XAtq", "-c", text]
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout

    def url(self, user="app", password=IN_URL, database="postgres", query=""):
        return f"postgres://{user}:{password}@127.0.0.1:{self.port}/{database}{query}"

    def dump(self):
        """All that is not the server's own: roles, schemas, tables and sequences, their comments and their rows."""
        lists = ("rolname FROM pg_roles", "nspname FROM pg_namespace")
        out = [self.sql(f"SELECT {names} ORDER BY 1") for names in lists]
        found = """SELECT n.nspname, c.relname, c.relkind, c.oid, obj_description(c.oid, 'pg_class')
            FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname IN ('app', 'other', 'public') AND c.relkind IN ('r', 'S', 'v') ORDER BY 1, 2"""
        for line in self.sql(found).splitlines():
            schema, name = line.split("|")[:2]
            out.append(line.replace("|", "\t"))
            out.append(self.sql(f'SELECT * FROM {schema}."{name}"'))
        return out
