"""`holdfast compare` on real labs: what it prints, writes and answers; its JSON against its schemas."""

import json
import unittest

import jsonschema
from program import PROGRAM, SOURCE, ProgramTest, quick

# FLAWED grants every client at once; two trials of it run side by side with two of a lock that holds.
FLAWED, SOUND = "upsert_lease+found_rows", "insert_lease"


def validator(name):
    schema = json.loads((SOURCE / "docs" / name).read_text())
    jsonschema.Draft7Validator.check_schema(schema)
    return jsonschema.Draft7Validator(schema)


class CompareTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.cell = self.scenario("mine", quick())

    def compare(self, *arguments):
        common = ["--scenario", self.cell, "--out", self.out, "--seed", "7", "-q"]
        return self.call(PROGRAM, "compare", *arguments, *common)

    def comparison(self):
        return json.loads((self.latest() / "compare.json").read_text())

    def counts(self, everything, variant, name):
        cell = next(c for c in everything["cells"] if c["variant"] == variant)
        return next(s for s in cell["safety"] if s["property"] == name)


class Compare(CompareTest):
    def test_two_locks_compared_with_a_baseline(self):
        answer = self.compare(SOUND, FLAWED, "--jobs", "2")
        self.assertEqual(answer.returncode, 0, self.shown)
        self.assertIn("scenarios/mine", answer.stdout)
        everything = self.comparison()
        validator("compare.schema.json").validate(everything)
        self.assertEqual(self.counts(everything, FLAWED, "lease_exclusion")["violated"], 1, self.shown)
        self.assertEqual(self.counts(everything, SOUND, "lease_exclusion")["violated"], 0, self.shown)
        seeds = {t["seed"] for c in everything["cells"] for t in c["trials"]}
        self.assertEqual(len(seeds), 1, "all variants make the same choices")
        for cell in everything["cells"]:
            service = cell["service"]
            self.assertGreater(service["grants"], 2)
            self.assertGreater(service["statements"], service["grants"])
            self.assertEqual(sum(cell["trials"][0]["grants_by_bin"]), service["grants"])
        page = (self.latest() / "compare.html").read_text()
        self.assertIn("resource", page)
        self.against_it(everything)

    def against_it(self, everything):
        """The same again is nothing new; against a past in which the flawed lock held, it is."""
        old = self.folder / "old.json"
        old.write_text(json.dumps(everything))
        answer = self.compare(FLAWED, "--baseline", old)
        self.assertEqual(answer.returncode, 0, self.shown)
        self.assertIn("NOTHING NEW", answer.stdout)
        self.assertIn("still", answer.stdout)
        for cell in everything["cells"]:
            for count in cell["safety"]:
                count["judged"], count["violated"] = max(1, count["judged"]), 0
        old.write_text(json.dumps(everything))
        answer = self.compare(FLAWED, "--baseline", old, "--json")
        self.assertEqual(answer.returncode, 1, self.shown)
        printed = json.loads(answer.stdout)
        validator("compare.schema.json").validate(printed)
        self.assertIn("new", {c["change"] for c in printed["changes"]})

    def test_set_compares_settings_of_one_lock(self):
        answer = self.compare(SOUND, "--set", "load.lease_ms=400,1000", "--jobs", "2")
        self.assertEqual(answer.returncode, 0, self.shown)
        names = [v["name"] for v in self.comparison()["variants"]]
        self.assertEqual(names, [f"{SOUND} lease_ms=400", f"{SOUND} lease_ms=1000"])
        plans = {json.loads(p.read_text())["lease_ms"] for p in self.latest().glob("V*/cells/*/*/*/*/plan.json")}
        self.assertEqual(plans, {400, 1000}, "the trials really ran with them")

    def test_inactive_fault_is_an_error(self):
        self.cell = self.scenario("pause", quick(faults=[{"fault": "pause", "at": {"time_ms": 300}, "for_ms": 200}]))
        answer = self.compare(SOUND, "--sabotage", "act")
        self.assertEqual(answer.returncode, 5, self.shown)
        self.assertIn("trials failed", answer.stdout)

    def test_mistakes_are_named(self):
        for arguments, text in (
            (["insert_leese"], "did you mean 'insert_lease'"),
            ([SOUND, "--set", "lease_ms=soon"], "--set lease_ms=soon"),
            ([SOUND, "--scenario", "nowhere"], "nowhere: no such folder or scenario"),
            ([SOUND, "--baseline", self.cell], "mine.json"),
            ([SOUND, "--envelope", "puase"], "did you mean 'pause'"),
            ([SOUND, "--envelope", "reply_lost"], "pause.for_ms"),
            ([SOUND, "--property", "resource"], "--envelope"),
            ([SOUND, "--server", "mysqld=/nowhere"], "/nowhere"),
            ([SOUND, "--target", "oracle://app@host/app"], "neither mysql://"),
        ):
            answer = self.compare(*arguments)
            self.assertEqual(answer.returncode, 2, self.shown)
            self.assertIn(text, answer.stderr)


class Envelope(CompareTest):
    def envelope(self, lock, *arguments):
        common = ["--lease", "800", "--most", "1600", "--step", "400", "--repeat", "1", "--jobs", "6"]
        return self.call(
            PROGRAM, "compare", lock, "--envelope", "pause", *common, *arguments, "--out", self.out, "--seed", "7", "-q"
        )

    def test_envelope_of_a_lease_is_its_length(self):
        answer = self.envelope("fenced_lease")
        found = json.loads((self.latest() / "envelope.json").read_text())
        validator("envelope.schema.json").validate(found)
        one = found["envelopes"][0]
        self.assertGreaterEqual(one["holds_at"], 400, self.shown)
        self.assertIn(one["violated_at"], (800, 1200), self.shown)
        self.assertEqual(one["violated_at"] - one["holds_at"], 400, "as finely as was asked for")
        self.assertEqual(answer.returncode, 0, self.shown)
        self.assertIn("overrun)", answer.stdout)
        self.assertIn("both acted as holder", answer.stdout, "the reason in words")
        page = (self.latest() / "envelope.html").read_text()
        self.assertIn('class="envelope-broken"', page)
        self.assertIn("fenced_lease under pause: safe up to", page)

    def test_refused_stale_writes_do_not_violate_resource(self):
        answer = self.envelope("fenced_lease", "--property", "resource", "--json")
        one = json.loads(answer.stdout)["envelopes"][0]
        self.assertEqual((one["holds_at"], one["violated_at"]), (1600, None), self.shown)


if __name__ == "__main__":
    unittest.main()
