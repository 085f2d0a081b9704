"""`holdfast soak`: a flaw is found and shrunk, a sound lock is accused of nothing, and a kill leaves the finds."""

import json
import os
import signal
import subprocess
import time
import unittest

import jsonschema
from program import PROGRAM, SOURCE, ProgramTest

SCHEMA = json.loads((SOURCE / "docs" / "soak.schema.json").read_text())


class Soak(ProgramTest):
    def scenario(self, lock, **more):
        told = {
            "about": "nothing is expected to break",
            "locks": [lock],
            "clients": 6,
            "lease_ms": 1000,
            "hold_ms": [20, 60],
            "duration_ms": 4000,
            "faults": [{"fault": "pause", "target": "holder", "at": {"phase": "critical_section"}, "for_ms": 400}],
            "expect": {"*": {}},
            **more,
        }
        file = self.folder / f"bounds_of_{lock.partition('+')[0]}.json"
        file.write_text(json.dumps(told))
        return file

    def soak(self, *arguments):
        answer = self.call(PROGRAM, "soak", *arguments, "--seed", 5, "--out", self.out, "--json")
        told = json.loads(answer.stdout)
        jsonschema.validate(told, SCHEMA)
        return answer.returncode, told

    def test_flaw_is_found_shrunk_and_replayed(self):
        # If matched rows are counted, no client is ever refused: that shows in each trial, with any two clients.
        code, told = self.soak(self.scenario("upsert_lease+found_rows"), "--for", "75s", "--jobs", 6)
        self.assertEqual(code, 1, self.shown)
        finds = {(find["property"], find["kind"]): find for find in told["finds"]}
        self.assertIn(("lease_exclusion", "algorithm"), finds, self.shown)
        self.assertEqual(len(finds), len(told["finds"]), "each is kept once")
        find = finds["lease_exclusion", "algorithm"]
        self.assertIn("mutual_exclusion:algorithm", find["also"], "of several the most severe is the find")
        small = json.loads((self.latest() / find["file"]).read_text())
        self.assertEqual(small["clients"], 2)
        self.assertEqual(small["faults"], [], "it needs no fault")
        self.assertEqual((find["shown"], find["again"]), (5, 5))
        self.assertTrue((self.latest() / find["folder"] / "history.jsonl").is_file())
        kept = [folder.name for folder in (self.latest() / "cells" / "upsert_lease+found_rows").iterdir()]
        self.assertLessEqual(len(kept), len(told["finds"]), "what showed nothing new is removed")
        small = self.latest() / find["file"]
        again = self.call(PROGRAM, "run", small, "--seed", find["seed"], "--repeat", 5,
                          "--out", self.folder / "again", "-q")  # fmt: skip
        self.assertEqual(again.returncode, 1, self.shown)

    def test_sound_lock_has_no_finds(self):
        code, told = self.soak(self.scenario("fenced_lease", lease_ms=2000), "--for", "15s", "--jobs", 4)
        self.assertEqual(code, 0, self.shown)
        self.assertEqual(told["finds"], [])
        self.assertGreater(told["judged"], 2)
        self.assertGreater(told["faults_acted"], 0)
        self.assertEqual(list((self.latest() / "cells").glob("*/*")), [])

    def test_expected_violations_are_not_finds(self):
        allowed = ["mutual_exclusion", "lease_exclusion", "resource", "ownership", "progress"]
        expect = {"*": dict.fromkeys(allowed, "violated")}
        file = self.scenario("ip_lease", expect=expect, why={"*": "it races"})
        code, told = self.soak(file, "--for", "10s", "--jobs", 4)
        self.assertEqual(told["finds"], [], self.shown)
        self.assertEqual(code, 0 if told["judged"] else 3)

    def test_harness_errors_are_not_finds(self):
        code, told = self.soak(self.scenario("fenced_lease"), "--for", "6s", "--jobs", 2, "--sabotage", "act")
        self.assertEqual(code, 5, self.shown)
        self.assertEqual(told["finds"], [])
        self.assertGreater(told["harness_errors"], 0)
        self.assertTrue(told["errors"])

    def test_killed_soak_keeps_only_finds(self):
        command = [PROGRAM, "soak", self.scenario("ip_lease"), "--for", "5m", "--out", self.out, "--seed", "5"]
        with subprocess.Popen(list(map(str, command)), stderr=subprocess.PIPE, text=True) as soak:
            for line in soak.stderr:
                if line.startswith("find 1"):
                    break
            soak.send_signal(signal.SIGKILL)
        told = json.loads((self.latest() / "soak.json").read_text())
        jsonschema.validate(told, SCHEMA)
        self.assertEqual(len(told["finds"]), 1)
        self.assertTrue((self.latest() / told["finds"][0]["file"]).is_file())
        deadline = time.monotonic() + 20
        while self.left_over() and time.monotonic() < deadline:
            time.sleep(0.2)
        self.assertEqual(self.left_over(), [])

    def left_over(self):
        """Processes that were started for a folder of this test."""
        found = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/cmdline", encoding="utf-8", errors="replace") as file:
                    words = file.read()
            except OSError:
                continue
            if str(self.out) in words:
                found.append(words.replace("\0", " "))
        return found

    def test_mistakes_are_named(self):
        file = self.scenario("ip_lease")
        self.refused("--for", PROGRAM, "soak", file, "--for", "soon", "--out", self.out)
        self.refused("did you mean", PROGRAM, "soak", "scenarios/quik", "--out", self.out)
        self.refused("--only", PROGRAM, "soak", file, "--only", "nobody/here", "--out", self.out)


if __name__ == "__main__":
    unittest.main()
