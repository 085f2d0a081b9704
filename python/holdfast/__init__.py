"""holdfast from Python: tests whether a distributed lock is safe.

    holdfast.try_lock("my_lock.sql").expect("as_safe_as_a_lease")  # or an adapter's folder, or a built-in lock's name

A lock of a library is a class whose methods are called in programs of their own:

    @holdfast.lock(servers=["redis"])
    class MyLock(holdfast.Adapter):
        def __init__(self, hello): ...  # connects, to hello["servers"]
        def acquire(self, ask): ...     # "ok" or "busy"
        def release(self, ask): ...     # "ok" or "not_held"

    holdfast.try_lock(MyLock).expect("as_safe_as_a_lease")

pytest has the fixture `holdfast`, whose `try_lock` does the same and takes the options of pytest's command line.
"""

from .adapter import Adapter, always, reached, sometimes
from .lock_class import lock
from .verdict import GRADES, NotAsExpected, NothingRan, Verdict, program, try_lock

__all__ = ["GRADES", "Adapter", "NotAsExpected", "NothingRan", "Verdict", "always", "lock", "program", "reached",
           "sometimes", "try_lock"]  # fmt: skip
