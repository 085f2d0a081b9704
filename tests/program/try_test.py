"""`holdfast try LOCK`: one command, one screen, on real servers."""

import json
import shutil
import unittest

import jsonschema

from program import PROGRAM, SOURCE, ProgramTest

RACY = "ip_lease"
ALWAYS_BROKEN = "upsert_lease+found_rows"
SHORT = ("--for", "60", "--seed", "1", "-q")


class Try(ProgramTest):
    def tried(self, *words):
        return self.call(PROGRAM, "try", *words, *SHORT, "--out", self.out)

    def test_mistakes_are_named(self):
        out = ("--out", self.out)
        self.refused("no lock given", PROGRAM, "try", *out)
        self.refused("did you mean 'ip_lease'", PROGRAM, "try", "ip_leas", *out)
        self.refused("--for", PROGRAM, "try", RACY, "--for", "1", *out)

    # Broken without any fault: reported once, first, with the command that shows it again.
    def test_flawed_lock_is_reported_once(self):
        answer = self.tried(RACY)
        self.assertEqual(answer.returncode, 1, self.shown)
        for words in (f"{RACY}: broken: data damaged", "data damaged under:", "what to do:", "report: ", "rerun:    "):
            self.assertIn(words, answer.stdout)
        self.assertIn("\n1. data damaged, without any fault", answer.stdout)
        self.assertEqual(answer.stdout.count("without any fault ("), 1, self.shown)
        self.assertTrue((self.latest() / "report.html").is_file())
        self.assertEqual(self.verdict()["exit_code"], 1)

    # A cell without faults shows the same as those with faults, and answers for them.
    def test_faultless_violation_needs_no_controls(self):
        self.tried(ALWAYS_BROKEN)
        cells = self.verdict()["cells"]
        found = [cause for cell in cells for trial in cell["trials"] for cause in trial["causes"]]
        by_itself = [one for one in found if one["kind"] == "algorithm" and one["faults"]]
        self.assertTrue(by_itself, self.shown)
        answered = [one for one in by_itself if one["folders"] and "control" not in one["folders"][0]]
        self.assertTrue(answered, self.shown)
        self.assertEqual({one["state"] for one in answered}, {"unconfirmed"})

    def test_search_comes_first_and_four_faults_strike_holders(self):
        answer = self.tried("fenced_lease", "--json")
        self.assertEqual(answer.returncode, 0, self.shown)
        told = json.loads(answer.stdout)
        self.assertEqual(told["grade"]["word"], "safe", self.shown)
        self.assertTrue(all(told["grade"]["granted_holders_struck"].values()), self.shown)
        self.assertIn("schedules were run", told["searched"])

    def test_try_accepts_an_adapter_folder(self):
        answer = self.tried(f"{SOURCE}/adapters/redis_token_py", "--json")
        told = json.loads(answer.stdout)
        self.assertEqual(told["grade"]["word"], "as_safe_as_a_lease", self.shown)
        self.assertEqual(answer.returncode, 0, self.shown)
        jsonschema.validate(told, json.loads((SOURCE / "docs" / "try.schema.json").read_text()))
        self.assertEqual(told["lock"], "redis_token_py")
        self.assertTrue(told["searched"].startswith("none violated"), told["searched"])
        self.assertIn("at the requests of redis-py", told["searched"])
        self.assertGreater(len(told["safe"]) + len(told["data_damaged"]), 0, self.shown)

    # Before the first trial: its cause is exact, and the steps of both clients are shown.
    def test_a_flawed_adapter_is_found_by_its_requests(self):
        folder = self.folder / "two_steps"
        shutil.copytree(SOURCE / "tests/planted/requests", folder)
        options = {"class": "ReleaseInTwoSteps", "twin": False}
        command = ["/usr/bin/python3", "./locks.py"]
        (folder / "lock.json").write_text(
            json.dumps({"name": "two_steps", "command": command, "servers": ["redis"], "options": options}))
        answer = self.tried(folder)
        self.assertEqual(answer.returncode, 1, self.shown)
        cause = "proved by explore: between release.get and release.del of one client, acquire.set of another"
        self.assertIn(cause, " ".join(answer.stdout.split()))
        self.assertIn("B acquire", answer.stdout)
        self.assertIn("DEL orders", answer.stdout)
        page = self.latest() / "report.html"
        told = ("Proved by explore: between release.get and release.del", "The schedule, step by step", "DEL orders",
                "Replay it")
        for text in told:
            self.assertIn(text, page.read_text())
        page.unlink()
        self.call(PROGRAM, "report", self.latest())
        for text in told:
            self.assertIn(text, page.read_text(), "written once more")
        replay = next(self.latest().glob("*.foreign_release.replay"))
        again = self.call(PROGRAM, "replay", replay, "--adapter", folder, "--out", self.out)
        self.assertEqual(again.returncode, 1, self.shown)
        self.assertIn("foreign_release", again.stdout)


if __name__ == "__main__":
    unittest.main()
