"""Locks in other languages, from outside: begin one, check it, run it; every mistake of one is an error of the harness
that says what to do; nothing of one is left over, and nothing that a run's folder names is ever executed."""

import hashlib
import json
import os
import subprocess
import unittest
import uuid

from own_adapters import ANSWERS, SHORT, AdapterTest
from program import PROGRAM, kill, processes, quick, wait_until

LANGUAGES = {
    "go": "main.go",
    "java": "Lock.java",
    "node": "lock.js",
    "python": "lock.py",
    "shell": "lock.sh",
}
BROKEN = {  # the text in place of ANSWERS, the words of the message, and changes to lock.json
    "dies_at_start": (
        '        print("no such library", file=sys.stderr)\n        sys.exit(3)\n',
        ["exited with code 3", "no such library"],
        {},
    ),
    "dies_in_the_middle": (
        ANSWERS + '        if ask["n"] == 9:\n            sys.exit(print("out of memory", file=sys.stderr) or 4)\n',
        ["exited with code 4", "out of memory"],
        {},
    ),
    "prints_junk": (
        '        print("connected", file=answers, flush=True)\n' + ANSWERS,
        ["the line: connected"],
        {},
    ),
    "answers_twice": (
        ANSWERS + '        if ask["do"] == "acquire":\n    ' + ANSWERS,
        ["twice", '"n":'],
        {},
    ),
    "never_gets_ready": (
        '        print("waiting for a licence", file=sys.stderr)\n        time.sleep(3600)\n',
        ["no answer to hello", "waiting for a licence"],
        {"start_ms": 4000},
    ),
}


class New(AdapterTest):
    def test_new_adapter_passes_check_and_run(self):
        folder = self.made()
        answer = self.call(PROGRAM, "adapter", "check", folder)
        self.assertEqual(answer.returncode, 0, self.shown)
        self.assertRegex(answer.stdout, r"\nOK  0 of \d+ rules wrong, \d+ skipped\n$")
        self.assertEqual(self.run_tiny(folder).returncode, 0, self.shown)
        self.assertEqual(self.outcomes(), {"my_lock/tiny": "as_expected"})
        self.assertIn("--adapter", self.verdict()["command"])
        self.nothing_left()

    def test_usage_mistakes_are_refused(self):
        self.made()
        self.refused(["my_lock: already exists", "remedy"], PROGRAM, "adapter", "new", "python", "my_lock")
        self.refused(["'cobol'", *LANGUAGES], PROGRAM, "adapter", "new", "cobol", "second")
        self.refused("is not a valid lock name", PROGRAM, "adapter", "new", "python", "My-Lock")
        self.refused("the name of a built-in lock", PROGRAM, "adapter", "new", "python", "insert_lease")
        self.refused("my_luck", PROGRAM, "adapter", "check", "my_luck")
        scenario = self.tiny()
        self.refused(["my_lock", "unknown lock"], *self.run_command(scenario))
        self.refused("first", *self.run_command(scenario, "--adapter-command", "first=no_such_program"))
        self.refused("oracle", *self.run_command(scenario, "--adapter-command", "my_lock@oracle=true"))

    def test_adapter_new_writes_each_languages_files(self):
        for language, file in LANGUAGES.items():
            folder = self.made("in_" + language, language)
            for name in (file, "lock.json", "lock.md", "README.md"):
                text = (folder / name).read_text()
                self.assertNotIn("@NAME@", text, name)
                self.assertNotIn("@PROGRAM@", text, name)
            self.assertIn("in_" + language, (folder / file).read_text() + (folder / "lock.json").read_text())

    def test_manifest_mistake_is_one_error_with_its_line(self):
        folder = self.made()
        file = folder / "lock.json"
        good = json.loads(file.read_text())
        for key, value, told in (
            ("can", ["renews"], "'renews'"),
            ("servers", ["rediss"], "rediss"),
            ("name", "My Lock", "lower-case letters"),
            ("leese", True, "leese"),
            ("start_ms", -1, "start_ms"),
            ("waits_ms", 9, "'wait'"),
            ("promises", {"exclusive": "it says so"}, "exclusive"),
            ("command", [], "a program is missing"),
        ):
            text = json.dumps({**good, key: value}, indent=1)
            file.write_text(text)
            line = next(n for n, one in enumerate(text.splitlines(), 1) if f'"{key}"' in one)
            for command in (
                [PROGRAM, "adapter", "check", folder],
                self.run_command(self.tiny(), "--adapter", folder),
            ):
                with self.subTest(key=key, command=command[1]):
                    answer = self.call(*command)
                    self.assertEqual((answer.returncode, answer.stdout), (2, ""), self.shown)
                    self.assertRegex(answer.stderr, rf"my_lock/lock\.json:({line}|{line + 1}|{line + 2})\b")
                    for word in (key, told):
                        self.assertIn(word, answer.stderr)
                    self.assertFalse(self.out.exists())


