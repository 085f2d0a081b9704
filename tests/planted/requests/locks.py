"""The adapter of all locks in Python."""

import importlib

from serve import serve


class Classes(dict):
    def __missing__(self, name):
        sql = name.startswith(("Mysql", "Postgres"))
        return getattr(importlib.import_module("sql_locks" if sql else "redis_locks"), name)


serve(Classes())
