"""Locks on MariaDB and PostgreSQL, rebuilt from public reports (expected.json names each); `twin` has no mistake."""

import queue
import time
from concurrent.futures import ThreadPoolExecutor

try:
    import psycopg2
except ImportError:  # locks on other servers need none
    psycopg2 = None
try:
    import pymysql
except ImportError:
    pymysql = None


def mysql(hello, autocommit=True):
    at = {key: hello["servers"][0][key] for key in ("host", "port", "user", "database")}
    return pymysql.connect(autocommit=autocommit, connect_timeout=2, **at)


def postgres(hello):
    at = hello["servers"][0]
    name = {"user": at.get("user"), "dbname": at.get("database")}
    made = psycopg2.connect(host=at["host"], port=at["port"], connect_timeout=2, **name)
    made.autocommit = True
    return made


def ask_for(connection, sql, *values):
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        row = cursor.fetchone() if cursor.description else None
        return row[0] if row else None


class XwikiDeadlock:
    """One transaction looks at the row, deletes it and inserts its own. The error that ends it is only logged."""

    CAN: list = []
    TABLE = """CREATE TABLE IF NOT EXISTS xwikilock (
      doc_id VARBINARY(255) PRIMARY KEY, owner VARBINARY(255) NOT NULL, ends DATETIME(6) NOT NULL) ENGINE = InnoDB"""

    def __init__(self, hello, twin):
        self.hello, self.twin, self.connection = hello, twin, None
        self.owners = {}
        self.run(lambda cursor: cursor.execute(self.TABLE))

    def run(self, work):
        if not self.connection or not self.connection.open:
            self.connection = mysql(self.hello, autocommit=False)
        try:
            with self.connection.cursor() as cursor:
                said = work(cursor)
            self.connection.commit()
            return said
        except pymysql.Error as error:
            if error.args[0] in (1205, 1213):
                self.connection.rollback()
            else:
                self.connection.close()
            raise

    def acquire(self, ask):
        key, me = ask["lock"], f"{self.hello['owner']}:{ask['n']}"

        def take(cursor):
            cursor.execute("SELECT ends > UTC_TIMESTAMP(6) FROM xwikilock WHERE doc_id = %s FOR UPDATE", (key,))
            row = cursor.fetchone()
            if row and row[0]:
                return "busy"
            cursor.execute("DELETE FROM xwikilock WHERE doc_id = %s", (key,))
            cursor.execute("INSERT INTO xwikilock VALUES (%s, %s, UTC_TIMESTAMP(6) + INTERVAL %s MICROSECOND)",
                           (key, me, ask["lease_ms"] * 1000))  # fmt: skip
            return "ok"

        self.owners[key] = me
        try:
            return self.run(take)
        except pymysql.Error as error:
            if error.args[0] not in (1205, 1213):
                raise
            return "fail" if self.twin else "ok"

    def release(self, ask):
        sql = "DELETE FROM xwikilock WHERE doc_id = %s AND owner = %s"
        row = ask["lock"], self.owners.get(ask["lock"], "")
        return "ok" if self.run(lambda cursor: cursor.execute(sql, row)) else "not_held"


class LeoflowRecycled:
    """An advisory lock of a session, out of a pool that replaces a connection once it is a second and a half old."""

    CAN = ["renew"]
    OLD_S = 1.5

    def __init__(self, hello, twin):
        self.hello, self.twin, self.connection, self.born, self.held = hello, twin, None, 0, set()

    def session(self, held=False):
        old = time.monotonic() > self.born + self.OLD_S and not (self.twin and held)
        if self.connection and (old or self.connection.closed):
            self.connection.close()
            self.connection = None
        if not self.connection:
            self.connection, self.born = postgres(self.hello), time.monotonic()
        return self.connection

    def ask(self, held, sql, *values):
        try:
            return ask_for(self.session(held), sql, *values)
        except psycopg2.Error:
            self.connection.close()
            self.held.clear()
            raise

    def acquire(self, ask):
        granted = self.ask(bool(self.held), "SELECT pg_try_advisory_lock(hashtext(%s))", ask["lock"])
        if granted:
            self.held.add(ask["lock"])
        return "ok" if granted else "busy"

    def renew(self, ask):
        if ask["lock"] not in self.held:
            return "not_held"
        self.ask(True, "SELECT 1")
        return "ok"

    def release(self, ask):
        if ask["lock"] not in self.held:
            return "not_held"
        self.held.discard(ask["lock"])
        return "ok" if self.ask(True, "SELECT pg_advisory_unlock(hashtext(%s))", ask["lock"]) else "not_held"