class Commands(AdapterTest):
    def test_command_is_enough_for_a_first_try(self):
        folder = self.made()
        command = f"my_lock=/usr/bin/python3 '{folder}/lock.py' {self.word}"
        answer = self.run_suite(self.tiny(), "--adapter-command", command)
        self.assertEqual(answer.returncode, 0, self.shown)
        self.assertEqual(self.outcomes(), {"my_lock/tiny": "as_expected"})
        self.nothing_left()


class BrokenAdapter(AdapterTest):
    def broken(self, kind):
        instead, words, facts = BROKEN[kind]
        folder = self.made(kind, **facts)
        text = (folder / "lock.py").read_text()
        self.assertIn(ANSWERS, text)
        (folder / "lock.py").write_text(text.replace(ANSWERS, instead))
        return folder, words

    def is_an_error(self, kind):
        folder, words = self.broken(kind)
        answer = self.run_tiny(folder)
        self.assertEqual(answer.returncode, 5, self.shown)
        self.assertEqual(self.outcomes(), {f"{kind}/tiny": "harness_error"})
        told = self.verdict()["cells"][0]["trials"][0]["error"]
        for word in (kind, *words):
            self.assertIn(word, told)
            self.assertIn(word, answer.stdout + answer.stderr)
        self.assertIn("remedy", told)
        self.assertNotIn("violated", told)
        self.nothing_left()


class Errors(BrokenAdapter):
    def test_adapter_dies_in_the_middle(self):
        self.is_an_error("dies_in_the_middle")

    def test_killed_run_leaves_no_adapter(self):
        folder = self.made()
        scenario = self.tiny(duration_ms=60_000)
        run = subprocess.Popen(
            self.run_command(scenario, "--adapter", folder),
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=self.folder,
        )  # fmt: skip
        self.addCleanup(run.kill)
        self.assertTrue(wait_until(lambda: len(processes(f"lock.py {self.word}")) >= 3), "the adapters are not seen")
        kill(run.pid)
        run.wait()
        self.nothing_left()


class Leases(AdapterTest):
    def answering_leases(self, **facts):
        folder = self.made(**facts)
        text = (folder / "lock.py").read_text()
        shorter = '        if ask["do"] == "acquire" and said["is"] == "ok":\n            said["lease_ms"] = 777\n'
        (folder / "lock.py").write_text(text.replace(ANSWERS, shorter + ANSWERS))
        return folder

    def test_answered_lease_is_the_grants(self):
        self.assertEqual(self.run_tiny(self.answering_leases()).returncode, 0, self.shown)
        history = (self.latest() / "cells/my_lock/tiny/1/history.jsonl").read_text().splitlines()
        leases = {e["lease_ms"] for e in map(json.loads, history) if e.get("f") == "acquire" and e["type"] == "ok"}
        self.assertEqual(leases, {777})

    def test_answered_lease_of_a_leaseless_lock_is_an_error(self):
        folder = self.answering_leases(lease=False)
        self.assertEqual(self.run_tiny(folder).returncode, 5, self.shown)
        self.assertIn("it answers lease_ms 777", self.verdict()["cells"][0]["trials"][0]["error"])
        self.assertEqual(self.call(PROGRAM, "adapter", "check", folder).returncode, 1, self.shown)
        self.nothing_left()


class MoreErrors(BrokenAdapter):
    def test_adapter_dies_at_start(self):
        self.is_an_error("dies_at_start")

    def test_adapter_prints_junk(self):
        self.is_an_error("prints_junk")

    def test_adapter_answers_twice(self):
        self.is_an_error("answers_twice")

    def test_adapter_never_gets_ready(self):
        self.is_an_error("never_gets_ready")

    def test_adapter_check_finds_broken_adapters(self):
        for kind in BROKEN:
            folder, words = self.broken(kind)
            answer = self.call(PROGRAM, "adapter", "check", folder)
            self.assertEqual(answer.returncode, 1, self.shown)
            self.assertIn("WRONG", answer.stdout)
            self.assertRegex(answer.stdout, r"\n +what happened: .*\n +expected: ", "each on a line of its own")
            self.assertIn(words[-1], answer.stdout)
        self.nothing_left()

    def test_missing_adapter_program(self):
        for facts in ({"command": ["./no_such_program"]}, {"paths": ["vendor"]}, {"command": ["no_such_program"]}):
            with self.subTest(facts=facts):
                folder = self.made("gone_" + uuid.uuid4().hex[:6], install="install --it", **facts)
                answer = self.run_tiny(folder)
                self.assertEqual(answer.returncode, 5, self.shown)
                self.assertEqual(set(self.outcomes().values()), {"harness_error"})
                for word in (folder.name, "remedy: install --it"):
                    self.assertIn(word, answer.stdout + answer.stderr)


