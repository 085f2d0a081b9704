#!/usr/bin/python3
"""The session lock of PostgreSQL, pg_try_advisory_lock, through psycopg2.

Speaks holdfast's adapter protocol: requests on standard input, answers on standard output, one JSON object a line.
"""

import json
import select
import sys
import time

import psycopg2
import psycopg2.extensions

TIMEOUT_S = 2  # a server that is silent for longer leaves the outcome unknown


def wait(session):
    """In place of libpq's own waiting, which has no limit."""
    until = time.monotonic() + TIMEOUT_S
    while (state := session.poll()) != psycopg2.extensions.POLL_OK:
        reads = [session] if state == psycopg2.extensions.POLL_READ else []
        writes = [session] if state == psycopg2.extensions.POLL_WRITE else []
        if not any(select.select(reads, writes, [], max(0, until - time.monotonic()))):
            raise psycopg2.OperationalError(f"no answer within {TIMEOUT_S} s")


class AdvisoryLock:
    def __init__(self, hello):
        at = hello["servers"][0]
        self.address = {"host": at["host"], "port": at["port"], "user": at.get("user", "postgres")}
        self.address["dbname"] = at.get("database") or "postgres"
        if at.get("password"):
            self.address["password"] = at["password"]
        self.session = None

    def ask(self, sql, name):
        """The first field of the reply. The lock lives in the session: a new one holds nothing."""
        if not self.session or self.session.closed:
            self.session = psycopg2.connect(**self.address)
            self.session.autocommit = True
        with self.session.cursor() as cursor:
            cursor.execute(sql, (name,))
            return cursor.fetchone()[0]

    def acquire(self, name):
        return "ok" if self.ask("SELECT pg_try_advisory_lock(hashtextextended(%s, 0))", name) else "busy"

    def release(self, name):
        return "ok" if self.ask("SELECT pg_advisory_unlock(hashtextextended(%s, 0))", name) else "not_held"

    def owned(self, name):
        key = "(SELECT hashtextextended(%s, 0) AS number) AS key"
        mine = "locktype = 'advisory' AND pid = pg_backend_pid() AND objsubid = 1"
        whole = "(classid::bigint << 32 | objid::bigint) = number"
        return "yes" if self.ask(f"SELECT count(*) FROM pg_locks, {key} WHERE {mine} AND {whole}", name) else "no"


def answer(lock, ask):
    try:
        return {"is": getattr(lock, ask["do"])(ask["lock"])}
    except psycopg2.Error as error:  # sent or not, done or not: unknown
        if lock.session:
            lock.session.close()  # the reply may still come; it would answer the next question
        return {"is": "info", "why": str(error).strip()}


def main():
    answers, sys.stdout = sys.stdout, sys.stderr  # a library's output is not an answer
    psycopg2.extensions.set_wait_callback(wait)
    lock = None
    for line in sys.stdin:
        ask = json.loads(line)
        if ask["do"] == "bye":
            break
        if ask["do"] == "hello":
            lock = AdvisoryLock(ask)
            said = {"is": "ready", "v": 1, "name": "postgres_advisory_py", "version": psycopg2.__version__.split()[0]}
            said["can"] = ["owned"]
        elif ask["do"] == "pulse":
            said = {"is": "ok", "wall_ms": time.time_ns() // 1_000_000}
        elif ask["do"] in ("acquire", "release", "owned"):
            said = answer(lock, ask)
        else:
            said = {"is": "fail", "why": f"cannot {ask['do']}"}
        print(json.dumps({"n": ask.get("n"), **said}), file=answers, flush=True)


if __name__ == "__main__":
    main()