class GoMysqlLeak:
    """GET_LOCK on a connection out of a pool of five, which goes back at the release; a refused one never does."""

    CAN: list = []

    def __init__(self, hello, twin):
        self.hello, self.twin, self.pool, self.held = hello, twin, queue.Queue(), {}
        for _ in range(5):
            self.pool.put(None)

    def acquire(self, ask):
        connection = self.pool.get()
        if not connection or not connection.open:
            try:
                connection = mysql(self.hello)
            except pymysql.Error:
                self.pool.put(None)
                raise
        try:
            granted = ask_for(connection, "SELECT GET_LOCK(%s, 0)", ask["lock"]) == 1
        except pymysql.Error:
            connection.close()
            self.pool.put(None)
            raise
        if granted:
            self.held[ask["lock"]] = connection
        elif self.twin:
            self.pool.put(connection)
        return "ok" if granted else "busy"

    def release(self, ask):
        connection = self.held.pop(ask["lock"], None)
        if not connection:
            return "not_held"
        try:
            return "ok" if ask_for(connection, "SELECT RELEASE_LOCK(%s)", ask["lock"]) == 1 else "not_held"
        except pymysql.Error:
            connection.close()
            raise
        finally:
            self.pool.put(connection)


class GreptimeTimeout:
    """A campaign is given up after 300 ms, whether or not the server grants it; its session keeps the lock."""

    CAN: list = []
    LIMIT_S = 0.3

    def __init__(self, hello, twin):
        self.hello, self.twin, self.connection, self.sender = hello, twin, None, ThreadPoolExecutor(1)

    def send(self, sql, key):
        if not self.connection or self.connection.closed:
            self.connection = postgres(self.hello)
        try:
            return ask_for(self.connection, sql, key)
        except psycopg2.Error:
            self.connection.close()
            raise

    def acquire(self, ask):
        answer = self.sender.submit(self.send, "SELECT pg_try_advisory_lock(hashtext(%s))", ask["lock"])
        try:
            return "ok" if answer.result(self.LIMIT_S) else "busy"
        except TimeoutError:
            if not self.twin:
                return "busy"
            self.sender.submit(lambda: self.connection.close())  # and the lock with it
            return "info"

    def release(self, ask):
        answer = self.sender.submit(self.send, "SELECT pg_advisory_unlock(hashtext(%s))", ask["lock"])
        return "ok" if answer.result() else "not_held"


class PickNotCommitted:
    """A row for each task, picked by one UPDATE on a connection out of a pool. The pool's connections have autocommit
    off, and the pool undoes what is open when one comes back."""

    CAN: list = []
    POOLED = 2
    TABLE = """CREATE TABLE IF NOT EXISTS picked_task (
      task VARBINARY(255) PRIMARY KEY, picked_by VARBINARY(255) NULL, picked_until DATETIME(6) NOT NULL)
      ENGINE = InnoDB"""
    ROW = "INSERT IGNORE INTO picked_task VALUES (%s, NULL, UTC_TIMESTAMP(6))"
    PICK = """UPDATE picked_task SET picked_by = %s, picked_until = UTC_TIMESTAMP(6) + INTERVAL %s MICROSECOND
      WHERE task = %s AND (picked_by IS NULL OR picked_until <= UTC_TIMESTAMP(6))"""
    UNPICK = "UPDATE picked_task SET picked_by = NULL WHERE task = %s AND picked_by = %s"

    def __init__(self, hello, twin):
        self.hello, self.twin, self.values, self.pool = hello, twin, {}, []
        setup = mysql(hello)
        with setup.cursor() as cursor:
            cursor.execute(self.TABLE)
            for task in hello["locks"]:
                cursor.execute(self.ROW, (task,))
        setup.close()

    def changed(self, sql, *values):
        """The number of rows that the statement changed."""
        connection = self.pool.pop() if self.pool else mysql(self.hello, autocommit=self.twin)
        try:
            with connection.cursor() as cursor:
                rows = cursor.execute(sql, values)
            self.give_back(connection)
        except Exception:
            connection.close()
            raise
        return rows

    def give_back(self, connection):
        connection.rollback()
        if len(self.pool) < self.POOLED:
            self.pool.append(connection)
        else:
            connection.close()

    def acquire(self, ask):
        value = f"{self.hello['owner']}:{ask['n']}"
        if not self.changed(self.PICK, value, ask["lease_ms"] * 1000, ask["lock"]):
            return "busy"
        self.values[ask["lock"]] = value
        return "ok"

    def release(self, ask):
        value = self.values.pop(ask["lock"], "")
        return "ok" if self.changed(self.UNPICK, ask["lock"], value) else "not_held"


