"""For tests of locks that are asked for what they can, and for the mistake that they are to make."""

import json

from own_adapters import AdapterTest
from program import SOURCE, quick

# For a lock that hardly any client is granted.
STARVED = ("lease_exclusion", "mutual_exclusion", "ownership", "resource")
CANCELS = ["wait", "cancel"]
SHORT_WAITS = {"clients": 4, "lease_ms": 3000, "hold_ms": [300, 500], "duration_ms": 6000, "cancel_after_ms": 100,
               "coverage": {"grants": 3}}  # fmt: skip


class TellingTest(AdapterTest):
    def lock(self, name, can, manifest=(), **options):
        """The lock of tests/program/telling_lock.py under a name, with options of its own."""
        folder = self.folder / name
        folder.mkdir()
        (folder / "lock.py").write_text((SOURCE / "tests/program/telling_lock.py").read_text())
        facts = {
            "name": name,
            "command": ["/usr/bin/python3", "./lock.py", self.word],
            "servers": ["redis"],
            "can": can,
            "options": {"name": name, "can": can, **options},
            **dict(manifest),
        }
        (folder / "lock.json").write_text(json.dumps(facts))
        return folder

    def tried(self, scenario, *locks):
        """The verdicts of one run, by lock: {property: {...}} and the measures."""
        path = self.scenario("tried", {**quick(locks=[lock.name for lock in locks]), **scenario})
        self.answer = self.run_suite(path, *(word for lock in locks for word in ("--adapter", lock)))
        found = {}
        for lock in locks:
            file = self.latest() / f"cells/{lock.name}/tried/1/verdict.json"
            if file.exists():
                verdict = json.loads(file.read_text())
                found[lock.name] = {one["property"]: one for one in verdict["properties"]}, verdict["measures"]
        return found

    def history(self, lock):
        lines = (self.latest() / f"cells/{lock}/tried/1/history.jsonl").read_text().splitlines()
        return [one for one in map(json.loads, lines) if "f" in one]
