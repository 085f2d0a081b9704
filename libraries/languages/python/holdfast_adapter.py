"""What all adapters in Python have in common: holdfast's adapter protocol (docs/adapters.md).

    class Lock(holdfast_adapter.Adapter):
        NOT_HELD = (LockNotOwnedError,)       # exceptions that the library documents as "it is not yours (any more)"

        def __init__(self, hello): ...        # connects, to hello["servers"]
        def acquire(self, ask): ...           # "ok", "busy", or a dict such as {"is": "ok", "token": 7}
        def release(self, ask): ...           # "ok" or "not_held"

    holdfast_adapter.serve(Lock, redis.__version__)

What else the lock can is a method more (renew, owned, block, cancel), or a word of CAN (background, wait, threads,
reenter, lost); where a manifest's options take one away, `self.renew = None` does, and `self.CAN = ...`. A key that is
not held here is answered by the adapter; every other exception is `info`: perhaps it was done. Each thread of the load
has a thread of its own here, so that what a library keeps by thread stays with it.

Assertions may be made anywhere and at any time, in threads of the library, too:

    always(not self.renewing, "no renewal after release")     # false: the lock is broken
    sometimes(attempts > 1, "a request was retried")          # must be true at least once in the run
    reached("the fallback server is used")                    # must come at least once in the run
"""

import collections
import json
import os
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "site"))  # where install.sh puts libraries

DO = ("acquire", "renew", "release", "owned", "cancel", "block")


class Adapter:
    CAN = ()
    NOT_HELD = ()

    def __init__(self, hello):
        self.held = {}  # (lock, thread): what the library gave for it

    def block(self, ask):
        time.sleep(ask["ms"] / 1000)
        return "ok"

    def key(self, ask):
        return ask["lock"], ask.get("thread", 0)

    def words(self):
        given = [do for do in ("renew", "owned", "cancel") if self.does(do)]
        return sorted({*given, *self.CAN})

    def does(self, do):  # one that an instance has set to None it does not
        return getattr(self, do, None) is not None


def answered(adapter, ask):
    do = ask["do"]
    if do in ("renew", "release", "owned") and adapter.key(ask) not in adapter.held:
        return {"is": "no" if do == "owned" else "not_held"}
    try:
        said = getattr(adapter, do)(ask)
    except adapter.NOT_HELD:
        adapter.held.pop(adapter.key(ask), None)
        said = "not_held" if do != "owned" else "no"
    except Exception as error:  # sent or not, done or not: nobody knows
        return {"is": "info", "why": f"{type(error).__name__}: {error}"[:500]}
    if do == "release":
        adapter.held.pop(adapter.key(ask), None)
    return said if isinstance(said, dict) else {"is": said}


class Answers:
    """Lines on standard output, each written whole. What a library prints goes to standard error."""

    def __init__(self):
        self.out, sys.stdout = sys.stdout, sys.stderr
        self.writing = threading.Lock()

    def say(self, said):
        with self.writing:
            print(json.dumps(said), file=self.out, flush=True)


class Assertions:
    """Counts evaluations. A line tells the first one of each result, and then each time that they have doubled."""

    def __init__(self):
        self.say = None  # until the adapter is served
        self.lock = threading.Lock()
        self.counts = {}  # (kind, name, holds): all, told

    def add(self, kind, name, holds, why):
        with self.lock:
            counts = self.counts.setdefault((kind, name, bool(holds)), [0, 0])
            counts[0] += 1
            if self.say and counts[0] >= 2 * counts[1]:
                self.tell(kind, name, bool(holds), str(why), counts)

    def tell(self, kind, name, holds, why, counts):
        said = {"is": kind, "name": name, "count": counts[0] - counts[1]}
        if kind != "reached":
            said["holds"] = holds
        if why:
            said["why"] = why[:500]
        counts[1] = counts[0]
        self.say(said)

    def tell_all(self):
        with self.lock:
            for (kind, name, holds), counts in self.counts.items():
                if counts[0] > counts[1]:
                    self.tell(kind, name, holds, "", counts)


ASSERTIONS = Assertions()


def always(holds, name, why=""):
    """Asserts what must be true whenever it is evaluated; `why` tells more about a false one. Returns `holds`."""
    ASSERTIONS.add("always", name, holds, why)
    return holds


def sometimes(holds, name, why=""):
    """Asserts what must be true at least once in a run. Returns `holds`."""
    ASSERTIONS.add("sometimes", name, holds, why)
    return holds


def reached(name, why=""):
    """Marks a place that a run must reach at least once."""
    ASSERTIONS.add("reached", name, True, why)


def serve(make, version):
    answers, adapter = Answers(), None
    ASSERTIONS.say = answers.say
    ASSERTIONS.tell_all()  # those made at import
    workers = collections.defaultdict(lambda: ThreadPoolExecutor(1))  # by the thread that asks
    for line in sys.stdin:
        ask = json.loads(line)
        do, n = ask["do"], ask.get("n")
        if do == "bye":
            break
        if do == "hello":
            make.say = lambda self, said: answers.say(said)  # what is said unasked: lost, suspect, leader
            adapter = make(ask)
            ready = {"is": "ready", "v": 1, "name": ask["name"], "version": version, "can": adapter.words()}
            answers.say({"n": n, **ready})
        elif do == "pulse":  # at once, whoever waits
            answers.say({"n": n, "is": "ok", "wall_ms": time.time_ns() // 1_000_000})
        elif do == "cancel" and adapter.does("cancel"):
            answers.say({"n": n, **answered(adapter, ask)})
        elif do in DO and adapter.does(do):
            worker = workers[ask.get("thread", 0)]
            worker.submit(lambda ask=ask, n=n: answers.say({"n": n, **answered(adapter, ask)}))
        else:
            answers.say({"n": n, "is": "fail", "why": f"cannot {do}"})
    ASSERTIONS.tell_all()
    os._exit(0)  # who still waits is not waited for
