"""`report` on folders made by hand: what the page takes from a run's files, and what it does without them."""

import base64
import json
import os
import re
import stat
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


class Stored(ProgramTest):
    """Tests with the folder of a made-up run."""

    def run_folder(self):
        verdict = {**TRIAL, "timeline": {**TRIAL["timeline"], "spans": []}}
        trial = {"number": 1, "seed": "7", "folder": FOLDER, "outcome": "as_expected", "error": "", "mismatches": [],
                 "verdict": verdict, "faults": [], "control": None, "causes": [], "seconds": 1.0, "cpu_seconds": 0.5}
        cell = {"lock": "insert_lease", "scenario": "none", "outcome": "as_expected", "trials_as_expected": 1,
                "suite": "quick", "planned": 1, "expected": {}, "why": "", "trials": [trial]}
        run = {"holdfast_run": 5, "version": "0.1.0", "started_utc": "2026-01-31T12:00:00Z", "suite": "quick",
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


class Report(Stored):
    def test_trial_option_needs_cell(self):
        self.refused("--trial needs --cell", PROGRAM, "report", self.folder, "--format", "trace", "--trial", "7")

    def an_output_stays_what_it_is(self, place, text):
        """A device, a FIFO or a link is written into, and no file is put in its place."""
        command = [PROGRAM, "report", place, "--format", "junit", "--out"]
        target, link, fifo = self.folder / "target.xml", self.folder / "link.xml", self.folder / "fifo.xml"
        link.symlink_to(target)
        os.mkfifo(fifo)
        reader = os.open(fifo, os.O_RDWR)
        self.addCleanup(os.close, reader)
        for out in (link, fifo):
            self.assertEqual(self.call(*command, out).returncode, 0, self.shown)
        self.assertTrue(link.is_symlink())
        self.assertEqual(target.read_text(), text)
        self.assertTrue(fifo.is_fifo())
        self.assertEqual(os.read(reader, 1 << 20).decode(), text)
        self.assertEqual(self.call(*command, "/dev/stdout").stdout, text)
        if os.geteuid() != 0:
            return
        full = self.folder / "full"
        os.mknod(full, 0o666 | stat.S_IFCHR, os.makedev(1, 7))
        answer = self.call(*command, full)
        self.assertEqual(answer.returncode, 5, self.shown)
        self.assertIn("full: cannot be", answer.stderr)  # written, or opened where devices are not allowed
        self.assertTrue(full.is_char_device())

    def test_default_page_replaces_only_a_plain_file(self):
        trial = self.folder / "trial"
        trial.mkdir()
        (trial / "history.jsonl").write_text("".join(line + "\n" for line in LINES))
        (trial / "report.html").symlink_to(self.folder / "theirs")
        answer = self.call(PROGRAM, "report", trial)
        self.assertEqual(answer.returncode, 2, self.shown)
        self.assertIn("report.html: is a link", answer.stderr)
        self.assertFalse((self.folder / "theirs").exists())
        (trial / "report.html").unlink()
        self.assertIn(self.call(PROGRAM, "report", trial).returncode, (0, 1, 3), self.shown)
        self.assertTrue((trial / "report.html").is_file())

    def test_format_is_printed_or_written(self):
        place = self.run_folder()
        printed = self.call(PROGRAM, "report", place, "--format", "junit")
        self.assertEqual(printed.returncode, 0, self.shown)
        self.assertTrue(printed.stdout.startswith("<?xml"), self.shown)
        written = self.folder / "again.xml"
        self.assertEqual(self.call(PROGRAM, "report", place, "--format", "junit", "--out", written).returncode, 0)
        self.assertEqual(written.read_text(), printed.stdout)
        self.an_output_stays_what_it_is(place, printed.stdout)
        nowhere = self.folder / "nowhere" / "again.xml"
        self.assertEqual(self.call(PROGRAM, "report", place, "--format", "junit", "--out", nowhere).returncode, 2)
        self.assertIn(f"--out: there is no folder {nowhere.parent}", self.shown)

    def test_page_contains_the_trials_events(self):
        place = self.run_folder()
        (place / FOLDER / "history.jsonl").write_text("\n".join(LINES) + "\n")
        block = re.search(r'<script type="text/plain" id="events/([^"]*)">([^<]+)</script>', self.page_of(place))
        self.assertEqual(block.group(1), FOLDER)
        trial = json.loads(zlib.decompress(base64.b64decode(block.group(2))))
        self.assertEqual(trial["keys"], ["k0"])
        self.assertEqual(trial["ops"]["took"], [1000, -1])
        self.assertEqual(trial["ops"]["tokens"], {"0": "5"})
        self.assertEqual(len(trial["spans"]), 1)

    def test_broken_history_costs_its_events_only(self):
        place = self.run_folder()
        self.assertIn('data-why="the history is not available"', self.page_of(place))
        (place / FOLDER / "history.jsonl").write_text("\n".join(LINES[:2]) + '\n{"index":2,"time":"<b>"}\n')
        page = self.page_of(place)
        self.assertRegex(page, r'data-why="[^"]*history\.jsonl:3: ')
        self.assertIn("1 of 1 cell", page)

    def test_truncated_history_of_a_run_is_an_error(self):
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

    def test_refused_history_keeps_the_runs_files(self):
        place = self.run_folder()
        run = json.loads((place / "verdict.json").read_text())
        run["cells"][0]["trials"][0]["verdict"]["judgement"] = "violated"  # its events are written as a trace, too
        (place / "verdict.json").write_text(json.dumps(run))
        (place / "report.html").write_text("as it was")
        whole = ['{"holdfast_history":3}', *LINES[:-1], "[1]", '{"type":"end","events":%d}' % len(LINES)]
        (place / FOLDER / "history.jsonl").write_text("\n".join(whole) + "\n")
        self.assertEqual(self.call(PROGRAM, "report", place).returncode, 2, self.shown)
        self.assertIn(f"history.jsonl:{len(whole) - 1}: ", self.shown)
        self.assertEqual((place / "report.html").read_text(), "as it was")

    def test_page_shows_the_runs_environment(self):
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


# Two clients hold one key at once: a foreign history, with only calls and answers.
OVERLAP = ['{"time":1000000,"process":0,"type":"invoke","f":"acquire","key":"orders"}',
           '{"time":2000000,"process":0,"type":"ok","f":"acquire","key":"orders"}',
           '{"time":3000000,"process":1,"type":"invoke","f":"acquire","key":"orders"}',
           '{"time":4000000,"process":1,"type":"ok","f":"acquire","key":"orders"}',
           '{"time":8000000,"process":0,"type":"invoke","f":"release","key":"orders"}',
           '{"time":9000000,"process":0,"type":"ok","f":"release","key":"orders"}',
           '{"time":9100000,"process":1,"type":"invoke","f":"release","key":"orders"}',
           '{"time":9200000,"process":1,"type":"ok","f":"release","key":"orders"}']


class History(ProgramTest):
    def history(self, lines, name="app.jsonl"):
        path = self.folder / name
        path.write_text("\n".join(lines) + "\n")
        return path

    def test_a_foreign_history_has_a_page_with_its_timeline(self):
        path = self.history(OVERLAP)
        answer = self.call(PROGRAM, "report", path)
        self.assertEqual(answer.returncode, 1, self.shown)
        self.assertIn("VIOLATED · page: ", answer.stdout)
        page = (self.folder / "app.jsonl.html").read_text()
        for words in ("VIOLATED", "app.jsonl", 'class="timeline wide"', 'class="violation-mark"', 'id="glossary"',
                      "client 1"):
            self.assertIn(words, page)
        self.assertNotIn("expected violation", page)

    def test_holding_history_has_no_violation_mark(self):
        alone = [OVERLAP[0], OVERLAP[1], OVERLAP[4], OVERLAP[5]] + [
            line.replace('"time":3', '"time":13').replace('"time":4', '"time":14').replace('"time":9', '"time":19')
            for line in (OVERLAP[2], OVERLAP[3], OVERLAP[6], OVERLAP[7])]
        page = self.folder / "own.html"
        answer = self.call(PROGRAM, "report", self.history(alone), "--out", page, "--model", "owner")
        self.assertEqual(answer.returncode, 0, self.shown)
        self.assertIn("HOLDS", page.read_text())
        self.assertNotIn('class="violation-mark"', page.read_text())

    def test_mistakes_are_named(self):
        path = self.history(OVERLAP)
        self.refused("--format and --cell apply only to runs", PROGRAM, "report", path, "--format", "junit")
        self.refused("unknown model", PROGRAM, "report", path, "--model", "nonsense")
        self.refused("there is no folder", PROGRAM, "report", path, "--out", self.folder / "no" / "page.html")
        self.refused("no such folder", PROGRAM, "report", self.folder / "nothing.jsonl")


class Against(Stored):
    def test_changes_since_another_run(self):
        before = self.run_folder().rename(self.folder / "a")
        now = self.run_folder().rename(self.folder / "b")
        verdict = json.loads((now / "verdict.json").read_text())
        verdict["cells"][0]["outcome"] = verdict["cells"][0]["trials"][0]["outcome"] = "unexpected"
        (now / "verdict.json").write_text(json.dumps(verdict))
        files = sorted(path.name for path in before.iterdir())
        answer = self.call(PROGRAM, "report", now, "--against", before)
        self.assertEqual(answer.returncode, 0, self.shown)
        self.assertIn("1 of 1 cell changed: 1 broke", answer.stdout)
        self.assertIn("./report.html#insert_lease/none", (now / "against.html").read_text())
        self.assertEqual(sorted(path.name for path in before.iterdir()), files)
        out = self.folder / "changes.html"
        answer = self.call(PROGRAM, "report", before, "--against", now, "--out", out)
        self.assertIn("1 fixed", answer.stdout)
        self.assertNotIn("href", out.read_text())

    def test_mistakes_are_named(self):
        place = self.run_folder()
        self.refused("is not a run's folder", PROGRAM, "report", self.folder, "--against", place)
        self.refused("no such folder", PROGRAM, "report", place, "--against", self.folder / "nothing")
        self.refused("cannot be combined", PROGRAM, "report", place, "--against", place, "--format", "junit")


class Index(Stored):
    def test_index_lists_all_runs_of_a_folder(self):
        (self.run_folder()).rename(self.folder / "20260101T000000Z-a")
        broken = self.folder / "20260102T000000Z-b"
        broken.mkdir()
        (broken / "verdict.json").write_text("{}")
        cut = self.folder / "20260103T000000Z-c"
        cut.mkdir()
        (cut / "run.json").write_text("{}")
        compared = self.folder / "20260104T000000Z-d"
        compared.mkdir()
        (compared / "compare.json").write_text('{"command": "holdfast compare get_lock", "exit_code": 1}')
        (compared / "compare.html").write_text("")
        (self.folder / "elsewhere").mkdir()
        (self.folder / "latest").symlink_to("20260103T000000Z-c")
        answer = self.call(PROGRAM, "report", self.folder)
        self.assertEqual(answer.returncode, 0, self.shown)
        self.assertIn("4 runs", answer.stdout)
        page = (self.folder / "index.html").read_text()
        for words in ("./20260101T000000Z-a/report.html", "1 of 1 cell as expected", "did not finish",
                      "./20260104T000000Z-d/compare.html", "20260102T000000Z-b/verdict.json"):
            self.assertIn(words, page)
        for words in ("elsewhere", "latest"):
            self.assertNotIn(words, page)

    def test_index_shows_trends_and_soaks(self):
        for day, outcome in enumerate(("as_expected", "unexpected")):
            folder = self.run_folder().rename(self.folder / f"2026010{day + 1}T000000Z-a")
            verdict = json.loads((folder / "verdict.json").read_text())
            verdict["started_utc"] = f"2026-01-0{day + 1}T00:00:00Z"
            verdict["cells"][0]["outcome"] = verdict["cells"][0]["trials"][0]["outcome"] = outcome
            (folder / "verdict.json").write_text(json.dumps(verdict))
        replay = self.run_folder().rename(self.folder / "20260103T000000Z-b")
        (replay / "run.json").write_text('{"replay_of": "20260101T000000Z-a/cells/x"}')
        soak = self.folder / "20260104T000000Z-c"
        soak.mkdir()
        find = {"number": 1, "lock": "ip_lease", "scenario": "quick/race", "property": "lease_exclusion",
                "kind": "algorithm", "also": [], "seed": 3, "file": "finds/1/race.json", "folder": "cells/a",
                "found_as": "6 clients", "shrunk_to": "", "shrink_trials": 0, "shown": 0, "again": 0}
        (soak / "soak.json").write_text(json.dumps(
            {"holdfast_soak": 1, "seed": 7, "seconds": 90, "command": "holdfast soak quick --seed 7", "trials": 12,
             "judged": 11, "unavailable": 0, "harness_errors": 0, "faults_planned": 9, "faults_acted": 8,
             "finds_not_kept": 0, "finds": [find], "errors": [], "server": "MariaDB 10.11.19", "notes": [],
             "interrupted": True}))
        answer = self.call(PROGRAM, "report", self.folder)
        self.assertEqual(answer.returncode, 0, self.shown)
        page = (self.folder / "index.html").read_text()
        text = re.sub("<[^>]*>", "", page)
        self.assertIn("over 2 runs", text)  # the replay is none of them
        self.assertIn("broken since 20260102T000000Z-a: 1 run", text)
        self.assertIn("SOAK 1 find: ip_lease lease_exclusion violated:algorithm; interrupted", text)
        self.assertIn("11 of 12 trials judged · seed 7 · 1 m 30 s", text)
        self.assertIn("2026-01-04T00:00:00Z", text)
        self.assertIn('href="./20260104T000000Z-c/soak.json"', page)


if __name__ == "__main__":
    unittest.main()
