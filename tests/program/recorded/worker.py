"""Workers that share a lock on Redis, with the recorder: worker.py PREFIX PORT sound|unsure|no_lock|frees."""

import random
import sys
import threading
import time

import redis
from recorder import Recorder

DELETE = "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0"


def work(log, server, mode):
    for turn in range(40):
        mine = f"{log.name}.{turn}"
        log.before("acquire", "orders")
        granted = server.set("orders", mine, nx=True, px=30000) or mode == "no_lock"
        unsure = mode == "unsure" and turn % 7 == 0  # as if the reply had been lost
        if unsure:
            log.after("info")
        else:
            log.after("ok") if granted else log.after("fail", reason="busy")
        if granted or unsure or (mode == "frees" and turn % 5 == 0):
            time.sleep(random.uniform(0.001, 0.005))
            log.before("release", "orders")
            freed = server.delete("orders") if mode == "frees" else server.eval(DELETE, 1, "orders", mine)
            log.after("ok") if freed or mode == "no_lock" else log.after("fail", reason="not_held")
        time.sleep(random.uniform(0.001, 0.005))


recorder = Recorder(sys.argv[1])
server = redis.Redis("127.0.0.1", int(sys.argv[2]))
threads = [threading.Thread(target=work, args=(recorder.worker(), server, sys.argv[3])) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
