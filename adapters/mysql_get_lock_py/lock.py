#!/usr/bin/python3
"""The session lock of MySQL and MariaDB, GET_LOCK, through PyMySQL.

Speaks holdfast's adapter protocol: requests on standard input, answers on standard output, one JSON object a line.
"""

import json
import sys
import time

import pymysql

TIMEOUT_S = 2  # a server that is silent for longer leaves the outcome unknown


class GetLock:
    def __init__(self, hello):
        at = hello["servers"][0]
        limits = {name: TIMEOUT_S for name in ("connect_timeout", "read_timeout", "write_timeout")}
        self.address = {"host": at["host"], "port": at["port"], "user": at.get("user", "root"), **limits}
        self.address["password"] = at.get("password", "")
        self.session = None

    def ask(self, sql, name):
        """The first field of the reply. The lock lives in the session: a new one holds nothing."""
        if not self.session or not self.session.open:
            self.session = pymysql.connect(**self.address)
        with self.session.cursor() as cursor:
            cursor.execute(sql, (name,))
            return cursor.fetchone()[0]

    def acquire(self, name):  # 1: granted. 0: another session has it. NULL: an error, as when the thread was killed
        return {1: "ok", 0: "busy"}.get(self.ask("SELECT GET_LOCK(%s, 0)", name), "info")

    def release(self, name):  # 1: freed. 0: another session has it. NULL: no session has
        return "ok" if self.ask("SELECT RELEASE_LOCK(%s)", name) == 1 else "not_held"

    def owned(self, name):
        return "yes" if self.ask("SELECT IS_USED_LOCK(%s) = CONNECTION_ID()", name) == 1 else "no"


def answer(lock, ask):
    try:
        return {"is": getattr(lock, ask["do"])(ask["lock"])}
    except pymysql.Error as error:  # sent or not, done or not: unknown
        if lock.session and lock.session.open:
            lock.session.close()  # the reply may still come; it would answer the next question
        return {"is": "info", "why": str(error)}


def main():
    answers, sys.stdout = sys.stdout, sys.stderr  # a library's output is not an answer
    lock = None
    for line in sys.stdin:
        ask = json.loads(line)
        if ask["do"] == "bye":
            break
        if ask["do"] == "hello":
            lock = GetLock(ask)
            said = {"is": "ready", "v": 1, "name": "mysql_get_lock_py", "version": pymysql.__version__}
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
