"""Files of absurd sizes, and texts that command a terminal: one clear error or a plain answer, soon, and no crash."""

import json
import os
import resource
import unittest

from program import PROGRAM, ProgramTest

DEEP = "[" * 200_000 + "]" * 200_000
MANY = "{" + ",\n".join(f'"k{n}": 0' for n in range(200_000)) + "}"
HUGE = "x" * 20_000_000
# Processor time, which other programs do not lengthen. Quadratic work took minutes, linear work takes a second.
SOON_S = 30 * int(os.environ.get("HOLDFAST_TIME_FACTOR", "1"))
ORDER = {"holdfast_run_manifest": 3, "version": "0.1.0", "directory": ".", "started_utc": "", "replay_of": "",
         "paths": [],
         "locks": [], "only": [], "seed": "1", "seeds": "", "repeat": 1, "controls": False, "servers": [],
         "adapters": [], "target": ""}


def used_s():
    """Processor time of all programs that were called so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class HostileSize(ProgramTest):
    def folder_with(self, **files):
        place = self.folder / "run"
        place.mkdir(exist_ok=True)
        for name, text in files.items():
            (place / f"{name}.json").write_text(text)
        return place

    def one_error(self, words, *command):
        begin = used_s()
        answer = self.call(*command)
        self.assertEqual(answer.returncode, 2, self.shown[:2000])
        self.assertEqual(answer.stderr.count("\n"), 1, self.shown[:2000])
        self.assertLess(len(answer.stderr), 6000)
        self.assertIn(words, answer.stderr)
        self.assertLess(used_s() - begin, SOON_S)

    def test_deep_nesting_is_refused(self):
        run = self.folder_with(verdict='{"holdfast_run": 5,\n"cells": ' + DEEP + "}",
                               run=json.dumps(ORDER)[:-1] + ',\n"scenarios": ' + DEEP + "}")
        self.one_error(f"{run}/verdict.json:2: cells[0]", PROGRAM, "report", run)
        self.one_error(f"{run}/run.json:2: scenarios[0]", PROGRAM, "run", "--resume", run)
        scenario = self.scenario("deep", DEEP)
        self.one_error("nested too deeply (at most 64)", PROGRAM, "plan", scenario)
        history = self.folder / "deep.jsonl"
        history.write_text('{"time":1,"process":1,"type":"invoke","f":"acquire","x":' + DEEP + "}\n")
        self.one_error(f"{history}:1: x[0]", PROGRAM, "check", history)

    def test_many_keys_are_read_quickly(self):
        run = self.folder_with(verdict=MANY, run=MANY)
        self.one_error(f"{run}/verdict.json:1: holdfast_run: missing", PROGRAM, "report", run)
        self.one_error(f"{run}/run.json:1: holdfast_run_manifest: missing", PROGRAM, "run", "--resume", run)
        scenario = self.scenario("many", MANY[:-1] + ',"locks":["get_lock"]}')
        self.one_error("many.json:1: 'expect' is missing", PROGRAM, "plan", scenario)

    def test_long_texts_are_bounded(self):
        run = self.folder_with(verdict=json.dumps({"holdfast_run": 5, "version": HUGE}),
                               run=json.dumps({"holdfast_run_manifest": 3, "version": HUGE}))
        self.one_error("a string of more than 1 MiB", PROGRAM, "report", run)
        self.one_error("a string of more than 1 MiB", PROGRAM, "run", "--resume", run)
        self.one_error("bytes left out", PROGRAM, "run", "--resume", self.folder_with(
            run=json.dumps({"holdfast_run_manifest": 3, "version": "y" * 900_000})))

    def test_oversized_files_are_refused(self):
        """Refused by its size, before it is read."""
        huge = self.folder / "huge.json"
        for file, most, command in (
            (huge, "16 MiB", ["plan", huge]),
            (huge, "16 MiB", ["adapter", "check", huge]),
            (huge, "512 MiB", ["compare", "insert_lease", "--baseline", huge]),
            (self.folder_with(verdict="") / "verdict.json", "512 MiB", ["report", self.folder / "run"]),
            (self.folder_with(run="", verdict="x") / "run.json", "512 MiB", ["run", "--resume", self.folder / "run"]),
        ):
            with file.open("w") as out:
                out.write('{"a":"')
                out.truncate(3 << 30)
            begin = used_s()
            self.one_error(f"{file}: is larger than {most}", PROGRAM, *command)
            self.assertLess(used_s() - begin, 2)

    def test_wrong_types_are_refused(self):
        run = self.folder_with(run=json.dumps({**ORDER, "scenarios": [], "repeat": "two"}, indent=1))
        self.one_error(f"{run}/run.json:12: repeat: expected an integer", PROGRAM, "run", "--resume", run)

    def test_many_overlapping_holders_are_checked_quickly(self):
        history = self.folder / "overlaps.jsonl"
        asks = '{"time":%d,"process":%d,"type":"%s","f":"acquire","key":"k"}\n'
        with history.open("w") as out:
            for n in range(25_000):
                out.write(asks % (2 * n, n, "invoke") + asks % (2 * n + 1, n, "ok"))
        begin = used_s()
        answer = self.call(PROGRAM, "check", history, "--json")
        self.assertEqual(answer.returncode, 1, self.shown[:2000])
        self.assertLess(used_s() - begin, SOON_S)
        judged = {p["property"]: p for p in json.loads(answer.stdout)["properties"]}["mutual_exclusion"]
        self.assertEqual(judged["verdict"], "violated")
        pairs = 25_000 * 24_999 // 2
        self.assertEqual(judged["count"] + judged["coverage"]["pairs_not_looked_at"], pairs)
        self.assertGreaterEqual(judged["count"], 10_000_000)

    def test_names_are_escaped_on_terminals(self):
        """A history's cause of a fault and its clients are shown, and command nothing."""
        evil = "\x1b[2J\x1b]0;title\x07\u202egnp"
        history = self.folder / "evil.jsonl"
        event = '{"time":%d,"process":%s,"type":"%s","f":"acquire","key":%s}\n'
        with history.open("w") as out:
            for time_ns, process in enumerate(["a" + evil, "b" + evil]):
                out.write(event % (2 * time_ns, json.dumps(process), "invoke", json.dumps("k" + evil)))
                out.write(event % (2 * time_ns + 1, json.dumps(process), "ok", json.dumps("k" + evil)))
        answer = self.call(PROGRAM, "check", history)
        self.assertEqual(answer.returncode, 1, self.shown)
        for hidden in ("\x1b", "\x07", "\u202e"):
            self.assertNotIn(hidden, answer.stdout)
        self.assertIn("\\u202E", answer.stdout)


if __name__ == "__main__":
    unittest.main()