class XactWithoutTransaction:
    """An advisory lock of the transaction around the work. Transactions are switched off, so that it ends with the
    statement that takes it."""

    CAN: list = []

    def __init__(self, hello, twin):
        self.hello, self.twin, self.connection, self.held = hello, twin, None, set()

    def ask(self, sql, key):
        if not self.connection or self.connection.closed:
            self.connection = postgres(self.hello)
        try:
            return ask_for(self.connection, sql, key)
        except psycopg2.Error:
            self.connection.close()  # and what it holds with it
            raise

    def acquire(self, ask):
        function = "pg_try_advisory_lock" if self.twin else "pg_try_advisory_xact_lock"
        if not self.ask(f"SELECT {function}(hashtextextended(%s, 0))", ask["lock"]):
            return "busy"
        self.held.add(ask["lock"])
        return "ok"

    def release(self, ask):
        if ask["lock"] not in self.held:
            return "not_held"
        self.held.discard(ask["lock"])
        if not self.twin:
            return "ok"  # the end of the transaction frees it
        return "ok" if self.ask("SELECT pg_advisory_unlock(hashtextextended(%s, 0))", ask["lock"]) else "not_held"


class BootRecoversAll:
    """A row for each job, claimed with a lease. A worker that starts takes all running jobs for those of its dead
    predecessor, and sets them back to pending."""

    CAN: list = []
    SETUP = """
      SELECT pg_advisory_xact_lock(8112);
      CREATE TABLE IF NOT EXISTS boot_job (
        job text PRIMARY KEY, status text NOT NULL, worker text NULL, lease_until timestamptz NOT NULL)"""
    ROW = "INSERT INTO boot_job VALUES (%s, 'pending', NULL, clock_timestamp()) ON CONFLICT DO NOTHING"
    RECOVER = "UPDATE boot_job SET status = 'pending', worker = NULL WHERE status = 'processing'"
    CLAIM = """UPDATE boot_job
      SET status = 'processing', worker = %s, lease_until = clock_timestamp() + %s * interval '1 millisecond'
      WHERE job = %s AND (status = 'pending' OR lease_until <= clock_timestamp())"""
    FINISH = "UPDATE boot_job SET status = 'pending', worker = NULL WHERE job = %s AND worker = %s"

    def __init__(self, hello, twin):
        self.hello, self.connection, self.values = hello, postgres(hello), {}
        self.connection.autocommit = False
        with self.connection.cursor() as cursor:
            cursor.execute(self.SETUP)
            for job in hello["locks"]:
                cursor.execute(self.ROW, (job,))
        self.connection.commit()
        self.connection.autocommit = True
        self.changed(self.RECOVER + (" AND lease_until <= clock_timestamp()" if twin else ""))

    def changed(self, sql, *values):
        if self.connection.closed:
            self.connection = postgres(self.hello)
        try:
            with self.connection.cursor() as cursor:
                cursor.execute(sql, values or None)
                return cursor.rowcount
        except psycopg2.Error:
            self.connection.close()
            raise

    def acquire(self, ask):
        value = f"{self.hello['owner']}:{ask['n']}"
        if not self.changed(self.CLAIM, value, ask["lease_ms"], ask["lock"]):
            return "busy"
        self.values[ask["lock"]] = value
        return "ok"

    def release(self, ask):
        value = self.values.pop(ask["lock"], "")
        return "ok" if self.changed(self.FINISH, ask["lock"], value) else "not_held"
