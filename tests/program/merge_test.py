"""`holdfast check --merge`: logs of several processes, in the forms in which programs write them, as one history."""

import datetime
import json
import unittest

from program import PROGRAM, SOURCE, ProgramTest

START = datetime.datetime(2026, 11, 24, 22, 0, tzinfo=datetime.timezone.utc)
FORMS = {
    "nanoseconds": lambda ms: ms * 1_000_000,
    "seconds": lambda ms: 1_000.0 + ms / 1000,
    "iso": lambda ms: (START + datetime.timedelta(milliseconds=ms)).isoformat(),
    "iso_z": lambda ms: (START + datetime.timedelta(milliseconds=ms)).strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
}


class Merge(ProgramTest):
    def log(self, name, form, process, *moments, array=False):
        """moments: (milliseconds, type, f, more)."""
        events = [
            {"time": FORMS[form](ms), "process": process, "type": kind, "f": f, **more} for ms, kind, f, more in moments
        ]
        path = self.folder / name
        path.write_text(json.dumps(events, indent=1) if array else "".join(json.dumps(e) + "\n" for e in events))
        return path

    def pair(self, form, second_from, **more):
        """One holds from 10 to 50 ms, the other from `second_from` on."""
        at = second_from
        first = [(0, "invoke", "acquire", {}), (10, "ok", "acquire", more)]
        first += [(50, "invoke", "release", {}), (60, "ok", "release", {})]
        second = [(at - 5, "invoke", "acquire", {}), (at, "ok", "acquire", more)]
        second += [(at + 50, "invoke", "release", {}), (at + 60, "ok", "release", {})]
        return self.log("a.jsonl", form, "a", *first), self.log("b.json", form, "b", *second, array=True)

    def test_overlap_is_seen_only_in_merged_logs(self):
        for form in FORMS:
            for second_from, code in ((30, 1), (90, 0)):
                with self.subTest(form=form, second_from=second_from):
                    logs = self.pair(form, second_from)
                    apart = self.call(PROGRAM, "check", *logs)
                    self.assertEqual(apart.returncode, 0, self.shown)
                    self.assertIn("To judge logs of one run as one history, add --merge", apart.stdout)
                    together = self.call(PROGRAM, "check", *logs, "--merge")
                    self.assertEqual(together.returncode, code, self.shown)
                    self.assertIn("a.jsonl and 1 more: " + ["holds", "violated"][code], together.stdout)

    def test_export_matches_the_judged_history(self):
        logs = self.pair("iso", 30)
        merged = self.folder / "merged.jsonl"
        merged.write_text(self.call(PROGRAM, "check", *logs, "--merge", "--export", "jsonl").stdout)
        times = [json.loads(line)["time"] for line in merged.read_text().splitlines()]
        self.assertEqual((len(times), times), (8, sorted(times)))
        both = [
            json.loads(self.call(PROGRAM, "check", *files, "--json").stdout) for files in ([merged], [*logs, "--merge"])
        ]
        self.assertEqual(both[0]["properties"], both[1]["properties"])
        self.refused("remedy: add --merge if they are logs of one run", PROGRAM, "check", *logs, "--export", "jsonl")

    def test_merge_warnings(self):
        logs = self.pair("iso", 90, token=5, lease_ms=1000)
        said = self.call(PROGRAM, "check", *logs, "--merge").stdout
        self.assertIn("warning: the logs are merged by times of day", said)
        self.assertIn("2 grants have a token; model owner does not judge tokens, --model fenced would", said)
        self.assertIn("2 grants have a lease; model owner does not judge leases, --model lease would", said)
        kinds = ("invoke", "fail")
        long = [(ms, kinds[ms // 100 % 2], "acquire", {"reason": "busy"}) for ms in range(0, 60_000, 100)]
        ends = self.log("long.jsonl", "nanoseconds", "c", *long)
        cut = self.log("cut.jsonl", "nanoseconds", "d", (5, "invoke", "acquire", {}), (9, "ok", "acquire", {}))
        answer = self.call(PROGRAM, "check", ends, cut, "--merge")
        self.assertIn("cut.jsonl: ends 59.891 s before the last event of all", answer.stdout)
        self.assertIn("process d held the lock from #2 on and has no line in the last 59.891 s", answer.stdout)
        (verdict,) = map(json.loads, self.call(PROGRAM, "check", ends, cut, "--merge", "--json").stdout.splitlines())
        self.assertEqual(len(verdict["warnings"]), 2)

    def test_merge_mistakes_are_refused(self):
        first, second = self.pair("iso", 90)
        other = self.log("other.jsonl", "nanoseconds", "c", (0, "info", "leave", {}))
        self.refused("its times are in nanoseconds", PROGRAM, "check", first, other, "--merge")
        self.refused("is given twice", PROGRAM, "check", first, first, "--merge")
        again = self.log("again.jsonl", "iso", "a", (20, "info", "leave", {}))
        self.refused("process a is also in ", PROGRAM, "check", first, again, "--merge")
        run = SOURCE / "tests/histories/by_hand.late_write.jsonl"
        self.refused("is the complete history of a run", PROGRAM, "check", run, first, "--merge")
        scenario = SOURCE / "scenarios/quick/none.json"
        for merge in ([], ["--merge"]):
            words = f"is a scenario, not a history; remedy: holdfast run {scenario}"
            self.refused(words, PROGRAM, "check", scenario, *merge)
        self.refused("for scenarios, holdfast run ", PROGRAM, "check", scenario.parent)
        self.refused("is a folder of logs; remedy: holdfast check", PROGRAM, "check", self.folder)
        self.assertEqual(self.call(PROGRAM, "check", second).returncode, 0, "an array is a history")


if __name__ == "__main__":
    unittest.main()
