"""`holdfast check` of spans of OpenTelemetry: recorded ones of real programs, ones that are still written, and those of
the SDK for Python itself. traced/*.jsonl were written by traced/worker.py, three processes each, with version 1.45.2.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
import unittest

import needs
from program import PROGRAM, SOURCE, ProgramTest, wait_until

TRACED = SOURCE / "tests/program/traced"
SDK = ["opentelemetry-sdk==1.45.2", "opentelemetry-exporter-otlp-json-file==0.66b1"]


def attributes(values):
    return [{"key": key, "value": {"stringValue": value}} for key, value in values.items()]


class Traced(ProgramTest):
    def verdict(self, *more, code):
        answer = self.call(PROGRAM, "check", *more, "--json")
        self.assertEqual(answer.returncode, code, self.shown)
        return json.loads(answer.stdout)

    def kinds(self, verdict):
        return {p["property"]: p["judgement"] for p in verdict["properties"]}

    def test_recorded_traces_are_judged(self):
        sound = self.verdict(TRACED / "sound_lock.jsonl", code=0)
        self.assertEqual(self.kinds(sound)["mutual_exclusion"], "holds")
        self.assertGreater(sound["measures"]["grants"], 10)
        self.assertTrue(any("times of day" in warning for warning in sound["warnings"]))
        broken = self.verdict(TRACED / "broken_lock.jsonl", code=1)
        self.assertEqual(self.kinds(broken)["mutual_exclusion"], "violated")
        witness = next(p for p in broken["properties"] if p["property"] == "mutual_exclusion")["witnesses"][0]["text"]
        self.assertRegex(witness, "From .* both acted as holder")

    def test_overlap_counts_only_beyond_the_clock_error(self):
        self.verdict(TRACED / "broken_lock.jsonl", "--clock-error", "1us", code=1)
        within = self.verdict(TRACED / "broken_lock.jsonl", "--clock-error", "1s", code=3)  # all holds are shorter
        self.assertNotIn("violated", self.kinds(within).values())
        self.assertTrue(any("only holds longer than 1000 ms" in warning for warning in within["warnings"]))
        self.assertFalse(any("times of day" in warning for warning in within["warnings"]))
        self.assertEqual(self.verdict(TRACED / "sound_lock.jsonl", "--clock-error", "1ms", code=0)["verdict"], "holds")

    def test_mapping_names_spans_and_attributes(self):
        spans = []
        for holder, at in (("a", 0), ("b", 1)):
            begin = time.time_ns() + at * 1_000_000
            more = {"attributes": attributes({"cache.key": "orders", "worker": holder})}
            spans.append({"name": "SETNX", "startTimeUnixNano": str(begin), "endTimeUnixNano": str(begin + 9), **more})
        trace = self.folder / "spans.jsonl"
        trace.write_text(json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]}) + "\n")
        self.refused("has no span of a lock among 2 spans, named SETNX", PROGRAM, "check", trace)
        mapping = self.folder / "mapping.json"
        mapping.write_text('{"acquire": [{"name": "SETNX"}], "key": ["cache.key"], "holder": [["worker"]]}')
        self.verdict(trace, "--otlp-mapping", mapping, code=1)
        mapping.write_text('{"acquire": "SETNX"}')
        self.refused("mapping.json:1: acquire: expected a list", PROGRAM, "check", trace, "--otlp-mapping", mapping)
        self.refused("none.json", PROGRAM, "check", trace, "--otlp-mapping", self.folder / "none.json")

    def test_schema_is_that_of_the_program(self):
        schema = json.loads(self.call(PROGRAM, "schema", "otlp_mapping").stdout)
        self.assertEqual(schema, json.loads((SOURCE / "docs/otlp_mapping.schema.json").read_text()))

    def test_mistaken_clock_errors_are_refused(self):
        trace = TRACED / "sound_lock.jsonl"
        self.refused("--clock-error 5: not a time up to 60s", PROGRAM, "check", trace, "--clock-error", "5")
        wrong = ("--clock-error", "5ms", "--model", "lease")
        self.refused("--clock-error does not judge by model lease", PROGRAM, "check", trace, *wrong)


class FollowTraces(ProgramTest):
    """Spans that a collector is still writing: in batches, each when it has ended."""

    def write(self, holder, *spans):
        """spans: (name, begin, end), in nanoseconds since 1970."""
        listed = [
            {
                "name": f"lock.{name}",
                "spanId": f"{holder}{begin}",
                "startTimeUnixNano": str(begin),
                "endTimeUnixNano": str(end),
                "attributes": attributes({"lock.key": "orders", "lock.holder": holder}),
            }
            for name, begin, end in spans
        ]
        with (self.folder / "spans.jsonl").open("a") as log:
            log.write(json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": listed}]}]}) + "\n")

    def follow(self, *more):
        (self.folder / "spans.jsonl").touch()
        command = [PROGRAM, "check", "--follow", self.folder / "spans.jsonl", *more]
        followed = subprocess.Popen(
            [*map(str, command)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.addCleanup(followed.kill)
        wait_until(lambda: "following" in followed.stderr.readline(), 60)
        return followed

    def test_second_grant_is_told_though_it_was_written_first(self):
        followed = self.follow("--delay", "2s")
        now = time.time_ns()
        self.write("b", ("acquire", now - 500_000_000, now))
        self.write("a", ("acquire", now - 900_000_000, now - 800_000_000))
        told, complaint = followed.communicate(timeout=60)
        self.assertEqual(followed.returncode, 1, told + complaint)
        self.assertIn("mutual_exclusion  violated:algorithm", told)

    def test_span_later_than_the_delay_is_refused(self):
        followed = self.follow("--delay", "1s")
        now = time.time_ns()
        self.write("a", ("acquire", now - 10_000_000, now))
        time.sleep(3)
        self.write("b", ("acquire", now - 20_000_000, now - 15_000_000))
        told, complaint = followed.communicate(timeout=60)
        self.assertEqual(followed.returncode, 2, told + complaint)
        self.assertIn("remedy: a longer --delay", complaint)


class RealSdk(ProgramTest):
    """Programs traced by the SDK of OpenTelemetry for Python, followed while they run."""

    @classmethod
    def setUpClass(cls):
        needs.registry("PyPI")
        cls.packages = tempfile.TemporaryDirectory(prefix="holdfast-sdk-", ignore_cleanup_errors=True)
        cls.addClassCleanup(cls.packages.cleanup)
        why = needs.complaint([*needs.PIP.split(), "install", "-q", "--target", cls.packages.name, *SDK])
        if why:
            raise unittest.SkipTest(f"needs the SDK of OpenTelemetry from PyPI: {why}")

    def followed(self, kind, rounds):
        logs = self.folder / kind
        logs.mkdir()
        command = [PROGRAM, "check", "--follow", logs, "--delay", "4s", "--json", "--for", "12s"]
        judge = subprocess.Popen([*map(str, command)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(judge.kill)
        environment = {**os.environ, "PYTHONPATH": self.packages.name}
        worker = [sys.executable, "-B", TRACED / "worker.py", logs, kind, str(rounds)]
        workers = [subprocess.Popen([*map(str, worker), name], env=environment) for name in "abc"]
        for one in workers:
            self.assertEqual(one.wait(timeout=120), 0)
        told, complaint = judge.communicate(timeout=120)
        verdict = json.loads(told) if told else complaint
        return judge.returncode, verdict

    def test_sound_lock_holds(self):
        code, verdict = self.followed("sound", 30)
        self.assertEqual(code, 0, verdict)
        self.assertGreater(verdict["measures"]["grants"], 10)

    def test_broken_lock_is_found(self):
        code, verdict = self.followed("broken", 60)
        self.assertEqual(code, 1, verdict)


if __name__ == "__main__":
    unittest.main()
