"""A lock as a Python class: the decorator, and the adapter's folder that the program reads.

The class is imported by path, in the programs that the lab starts, from the file that defines it. So this file must not
test at import, and what it imports must be readable by other users if root runs the tests.
"""

import importlib.util
import inspect
import json
import pathlib
import re
import sys

from . import adapter

ASKED = ("renew", "owned", "cancel")  # each is a method that the class may have

PROGRAM = """\
import sys

sys.path[:0] = {path!r}
from holdfast import lock_class

lock_class.serve({file!r}, {name!r}, {version!r})
"""


def lock(servers, **manifest):
    """Marks a subclass of holdfast.Adapter as a lock. `servers`: kinds, as ["redis"]; more: keys of lock.json."""

    def marked(cls):
        if not (inspect.isclass(cls) and issubclass(cls, adapter.Adapter)):
            raise TypeError(f"@holdfast.lock: {cls!r} is no subclass of Adapter; remedy: class MyLock(Adapter)")
        cls.holdfast_manifest = {"servers": list(servers), **manifest}
        return cls

    return marked


def snake_case(name):
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def abilities(cls):
    return sorted({*(do for do in ASKED if getattr(cls, do, None)), *cls.CAN})


def write_adapter(cls, folder):
    """Writes the adapter's folder for the class, FOLDER/NAME, and returns its path."""
    facts = getattr(cls, "holdfast_manifest", None)
    if facts is None:
        raise TypeError(f"{cls.__name__}: its servers are not known; remedy: add @holdfast.lock(servers=[...])")
    name = facts.get("name") or snake_case(cls.__name__)
    into = pathlib.Path(folder, name)
    into.mkdir(parents=True, exist_ok=True)
    told = {
        "name": name,
        "command": [sys.executable, "./lock.py"],
        "language": "Python",
        "can": abilities(cls),
        "paths": ["lock.py"],
        **facts,
    }
    (into / "lock.json").write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")
    path = [str(pathlib.Path(one).resolve()) for one in sys.path if one]
    file = str(pathlib.Path(inspect.getfile(cls)).resolve())
    version = facts.get("library", {}).get("version", "of its source")
    program = PROGRAM.format(path=path, file=file, name=cls.__qualname__, version=version)
    (into / "lock.py").write_text(program, encoding="utf-8")
    return into


def serve(file, name, version):
    """Answers the program's requests by the class NAME of FILE; the folder's lock.py calls it."""
    spec = importlib.util.spec_from_file_location("holdfast_lock_under_test", file)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    cls = module
    for part in name.split("."):
        cls = getattr(cls, part)
    adapter.serve(cls, version)
