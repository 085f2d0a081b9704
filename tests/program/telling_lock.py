"""A lock on Redis as an adapter of tests: several threads, so that it can wait, cancel, block, renew by itself and say
`lost`. Sound, or with the one mistake that lock.json's options name:

  tells_every_ms   it looks so often whether it still holds, and says lost; 0: never
  owns_all         it answers yes whenever it is asked whether it holds
  beats            a thread of its own renews, every third of a lease
  block            sleeps (a thread of its own), early (answers at once), starves (the thread that reads)
  cancel           clean; orphan: the request that was on its way still takes the lock; late: the acquire is granted
  overshoots_ms    by which acquire waits longer than wait_ms
  releases         how many releases are answered; all those after them never
  broken_seeds     seeds of clients whom it grants everything
  acquires         how many acquires of thread 0 are answered; all those after them never
"""

import json
import sys
import threading
import time

import redis

RELEASE = 'if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) else return 0 end'
RENEW = 'if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("pexpire", KEYS[1], ARGV[2]) else return 0 end'
LATE_S = 1.5  # for how long a cancelled acquire that is granted late goes on

writing = threading.Lock()


def say(message):
    with writing:
        sys.stdout.write(json.dumps(message) + "\n")
        sys.stdout.flush()


class Telling:
    def __init__(self, hello):
        at = hello["servers"][0]
        self.redis = redis.Redis(at["host"], at["port"])
        self.owner, self.options = hello["owner"], hello["options"]
        self.is_broken = hello["seed"] in self.options.get("broken_seeds", ())
        self.held = {}  # the value of what is held, and its lease
        self.cancelled = set()
        self.releases = self.options.get("releases", -1)
        self.acquires = self.options.get("acquires", -1)
        self.orphan = threading.Thread()
        for what, every_s in (
            (self.tell, self.options.get("tells_every_ms", 0) / 1000),
            (self.beat, hello["lease_ms"] / 3000 if self.options.get("beats") else 0),
        ):
            if every_s:
                threading.Thread(target=self.repeat, args=(what, every_s), daemon=True).start()

    def repeat(self, what, every_s):
        while True:
            time.sleep(every_s)
            for name, (value, lease_ms) in list(self.held.items()):
                what(name, value, lease_ms)

    def tell(self, name, value, _):
        if self.redis.get(name) != value.encode() and self.held.get(name, ("",))[0] == value:
            say({"is": "lost", "lock": name})

    def beat(self, name, value, lease_ms):
        self.redis.eval(RENEW, 1, name, value, lease_ms)

    def acquire(self, ask):
        if ask.get("thread") == 0 and self.acquires == 0:
            return
        self.acquires -= ask.get("thread") == 0
        said = {"n": ask["n"], "is": "ok" if self.waited(ask) else "busy"}
        say(said)

    def waited(self, ask):
        name, value = ask["lock"], f"{self.owner}:{ask['n']}"
        until = time.monotonic() + (ask.get("wait_ms", 0) + self.options.get("overshoots_ms", 0)) / 1000
        how = self.options.get("cancel", "clean")
        if self.is_broken:
            return True
        while True:
            if self.redis.set(name, value, nx=True, px=ask["lease_ms"]):
                self.held[name] = value, ask["lease_ms"]
                return True
            if ask["n"] in self.cancelled and how == "late":
                until, how = time.monotonic() + LATE_S, "goes on"
            if ask["n"] in self.cancelled and how in ("clean", "orphan"):
                if how == "orphan" and not self.orphan.is_alive():  # a crowd of them would starve the server
                    self.orphan = threading.Thread(target=self.take, args=(name, value, ask["lease_ms"]), daemon=True)
                    self.orphan.start()
                return False
            if time.monotonic() >= until:
                return False
            time.sleep(0.005)

    def take(self, name, value, lease_ms):
        while not self.redis.set(name, value, nx=True, px=lease_ms):
            time.sleep(0.002)

    def release(self, ask):
        if self.releases == 0:
            return
        self.releases -= 1
        value, _ = self.held.pop(ask["lock"], ("", 0))
        if self.is_broken:
            return say({"n": ask["n"], "is": "ok"})
        say({"n": ask["n"], "is": "ok" if self.redis.eval(RELEASE, 1, ask["lock"], value) else "not_held"})

    def owned(self, ask):
        value, _ = self.held.get(ask["lock"], ("", 0))
        holds = self.options.get("owns_all") or self.redis.get(ask["lock"]) == value.encode()
        say({"n": ask["n"], "is": "yes" if holds else "no"})

    def block(self, ask):
        how = self.options.get("block", "sleeps")
        if how == "starves":
            time.sleep(ask["ms"] / 1000)
        late_s = ask["ms"] / 1000 if how == "sleeps" else 0
        threading.Timer(late_s, say, ({"n": ask["n"], "is": "ok"},)).start()

    def cancel(self, ask):
        self.cancelled.add(ask["of"])
        say({"n": ask["n"], "is": "ok"})


def main():
    lock = None
    for line in sys.stdin:
        ask = json.loads(line)
        do = ask["do"]
        if do == "bye":
            break
        if do == "hello":
            lock = Telling(ask)
            name, can = ask["options"]["name"], ask["options"]["can"]
            say({"n": 0, "is": "ready", "v": 1, "name": name, "version": redis.__version__, "can": can})
        elif do == "pulse":
            say({"n": ask["n"], "is": "ok"})
        elif do == "acquire":
            threading.Thread(target=lock.acquire, args=(ask,), daemon=True).start()
        else:
            getattr(lock, do)(ask)


if __name__ == "__main__":
    main()
