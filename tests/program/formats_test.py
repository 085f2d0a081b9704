"""Real runs in every format: an unexpected one, an undecided one, and one in which the harness fails. The files fit
their schemas, each format is accepted by its own tools, and damaged files are recognized."""

import copy
import json
import os
import pathlib
import sys
import unittest

from program import PROGRAM, SOURCE, ProgramTest, quick

sys.path.insert(0, str(SOURCE / "tests" / "formats"))
import look  # noqa: E402
import structured  # noqa: E402


FLAWED = "upsert_lease+found_rows"  # it refuses no client, whatever the timing


class Formats(ProgramTest):
    def formats(self):
        return json.loads(self.call(PROGRAM, "list", "--json").stdout)["formats"]

    def look_at(self, folder, cell=()):
        """Each format of a run, asked from the program, as look.py wants it."""
        out = self.folder / "looked-at"
        out.mkdir(exist_ok=True)
        names = [entry["name"] for entry in self.formats()]
        for name in names:
            more = cell if name == "trace" else ()
            answer = self.call(PROGRAM, "report", folder, "--format", name, "--out", out / name, *more)
            self.assertEqual(answer.returncode, 0, self.shown)
        self.assertEqual(list(look.look(out, names)), [])
        return out

    def fits(self, path, schema):
        value = structured.strict_json(path.read_text())
        self.assertEqual(list(structured.schema_errors(value, schema)), [], path)
        return value

    def test_schemas_match_the_program(self):
        for name in ("verdict", "trial", "check"):
            printed = json.loads(self.call(PROGRAM, "schema", name).stdout)
            self.assertEqual(printed, json.loads((SOURCE / "docs" / f"{name}.schema.json").read_text()), name)
        self.assertEqual(self.call(PROGRAM, "schema", "verdit").returncode, 2)

    def test_unexpected_and_undecided_run_in_every_format(self):
        broken = quick(locks=[FLAWED], expect={FLAWED: {}})
        unsure = quick(coverage={"grants": 100_000, "attempts_in_hold": 1})
        summary = self.folder / "summary.md"
        environment = {**os.environ, "GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": str(summary)}
        suite = self.scenario("broken", broken).parent
        self.scenario("unsure", unsure)
        self.scenario("fine", quick())
        answer = self.call(*self.run_command(suite), env=environment)
        self.assertEqual(answer.returncode, 1, self.shown)
        run = self.fits(self.latest() / "verdict.json", "verdict")
        self.assertEqual(
            {"broken": "unexpected", "unsure": "undecided", "fine": "as_expected"},
            {cell["scenario"]: cell["outcome"] for cell in run["cells"]},
        )
        self.assertEqual(sum(line.startswith("::") for line in answer.stderr.splitlines()), 2, self.shown)
        self.assertIn(f"`{FLAWED}`", summary.read_text())
        self.assertNotIn("](./", summary.read_text(), "a link that leads nowhere on GitHub")
        self.files_are_there(run)
        self.look_at(self.latest())
        self.look_at(self.latest(), ("--cell", "insert_lease/fine"))
        self.trace_tells_the_overlap(self.latest() / f"cells/{FLAWED}/broken/1/trace.json")
        self.checked(self.latest() / f"cells/{FLAWED}/broken/1/history.jsonl")
        self.damaged_files_do_not_fit(run)

    def files_are_there(self, run):
        for entry in self.formats():
            places = [self.latest()]
            if entry["name"] == "trace":
                places = [self.latest() / f"cells/{FLAWED}/broken/1"]
            for place in places:
                self.assertTrue(not entry["file"] or (place / entry["file"]).stat().st_size > 0, entry)
        self.assertFalse((self.latest() / "cells/insert_lease/fine/1/trace.json").exists())
        for cell in run["cells"]:
            self.fits(self.latest() / cell["trials"][0]["folder"] / "verdict.json", "trial")
        for link in look.plain_text.rendered((self.latest() / "summary.md").read_text()).links:
            self.assertTrue((self.latest() / link).exists(), link)

    def trace_tells_the_overlap(self, path):
        events = structured.strict_json(path.read_text())["traceEvents"]
        self.assertGreaterEqual(max(event["args"]["holders"] for event in events if event["ph"] == "C"), 2)
        names = {event["args"]["name"] for event in events if event.get("name") == "thread_name"}
        self.assertLessEqual({"violations", "belief", "operations"}, names)
        self.assertTrue(any(event.get("name") == "acquire: ok" for event in events))

    def checked(self, history):
        answer = self.call(PROGRAM, "check", "--json", history)
        self.assertEqual(list(structured.schema_errors(json.loads(answer.stdout), "check")), [])
        self.assertTrue(list(structured.schema_errors(json.loads(answer.stdout), "trial")), "which has no file's name")

    def damaged_files_do_not_fit(self, run):
        damages = [
            lambda d: d.pop("cells"), lambda d: d.update(exit_code=7), lambda d: d.update(seed=1),
            lambda d: d.update(extra=1), lambda d: d["cells"][0].update(outcome="perfect"),
            lambda d: d["cells"][0]["trials"][0]["verdict"].pop("measures"),
            lambda d: d["cells"][0]["trials"][0]["verdict"]["properties"][0].update(judgement="maybe"),
            lambda d: d.update(holdfast_run=1),
        ]  # fmt: skip
        for damage in damages:
            damaged = copy.deepcopy(run)
            damage(damaged)
            self.assertTrue(list(structured.schema_errors(damaged, "verdict")))

    def test_harness_error_is_not_a_pass_in_any_format(self):
        pause = {"fault": "pause", "target": "holder", "at": {"time_ms": 100}, "for_ms": 200}
        answer = self.run_suite(self.scenario("none", quick(faults=[pause])), "--sabotage", "act")
        self.assertEqual(answer.returncode, 5, self.shown)
        self.assertEqual(self.fits(self.latest() / "verdict.json", "verdict")["cells"][0]["outcome"], "harness_error")
        self.look_at(self.latest(), ("--cell", "insert_lease/none"))
        self.assertIn('type="harness_error"', (self.latest() / "junit.xml").read_text())
        self.assertIn("ERROR", (self.latest() / "summary.md").read_text().splitlines()[0])

    def test_hostile_names_in_a_stored_run_are_escaped(self):
        """Hostile texts in a history or a verdict from elsewhere, through the program itself."""
        evil = "]]><script>alert(1)</script>|`\n::error title=x::y ##[group]z\u202e\x1b[2J" + "x" * 10_240
        name = evil[:160]  # as long as a folder's may be, which a cell's name is
        place = f"cells/{name}/{name}/1"
        folder = self.folder / "stored"
        trial = folder / place
        trial.mkdir(parents=True)
        history = [
            {"index": 0, "time": 1, "process": evil, "type": "invoke", "f": "acquire", "key": evil},
            {"index": 1, "time": 2, "process": evil, "type": "ok", "f": "acquire", "key": evil},
            {"index": 2, "time": 3, "process": "b", "type": "invoke", "f": "acquire", "key": evil},
            {"index": 3, "time": 4, "process": "b", "type": "ok", "f": "acquire", "key": evil},
        ]
        (trial / "history.jsonl").write_text("".join(json.dumps(event) + "\n" for event in history))
        checked = json.loads(self.call(PROGRAM, "check", "--json", trial / "history.jsonl").stdout)
        beside = ("file", "verdict", "not_judged", "warnings")  # printed by check only
        verdict = {key: value for key, value in checked.items() if key not in beside}
        for one in verdict["properties"]:
            del one["verdict"]
        self.assertEqual(verdict["judgement"], "violated")
        (trial / "verdict.json").write_text(json.dumps(verdict))
        result = {
            "number": 1, "seed": "1", "folder": place, "outcome": "unexpected", "error": evil,
            "mismatches": [], "verdict": {**verdict, "timeline": {**verdict["timeline"], "spans": []}}, "faults": [],
            "control": None, "causes": [], "seconds": 1.0, "cpu_seconds": 1.0,
        }  # fmt: skip
        cell = {
            "lock": name, "scenario": name, "suite": evil, "outcome": "unexpected", "trials_as_expected": 0,
            "planned": 1, "expected": {}, "why": evil, "trials": [result],
        }  # fmt: skip
        run = {
            "holdfast_run": 5, "version": evil, "started_utc": evil, "suite": evil, "server": evil, "command": evil,
            "seed": "1", "seeds": [], "seconds": 1.0, "stalls": 0, "interrupted": False, "stopped": "", "exit_code": 1,
            "sentence": evil, "locks": [name], "scenarios": [name], "cells": [cell], "faults": [],
            "not_tried": [],
        }  # fmt: skip
        (folder / "verdict.json").write_text(json.dumps(run))
        self.look_at(folder)
        environment = {**os.environ, "GITHUB_ACTIONS": "true"}
        answer = self.call(PROGRAM, "report", folder, env=environment)
        self.assertEqual(answer.returncode, 1)
        for line in answer.stdout.splitlines():
            self.assertFalse(line.strip().startswith("::") or "##[" in line, line[:200])
        self.assertEqual(len([line for line in answer.stderr.splitlines() if line.strip().startswith("::")]), 1)
        for name in ("html", "junit", "markdown", "json", "trace"):
            printed = self.call(PROGRAM, "report", folder, "--format", name, env=environment).stdout
            for line in printed.splitlines():
                self.assertFalse(line.strip().startswith("::") or "##[" in line, f"{name}: {line[:200]}")
        (folder / "verdict.json").write_text(json.dumps({**run, "command": "reboot run x;reboot"}))
        typed = self.call(PROGRAM, "report", folder, env={**os.environ, "HOLDFAST_COMMAND": "/tmp/a;reboot/run"})
        self.assertIn("rerun: '/tmp/a;reboot/run' run 'x;reboot'", typed.stdout)

    def test_message_cannot_imitate_a_verdict_line(self):
        folder = self.folder / "told"
        folder.mkdir()
        (folder / "verdict.json").write_text(json.dumps({"holdfast_run": "x\nPASS  70 of 70 cells as expected"}))
        gone = self.call(PROGRAM, "report", f"{folder}\nPASS  70 of 70 cells as expected")
        for answer in (gone, self.call(PROGRAM, "report", folder)):
            self.assertEqual(answer.returncode, 2, self.shown)
            self.assertNotRegex(answer.stderr + answer.stdout, "(?m)^PASS")

    def test_mistakes_are_named(self):
        for arguments in (
            ("--format", "pdf"), ("--out", "x"), ("--format", "trace", "--cell", "a/b"),
            ("--format", "junit", "--cell", "a/b"),
        ):  # fmt: skip
            folder = self.folder / "empty"
            folder.mkdir(exist_ok=True)
            (folder / "verdict.json").write_text(self.call(PROGRAM, "list", "--json").stdout)
            self.assertEqual(self.call(PROGRAM, "report", folder, *arguments).returncode, 2, self.shown)


if __name__ == "__main__":
    unittest.main()
