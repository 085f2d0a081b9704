"""Locks on MySQL and PostgreSQL that make one mistake each; the twin does not make it."""

TABLE = "CREATE TABLE IF NOT EXISTS leases (name VARCHAR(64) PRIMARY KEY, owner VARCHAR(99), until {})"


class Row:
    """A row for each key, which is taken by a conditional UPDATE once it is over. The locks below change one thing."""

    CAN: list = []

    def __init__(self, hello, twin):
        self.hello, self.owner, self.twin, self.values = hello, hello["owner"], twin, {}
        self.session = None
        self.connect()
        self.ask(TABLE.format(self.TIME))
        rows = ", ".join(f"('{name}', '', '2000-01-01')" for name in hello["locks"])
        self.ask(self.NEW % rows)

    def ask(self, sql, *values):
        if self.session is None:
            self.connect()
        try:
            with self.session.cursor() as cursor:
                cursor.execute(sql, values or None)
                rows = cursor.fetchall() if cursor.description else None
                return rows if rows is not None else cursor.rowcount
        except Exception:
            self.session.close()
            self.session = None
            raise

    def own(self, ask):
        self.values[ask["lock"]] = f"{self.owner}:{ask['n']}"
        return self.values[ask["lock"]]

    def acquire(self, ask):
        take = f"{self.TAKE} WHERE name = %s AND until <= {self.NOW}"
        taken = self.ask(take, self.own(ask), self.lease(ask), ask["lock"])
        return "ok" if taken else "busy"

    def release(self, ask):
        freed = self.ask(f"{self.FREE} WHERE name = %s AND owner = %s", ask["lock"], self.values.get(ask["lock"], ""))
        return "ok" if freed else "not_held"


class Mysql(Row):
    TIME, NOW = "DATETIME(6)", "NOW(6)"
    NEW = "INSERT IGNORE INTO leases VALUES %s"
    TAKE = "UPDATE leases SET owner = %s, until = NOW(6) + INTERVAL %s MICROSECOND"
    FREE = "UPDATE leases SET until = '2000-01-01', owner = ''"

    def connect(self):
        import pymysql

        at = self.hello["servers"][0]
        place = {key: at[key] for key in ("host", "port", "user", "database")}
        self.session = pymysql.connect(autocommit=True, connect_timeout=2, **place)

    @staticmethod
    def lease(ask):
        return ask["lease_ms"] * 1000


class Postgres(Row):
    TIME, NOW = "TIMESTAMP", "clock_timestamp()"
    NEW = "INSERT INTO leases VALUES %s ON CONFLICT DO NOTHING"
    TAKE = "UPDATE leases SET owner = %s, until = clock_timestamp() + %s * INTERVAL '1 millisecond'"
    FREE = "UPDATE leases SET until = '2000-01-01', owner = ''"

    def connect(self):
        import psycopg2

        at = self.hello["servers"][0]
        self.session = psycopg2.connect(host=at["host"], port=at["port"], user=at.get("user"),
                                        dbname=at.get("database", "postgres"), connect_timeout=2)
        self.session.autocommit = True

    @staticmethod
    def lease(ask):
        return ask["lease_ms"]


class LooksFirst:
    """The end of the lease is read by one statement, and the row is written by the next, which no longer asks."""

    def acquire(self, ask):
        if self.twin:
            return super().acquire(ask)
        if not self.ask(f"SELECT name FROM leases WHERE name = %s AND until <= {self.NOW}", ask["lock"]):
            return "busy"
        self.ask(f"{self.TAKE} WHERE name = %s", self.own(ask), self.lease(ask), ask["lock"])
        return "ok"


class FreesAnyRow:
    """The row is freed whoever owns it."""

    def release(self, ask):
        if self.twin:
            return super().release(ask)
        return "ok" if self.ask(f"{self.FREE} WHERE name = %s", ask["lock"]) else "not_held"


class MysqlLooksFirst(LooksFirst, Mysql):
    """See LooksFirst."""


class MysqlFreesAnyRow(FreesAnyRow, Mysql):
    """See FreesAnyRow."""


class PostgresLooksFirst(LooksFirst, Postgres):
    """See LooksFirst."""


class PostgresFreesAnyRow(FreesAnyRow, Postgres):
    """See FreesAnyRow."""
