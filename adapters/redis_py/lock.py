#!/usr/bin/python3
"""redis-py's own Lock.

Speaks holdfast's adapter protocol: requests on standard input, answers on standard output, one JSON object a line.
"""

import json
import os
import sys
import time

import redis
from redis.backoff import NoBackoff
from redis.exceptions import LockNotOwnedError
from redis.lock import Lock
from redis.retry import Retry

CONNECT_S = 2  # to connect; a reply is waited for, since a time-out would hide a grant that comes after its lease


class RedisPy:
    def __init__(self, hello):
        at = hello["servers"][0]
        limits = {"socket_connect_timeout": CONNECT_S}
        place = {"db": int(at.get("database") or 0), "password": os.environ.get("REDIS_PASSWORD")}
        # Never asked twice: a second SET NX would be refused because of the first one, whose reply was lost.
        self.redis = redis.Redis(at["host"], at["port"], retry=Retry(NoBackoff(), 0), **limits, **place)
        self.owner = hello["owner"]
        self.locks = {}  # locks that may be held, with their leases

    def acquire(self, ask):
        wait_ms = ask.get("wait_ms")  # absent: for ever
        how = {"blocking": wait_ms != 0, "blocking_timeout": wait_ms / 1000 if wait_ms else None}
        lock = Lock(self.redis, ask["lock"], timeout=ask["lease_ms"] / 1000, thread_local=False)
        self.locks[ask["lock"]] = lock, ask["lease_ms"]
        return "ok" if lock.acquire(token=f"{self.owner}:{ask['n']}", **how) else self.forget(ask, "busy")

    def renew(self, ask):
        lock, lease_ms = self.locks[ask["lock"]]
        lock.extend(lease_ms / 1000, replace_ttl=True)
        return "ok"

    def release(self, ask):
        self.locks[ask["lock"]][0].release()
        return self.forget(ask, "ok")

    def owned(self, ask):
        return "yes" if self.locks[ask["lock"]][0].owned() else "no"

    def forget(self, ask, outcome):
        del self.locks[ask["lock"]]
        return outcome


def answer(adapter, ask):
    do, name = ask["do"], ask["lock"]
    if do != "acquire" and name not in adapter.locks:
        return {"is": "no" if do == "owned" else "not_held"}
    try:
        return {"is": getattr(adapter, do)(ask)}
    except LockNotOwnedError:
        return {"is": adapter.forget(ask, "not_held")}
    except redis.RedisError as error:  # sent or not, done or not: unknown
        return {"is": "info", "why": str(error)}


def main():
    answers, sys.stdout = sys.stdout, sys.stderr  # a library's output is not an answer
    adapter = None
    for line in sys.stdin:
        ask = json.loads(line)
        if ask["do"] == "bye":
            break
        if ask["do"] == "hello":
            adapter, can = RedisPy(ask), ["renew", "owned"]
            said = {"is": "ready", "v": 1, "name": "redis_py", "version": redis.__version__, "can": can}
        elif ask["do"] == "pulse":
            said = {"is": "ok", "wall_ms": time.time_ns() // 1_000_000}
        elif ask["do"] in ("acquire", "renew", "release", "owned"):
            said = answer(adapter, ask)
        else:
            said = {"is": "fail", "why": f"cannot {ask['do']}"}
        print(json.dumps({"n": ask.get("n"), **said}), file=answers, flush=True)


if __name__ == "__main__":
    main()