class Beginnings(AdapterTest):
    """Errors that stop an adapter before its first answer name a remedy."""

    def test_closed_folder_beside_a_lock_of_holdfasts_own(self):
        """As below /root: the user nobody cannot enter it, so its lab runs as root, and the other lab need not."""
        folder = self.made()
        folder.chmod(0o700)
        scenario = self.scenario("tiny", quick(locks=["redis_token", "my_lock"], **SHORT))
        self.assertEqual(self.run_suite(scenario, "--adapter", folder, "--jobs", "1").returncode, 0, self.shown)
        self.assertEqual(set(self.outcomes().values()), {"as_expected"}, self.shown)

    def test_program_outside_the_labs_reach(self):
        folder = self.made(install="install --it")
        closed = self.folder / "closed"
        closed.mkdir()
        (closed / "python3").symlink_to("/usr/bin/python3")
        (folder / "venv").mkdir()
        (folder / "venv/python3").symlink_to(closed / "python3")
        self.changed(folder, command=["./venv/python3", "./lock.py", self.word])
        self.assertEqual(self.call(PROGRAM, "adapter", "check", folder).returncode, 0, self.shown)
        closed.chmod(0o700 if os.geteuid() == 0 else 0)
        self.addCleanup(closed.chmod, 0o700)
        answer = self.call(PROGRAM, "adapter", "check", folder)
        self.assertEqual(answer.returncode, 4, self.shown)
        for word in (f"is a link to {closed}/python3", f"the folder {closed} is closed to it", "remedy: install it"):
            self.assertIn(word, answer.stderr)
        self.assertNotIn("see above", answer.stderr)
        self.assertNotIn("is missing", answer.stderr)
        (folder / "venv/python3").unlink()
        (folder / "venv/python3").symlink_to("/no/such/python3")
        answer = self.call(PROGRAM, "adapter", "check", folder)
        self.assertEqual(answer.returncode, 4, self.shown)
        self.assertIn("is a link to /no/such/python3, which is missing; remedy: install --it", answer.stderr)

    def test_mistake_in_lock_texts_is_reported_before_the_run(self):
        folder = self.made()
        (folder / "lock.md").write_text("# another\n\na lock\n")
        told = ["my_lock/lock.md:1", "the title is not the lock's name", "'# my_lock'"]
        self.refused(told, *self.run_command(self.tiny(), "--adapter", folder))
        self.refused(told, PROGRAM, "adapter", "check", folder)

    def test_two_manifests_in_a_folder_have_separate_texts(self):
        folder = self.made()
        manifest = json.loads((folder / "lock.json").read_text())
        (folder / "auto.json").write_text(json.dumps({**manifest, "name": "auto"}))
        both = ("--adapter", folder / "lock.json", "--adapter", folder / "auto.json")
        answer = self.call(PROGRAM, "plan", self.tiny(lock="auto"), *both)
        self.assertEqual(answer.returncode, 0, self.shown)
        (folder / "auto.md").write_text("# my_lock\n\nthe other one\n")
        self.refused(["auto.md:1", "'# auto'"], PROGRAM, "plan", self.tiny(lock="auto"), *both)


