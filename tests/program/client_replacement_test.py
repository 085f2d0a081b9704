"""A killed client and its replacement: it starts at once, asks when the fault is over, and the time that the fault
reports is the time until then, however long its program takes to start."""

import json
import re
import unittest

from own_adapters import AdapterTest
from program import quick

START_S = 2.5
CLIENTS = 3  # one is killed: its replacement has the next number


class Replacement(AdapterTest):
    def slow_adapter(self):
        """An adapter whose program takes its time to start."""
        folder = self.made()
        text = (folder / "lock.py").read_text()
        self.assertIn("import time\n", text)
        (folder / "lock.py").write_text(text.replace("import time\n", f"import time\n\ntime.sleep({START_S})\n", 1))
        return folder

    def tried(self, for_ms):
        """The reported time, and the replacement's first request after the kill; in seconds."""
        kill = {"fault": "kill", "at": {"phase": "critical_section", "nth": 2}, "for_ms": for_ms}
        load = {"faults": [kill], "clients": CLIENTS, "duration_ms": 7000}
        whatever = {"ownership": "not_exercised", "resource": "not_judged"}
        folder = self.slow_adapter()
        path = self.scenario("kill", quick(locks=["my_lock"], **load, expect={"*": whatever}))
        answer = self.run_suite(path, "--adapter", folder)
        self.assertEqual(answer.returncode, 0, self.shown)
        lines = (self.latest() / "cells/my_lock/kill/1/history.jsonl").read_text().splitlines()
        events = [one for one in map(json.loads, lines) if "f" in one]
        killed = next(one for one in events if one["f"] == "client killed")["time"]
        asked = next(one for one in events if one["f"] == "acquire" and one.get("client") == CLIENTS)["time"]
        told = next(one for one in events if one["f"] == "kill" and one["step"] == "end")["detail"]
        self.nothing_left()
        return float(re.search(r"gone for ([0-9.]+) s", told)[1]), (asked - killed) / 1e9

    def test_slow_start_of_a_replacement_is_reported(self):
        told_s, asked_s = self.tried(500)
        self.assertGreater(asked_s, START_S, "it cannot ask before")
        self.assertAlmostEqual(told_s, asked_s, delta=0.3, msg=self.shown)

    def test_ready_replacement_asks_when_the_fault_ends(self):
        told_s, asked_s = self.tried(5000)
        self.assertAlmostEqual(asked_s, 5.0, delta=0.6, msg="not by the time of its start later")
        self.assertAlmostEqual(told_s, asked_s, delta=0.3, msg=self.shown)


if __name__ == "__main__":
    unittest.main()
