"""`report` on folders made by hand: what the page takes from a run's files, and what it does without them."""

import base64
import json
import re
import unittest
import zlib

from program import PROGRAM, ProgramTest

SPANS = [{"client": 0, "key": "k0", "from_ns": 2000000, "to_ns": 9000000, "lease_end_ns": 0, "grant_index": 1,
          "end_index": 2}]
MEASURES = {"operations": 2, "grants": 1, "refusals": 0, "spurious_refusals": 0, "conflicts": 0, "indeterminate": 0,
            "wait_p50_ns": 1000000, "wait_p99_ns": 1000000}
TRIAL = {"holdfast_verdict": 2, "lock": "insert_lease", "scenario": "none", "seed": "7", "model": "owner", "clients": 1,
         "judgement": "holds", "properties": [], "measures": MEASURES,
         "timeline": {"end_ns": 10000000, "cut": False, "spans": SPANS, "faults": [], "writes": []}}
LINES = ['{"index":0,"time":1000000,"process":0,"type":"invoke","f":"acquire","key":"k0"}',
         '{"index":1,"time":2000000,"process":0,"type":"ok","f":"acquire","key":"k0","token":5}',
         '{"index":2,"time":9000000,"process":0,"type":"invoke","f":"release","key":"k0"}']
FOLDER = "cells/insert_lease/none/1"


class Report(ProgramTest):
    def run_folder(self):
        verdict = {**TRIAL, "timeline": {**TRIAL["timeline"], "spans": []}}
        trial = {"number": 1, "seed": "7", "folder": FOLDER, "outcome": "as_expected", "error": "", "mismatches": [],
                 "verdict": verdict, "faults": [], "control": None, "causes": [], "seconds": 1.0, "cpu_seconds": 0.5}
        cell = {"lock": "insert_lease", "scenario": "none", "outcome": "as_expected", "trials_as_expected": 1,
                "suite": "quick", "planned": 1, "expected": {}, "why": "", "trials": [trial]}
        run = {"holdfast_run": 4, "version": "0.1.0", "started_utc": "2026-01-31T12:00:00Z", "suite": "quick",
               "server": "MariaDB", "command": "holdfast run", "seed": "7", "seconds": 1.0, "stalls": 0,
               "interrupted": False, "exit_code": 0, "sentence": "", "locks": ["insert_lease"], "scenarios": ["none"],
               "cells": [cell], "faults": [], "seeds": ["7"], "stopped": "", "not_tried": []}
        place = self.folder / "run"
        (place / FOLDER).mkdir(parents=True)
        (place / "verdict.json").write_text(json.dumps(run))
        (place / FOLDER / "verdict.json").write_text(json.dumps(TRIAL))
        return place

    def page_of(self, place):
        done = self.call(PROGRAM, "report", place)
        self.assertEqual(done.returncode, 0, self.shown)
        return (place / "report.html").read_text()

    def test_a_trial_is_one_of_a_cell(self):
        self.refused("--trial needs --cell", PROGRAM, "report", self.folder, "--format", "trace", "--trial", "7")

    def test_a_format_is_printed_or_written(self):
        place = self.run_folder()
        printed = self.call(PROGRAM, "report", place, "--format", "junit")
        self.assertEqual(printed.returncode, 0, self.shown)
        self.assertTrue(printed.stdout.startswith("<?xml"), self.shown)
        written = self.folder / "again.xml"
        self.assertEqual(self.call(PROGRAM, "report", place, "--format", "junit", "--out", written).returncode, 0)
        self.assertEqual(written.read_text(), printed.stdout)
        nowhere = self.folder / "nowhere" / "again.xml"
        self.assertEqual(self.call(PROGRAM, "report", place, "--format", "junit", "--out", nowhere).returncode, 2)
        self.assertIn(f"--out: there is no folder {nowhere.parent}", self.shown)

    def test_a_trials_events_are_in_the_page(self):
        place = self.run_folder()
        (place / FOLDER / "history.jsonl").write_text("\n".join(LINES) + "\n")
        block = re.search(r'<script type="text/plain" id="events/([^"]*)">([^<]+)</script>', self.page_of(place))
        self.assertEqual(block.group(1), FOLDER)
        trial = json.loads(zlib.decompress(base64.b64decode(block.group(2))))
        self.assertEqual(trial["keys"], ["k0"])
        self.assertEqual(trial["ops"]["took"], [1000, -1])
        self.assertEqual(trial["ops"]["tokens"], {"0": "5"})
        self.assertEqual(len(trial["spans"]), 1)

    def test_a_history_that_is_gone_or_broken_costs_its_events_only(self):
        place = self.run_folder()
        self.assertIn('data-why="its history is not at hand"', self.page_of(place))
        (place / FOLDER / "history.jsonl").write_text("\n".join(LINES[:2]) + '\n{"index":2,"time":"<b>"}\n')
        page = self.page_of(place)
        self.assertRegex(page, r'data-why="[^"]*history\.jsonl:3: ')
        self.assertIn("1 of 1 cell", page)

    def test_a_runs_history_that_was_cut_off_is_an_error(self):
        place = self.run_folder()
        history = place / FOLDER / "history.jsonl"
        whole = ['{"holdfast_history":3}', *LINES, '{"type":"end","events":%d}' % len(LINES)]
        history.write_text("\n".join(whole) + "\n")
        self.page_of(place)
        history.write_text("\n".join(whole[:-1]) + "\n")
        for more in ((), ("--format", "junit")):
            self.assertEqual(self.call(PROGRAM, "report", place, *more).returncode, 2, self.shown)
            self.assertIn("history.jsonl: the history was cut off", self.shown)
            self.assertEqual(self.shown.count("PASS"), 0, self.shown)

    def test_the_environment_is_the_runs_not_this_machines(self):
        place = self.run_folder()
        self.assertIn(">processors<", self.page_of(place))
        (place / "environment.json").write_text(json.dumps({"kernel": "Plan 9", "load_average": [0.5, 1, 2],
                                                            "stalls": {"all": 3, "by_trial": {"x": 3}}}))
        page = self.page_of(place)
        for text in (">Plan 9<", ">0.50 1 2<", ">stalls all<"):
            self.assertIn(text, page)
        self.assertNotIn(">processors<", page)
        (place / "environment.json").write_text("{")
        self.assertIn(">processors<", self.page_of(place))


if __name__ == "__main__":
    unittest.main()