class Again(AdapterTest):
    """A run folder's adapter command is compared, and never executed."""

    def setUp(self):
        super().setUp()
        self.adapter = self.made()
        self.assertEqual(self.run_tiny(self.adapter).returncode, 0, self.shown)
        self.run_folder = self.latest()
        other = self.folder / "other"
        other.mkdir()
        manifest = json.loads((self.adapter / "lock.json").read_text())
        (other / "lock.py").write_text((self.adapter / "lock.py").read_text())
        (other / "lock.json").write_text(json.dumps({**manifest, "fenced": True}))
        self.other = other

    def replay(self, *more):
        return self.call(PROGRAM, "replay", self.run_folder, "my_lock/tiny", "--out", self.folder / "again", *more)

    def resume(self, *more):
        return self.call(PROGRAM, "run", "--resume", self.run_folder, *more)

    def cut_off(self):
        """As a run is whose last trial did not end."""
        (self.run_folder / "verdict.json").unlink()
        for file in (self.run_folder / "cells/my_lock/tiny/1").glob("result.json"):
            file.unlink()

    def test_replay(self):
        answer = self.replay()
        self.assertEqual(answer.returncode, 2, self.shown)
        self.assertIn("unknown lock 'my_lock'", answer.stderr)
        self.assertIn("remedy: use a name from holdfast list locks, or add --adapter FILE", answer.stderr)
        answer = self.replay("--adapter", self.other)
        self.assertEqual(answer.returncode, 2, self.shown)
        for word in ("a different adapter", "my_lock", "--adapter FILE"):
            self.assertIn(word, answer.stderr)
        self.assertFalse((self.folder / "again").exists())
        self.assertEqual(self.replay("--adapter", self.adapter).returncode, 0, self.shown)
        self.nothing_left()

    def test_resume(self):
        self.cut_off()
        answer = self.resume()
        self.assertEqual(answer.returncode, 2, self.shown)
        self.assertIn("remedy: use a name from holdfast list locks, or add --adapter FILE", answer.stderr)
        answer = self.resume("--adapter", self.other)
        self.assertEqual(answer.returncode, 2, self.shown)
        for word in ("my_lock", "lock.json", "remedy"):
            self.assertIn(word, answer.stderr)
        self.assertEqual(self.resume("--adapter", self.adapter).returncode, 0, self.shown)
        self.nothing_left()

    def test_planted_command_is_never_executed(self):
        witness = self.folder / "witness"
        planted = ["/usr/bin/python3", "-c", f"open({str(witness)!r}, 'w')"]
        trial = self.run_folder / "cells/my_lock/tiny/1"
        self.plant(self.run_folder / "run.json", lambda run: run["adapters"][0], "manifest", planted)
        self.plant(trial / "plan.json", lambda plan: plan, "adapter", planted)
        result = json.loads((trial / "result.json").read_text())
        self.assertIn("plan.json", result["sums"])
        for algorithm in ("sha256", "sha1", "md5"):
            if len(result["sums"]["plan.json"]) == hashlib.new(algorithm).digest_size * 2:
                result["sums"]["plan.json"] = hashlib.new(algorithm, (trial / "plan.json").read_bytes()).hexdigest()
        (trial / "result.json").write_text(json.dumps(result))
        for more in ((), ("--adapter", self.adapter), ("--adapter", self.other)):
            self.assertEqual(self.replay(*more).returncode, 2, self.shown)
            self.call(PROGRAM, "report", self.run_folder)
            self.call(PROGRAM, "check", trial / "history.jsonl")
        self.cut_off()
        for more in ((), ("--adapter", self.adapter), ("--adapter", self.other)):
            self.assertEqual(self.resume(*more).returncode, 2, self.shown)
        self.assertFalse(witness.exists(), "a stored command was executed")

    def plant(self, file, holder, key, command):
        content = json.loads(file.read_text())
        manifest = json.loads(holder(content)[key])
        self.assertEqual(manifest["name"], "my_lock")
        holder(content)[key] = json.dumps({**manifest, "command": command})
        file.write_text(json.dumps(content))


class Pause(AdapterTest):
    def test_stopped_holder_overruns_in_every_language(self):
        locks = ["redis_token", "redis_token_py"]
        pause = {"fault": "pause", "target": "holder", "at": {"phase": "critical_section"}, "for_ms": 3000}
        content = {
            "locks": locks,
            "clients": 3,
            "lease_ms": 1000,
            "hold_ms": [50, 150],
            "poll_ms": 50,
            "duration_ms": 5500,
            "faults": [pause],
            "expect": {"*": {"mutual_exclusion": "violated:overrun", "resource": "violated:overrun"}},
            "why": {"*": "no lease survives a stop that is longer than itself"},
        }
        answer = self.run_suite(self.scenario("pause", content))
        self.assertEqual(answer.returncode, 0, self.shown)
        self.assertEqual(self.outcomes(), {f"{lock}/pause": "caught" for lock in locks})
        for lock in locks:
            verdict = json.loads((self.latest() / f"cells/{lock}/pause/1/verdict.json").read_text())
            found = {one["property"]: one for one in verdict["properties"]}
            self.assertEqual(found["mutual_exclusion"]["judgement"], "violated", lock)
            self.assertEqual(set(found["mutual_exclusion"]["kinds"]), {"overrun"}, lock)


if __name__ == "__main__":
    unittest.main()
