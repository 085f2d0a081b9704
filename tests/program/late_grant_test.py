"""A reply that is held back for longer than the lease: a lock that then says ok has granted what is over. No time-out
of a template may end the call before that is seen."""

import json
import shutil
import subprocess
import unittest

import needs
from own_adapters import AdapterTest
from program import PROGRAM

LEASE_MS = 1000
HELD_MS = 3200  # longer than any time-out of a client library should be here
LOOKED_AT = ("mutual_exclusion", "lease_exclusion", "resource", "ownership")
# The held reply: of the first acquire, of a free lock, once the server has executed it.
EXECUTED = {"request": 1, "of": "acquire", "when": "after", "nth": 1}
CUT = {"fault": "partition", "at": EXECUTED, "for_ms": HELD_MS, "lose": "replies"}
STOP = {"fault": "pause", "at": EXECUTED, "for_ms": HELD_MS}
# The sound twins: a client that got the reply too late gives the lock back, and reports no grant.
IN_PYTHON = (
    'return "ok" if self.redis.set(name, self.values[name], nx=True, px=ask["lease_ms"]) else "busy"',
    """began = time.monotonic()
        granted = self.redis.set(name, self.values[name], nx=True, px=ask["lease_ms"])
        if granted and time.monotonic() - began >= ask["lease_ms"] / 1000:
            self.release(ask)
            return "busy"
        return "ok" if granted else "busy\"""",
)
IN_NODE = (
    "return { is: (await redis.set(ask.lock, value, 'PX', ask.lease_ms, 'NX')) ? 'ok' : 'busy' };",
    """const began = process.hrtime.bigint();
    const granted = await redis.set(ask.lock, value, 'PX', ask.lease_ms, 'NX');
    if (granted && process.hrtime.bigint() - began >= BigInt(ask.lease_ms) * 1000000n) {
      await doing.release(ask);
      return { is: 'busy' };
    }
    return { is: granted ? 'ok' : 'busy' };""",
)


class LateGrantTest(AdapterTest):
    def kinds(self, folder, fault, lock=None):
        """Those of mutual_exclusion's violations, in three trials."""
        lock = lock or folder.name
        scenario = {
            "locks": [lock],
            "clients": 3,
            "lease_ms": LEASE_MS,
            "hold_ms": [500, 600],
            "pause_ms": [0, 5],
            "poll_ms": 10,
            "duration_ms": 8000,
            "coverage": {"grants": 2, "attempts_in_hold": 1},
            "faults": [fault],
            "expect": {"*": dict.fromkeys(LOOKED_AT, "allowed")},
            "why": {"*": "what comes out is what is looked at"},
        }  # fmt: skip
        self.run_suite(self.scenario("held", scenario), "--adapter", folder, "--repeat", "3", "--jobs", "1")
        found = set()
        for trial in range(1, 4):
            file = self.latest() / f"cells/{lock}/held/{trial}/verdict.json"
            self.assertTrue(file.exists(), self.shown)
            for one in json.loads(file.read_text())["properties"]:
                if one["property"] == "mutual_exclusion":
                    found |= set(one.get("kinds", []))
        self.nothing_left()
        return found

    def twin(self, folder, file, edit):
        text = (folder / file).read_text()
        self.assertIn(edit[0], text)
        (folder / file).write_text(text.replace(*edit))
        return folder


class Python(LateGrantTest):
    def test_a_grant_after_its_lease_is_found(self):
        self.assertEqual(self.kinds(self.made(), CUT), {"late_grant"}, self.shown)

    def test_a_lock_that_looks_at_the_time_is_silent(self):
        self.assertEqual(self.kinds(self.twin(self.made(), "lock.py", IN_PYTHON), CUT), set(), self.shown)


class Node(LateGrantTest):
    """A timer that is due fires before a reply that is there is read, as soon as a stopped program goes on."""

    def setUp(self):
        super().setUp()
        for program in ("node", "npm"):
            if not shutil.which(program):
                self.skipTest(f"{program} is not installed")

    def installed(self):
        folder = self.made(language="node")
        command = ["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts"]
        made = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False)
        if made.returncode != 0:
            self.skipTest(f"npm ci: the registry cannot be reached ({made.stderr.strip()[-200:]})")
        return folder

    def test_a_grant_after_its_lease_is_found(self):
        folder = self.installed()
        for fault in (STOP, CUT):
            with self.subTest(fault=fault["fault"]):
                self.assertEqual(self.kinds(folder, fault), {"late_grant"}, self.shown)

    def test_a_lock_that_looks_at_the_time_is_silent(self):
        folder = self.twin(self.installed(), "lock.js", IN_NODE)
        for fault in (STOP, CUT):
            with self.subTest(fault=fault["fault"]):
                self.assertEqual(self.kinds(folder, fault), set(), self.shown)


class Java(LateGrantTest):
    """Shared code for the adapters of the libraries on tables."""

    def test_a_grant_after_its_lease_is_found(self):
        needs.registry("Maven")
        root = self.folder / "libraries"
        installed = self.call("env", f"HOLDFAST_LIBRARIES={root}", PROGRAM, "libraries", "install", "shedlock")
        self.assertEqual(installed.returncode, 0, self.shown)
        manifest = next(root.glob("shedlock@*")) / "lock_db_time.json"
        self.assertIn("late_grant", self.kinds(manifest, CUT, "shedlock_jdbc_db_time"), self.shown)


if __name__ == "__main__":
    unittest.main()
