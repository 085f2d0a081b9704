"""`holdfast check` on histories of any origin: what it says, in every form, and what it refuses."""

import json
import os
import signal
import subprocess
import time
import unittest

import needs
from program import PROGRAM, SOURCE, ProgramTest, quick, wait_until

SOON_S = 20 * int(os.environ.get("HOLDFAST_TIME_FACTOR", "1"))


class Check(ProgramTest):
    def history(self, name, *lines):
        path = self.folder / name
        path.write_text("".join(line + "\n" for line in lines))
        return path

    def test_histories(self):
        asks = '{"time":0,"process":1,"type":"invoke","f":"acquire"}'
        good = self.history("good.jsonl", asks, '{"time":1,"process":1,"type":"ok","f":"acquire"}')
        twice = self.history("twice.jsonl", asks, '{"time":1,"process":1,"time":2,"type":"ok","f":"acquire"}')
        self.refused(f"{twice}:2: time: duplicate key", PROGRAM, "check", twice)
        models = "fenced, leader, lease, owner, plain, read_write, reentrant, semaphore"
        self.refused(f"unknown model 'none'; known: {models}", PROGRAM, "check", good, "--model", "none")
        self.refused("unknown model 'leese' (did you mean 'lease'?)", PROGRAM, "check", good, "--model", "leese")
        self.refused("--model: the value is empty; remedy: give a value", PROGRAM, "check", good, "--model", "")
        words = f"{good}:2: a grant without lease_ms; model lease needs one"
        self.refused(words, PROGRAM, "check", good, "--model", "lease")
        header = self.history("header.jsonl", '{"holdfast_history":3,"model":"plane"}', asks)
        self.refused(f"{header}:1: unknown model 'plane' (did you mean 'plain'?)", PROGRAM, "check", header)
        stored = (SOURCE / "tests/histories/by_hand.late_write.jsonl").read_text().splitlines()
        cut = self.history("cut.jsonl", *stored[:-1])
        self.refused(f"{cut}:{len(stored) - 1}: the history was cut off", PROGRAM, "check", cut)
        missing = self.history("missing.jsonl", *stored[:-2], stored[-1])
        self.refused(f"{missing}:{len(stored) - 1}: the end record counts", PROGRAM, "check", missing)
        old = self.history("old.jsonl", stored[0].replace('"holdfast_history":3', '"holdfast_history":1'), *stored[1:])
        self.refused(f"{old}:1: holdfast_history: form 1 was written by an older holdfast", PROGRAM, "check", old)
        edn = self.history("cut.edn", "{:type :invoke, :f :acquire, :process 0}", "{:type :ok, :f :acquire")
        self.refused(f"{edn}:3: not EDN: it ends inside a form", PROGRAM, "check", edn)
        self.refused("--export takes one history, but 2 were given", PROGRAM, "check", good, good, "--export", "edn")
        self.refused("--export", PROGRAM, "check", good, "--export", "xml")
        header.write_text('{"holdfast_history":3,"promises":["fencin"]}\n')
        self.refused(f"{header}:1: unknown property 'fencin' (did you mean 'fencing'?)", PROGRAM, "check", header)

    def test_a_history_in_other_forms(self):
        """Exported and read again it is judged as before; and --first knows of a violation, too."""
        stored = SOURCE / "tests" / "histories"
        for name, model, code in [("plain_anyone_releases", "plain", 0), ("three_leases", "lease", 1)]:
            file = stored / f"by_hand.{name}.jsonl"
            for form in ("edn", "jsonl"):
                again = self.folder / f"again.{form}"
                again.write_text(self.call(PROGRAM, "check", file, "--export", form).stdout)
                answer = self.call(PROGRAM, "check", again, "--model", model, "--json")
                self.assertEqual(answer.returncode, code, self.shown)
                said = json.loads(answer.stdout)
                self.assertEqual(said["verdict"], ["holds", "violated"][code])
                self.assertLessEqual({"property", "verdict", "witnesses", "coverage"}, set(said["properties"][0]))
            answer = self.call(PROGRAM, "check", file, "--model", model, "--first")
            self.assertEqual(answer.returncode, code, self.shown)

    def test_first_violation_leaves_the_rest_open(self):
        file = SOURCE / "tests" / "histories" / "ip_lease.calm.jsonl"
        whole, first = (
            json.loads(self.call(PROGRAM, "check", file, "--json", *more).stdout)["properties"]
            for more in ([], ["--first"])
        )
        self.assertTrue(any(told["verdict"] in ("holds", "not_exercised") for told in whole), whole)
        for told in first:
            self.assertIn(told["verdict"], ("violated", "undecided", "not_applicable"), told)
            if told["verdict"] == "undecided":
                self.assertEqual(told["reason"], "the history was read only up to the first violation")
        self.assertIn("undecided", {told["verdict"] for told in first})
        file = SOURCE / "tests" / "histories" / "by_hand.frees_anothers.jsonl"
        answer = self.call(PROGRAM, "check", file, "--model", "lease", "--first")
        self.assertEqual(answer.returncode, 1, "a belief that does not decide is no reason to stop: " + self.shown)

    def test_nothing_judged_is_not_a_pass(self):
        header, end = '{"holdfast_history":3,"model":"owner","promises":%s}', '{"type":"end","events":2}'
        line = '{"time":%d,"process":0,"type":"%s","f":"acquire"}'
        for promises in ("[]", '["progress"]'):
            file = self.history("nothing.jsonl", header % promises, line % (1, "invoke"), line % (2, "ok"), end)
            answer = self.call(PROGRAM, "check", file)
            self.assertEqual(answer.returncode, 3, self.shown)
            self.assertIn("nothing.jsonl: NOTHING JUDGED\n", answer.stdout)
            self.assertEqual(self.call(PROGRAM, "check", file, "--json").returncode, 3)
        file = self.history("judged.jsonl", line % (1, "invoke"), line % (2, "ok"))
        self.assertNotIn("NOTHING", self.call(PROGRAM, "check", file).stdout)

    def test_unjudged_parts_are_listed(self):
        line = '{"time":%d,"process":%d,"type":"%s","f":"%s","token":%d}'
        moments = [(1, 0, "invoke", "acquire", 0), (2, 0, "ok", "acquire", 9), (3, 0, "invoke", "release", 9)]
        moments += [(4, 0, "ok", "release", 9), (5, 1, "invoke", "acquire", 0), (6, 1, "ok", "acquire", 4)]
        file = self.history("falling.jsonl", *(line % moment for moment in moments))
        said = self.call(PROGRAM, "check", file).stdout
        decrease = "not judged: tokens decrease 1 times, first at #5 after #1; model owner does not judge them"
        self.assertIn(decrease, said)
        (told,) = json.loads(self.call(PROGRAM, "check", file, "--json").stdout)["not_judged"]
        self.assertIn("--model fenced would", told)
        self.assertNotIn("not judged", self.call(PROGRAM, "check", file, "--model", "fenced").stdout)

    def test_unsatisfiable_answers_with_equal_deadlines_are_found(self):
        for first, second in ((0, 1), (1, 0)):
            line = '{"time":%d,"process":%d,"type":"%s","f":"acquire"}'
            moments = [(1, 1, "invoke"), (3, 0, "invoke"), (4, first, "ok"), (4, second, "ok")]
            file = self.history("deadline.jsonl", *(line % moment for moment in moments))
            said = json.loads(self.call(PROGRAM, "check", file, "--model", "plain", "--json").stdout)
            (witness,) = (w for told in said["properties"] for w in told["witnesses"])
            self.assertEqual(sorted(witness["indices"]), [0, 1, 2, 3], witness)

    def test_unknown_times_are_not_invented(self):
        line = '{"process":%d,"type":"%s","f":"acquire","lease_ms":50}'
        lines = [line % (process, kind) for process in (0, 1) for kind in ("invoke", "ok")]
        untimed = self.history("untimed.jsonl", *lines)
        said = self.call(PROGRAM, "check", untimed).stdout
        self.assertIn("violated:algorithm", said)
        held = "Process 0 held the lock from #1 (acquire) on. Process 1 held the lock from #3 (acquire) on. From #3 "
        self.assertIn(held, said)
        numbered = [line.replace("{", f'{{"index":{index},', 1) for index, line in enumerate(lines, 10)]
        said = self.call(PROGRAM, "check", self.history("numbered.jsonl", *numbered)).stdout
        self.assertIn(held.replace("#1 ", "#11 ").replace("#3 ", "#13 "), said, "by the history's own numbers")
        self.assertNotIn("lease", said.split("violated:algorithm", 1)[1].split("not promised", 1)[0])
        for form in ("jsonl", "edn"):
            again = self.folder / f"untimed_again.{form}"
            again.write_text(self.call(PROGRAM, "check", untimed, "--export", form).stdout)
            self.assertNotIn("time", again.read_text())
            self.refused("time: is missing; model lease needs it", PROGRAM, "check", again, "--model", "lease")
        self.refused("--first and --export cannot be combined", PROGRAM, "check", untimed, "--export", "edn", "--first")
        self.refused("--json and --export cannot be combined", PROGRAM, "check", untimed, "--export", "edn", "--json")
        late = self.history("late_mode.jsonl", lines[0], lines[1].replace("}", ',"mode":"shared"}'))
        self.refused(f"{late}:2: mode: is given when process 0", PROGRAM, "check", late, "--model", "read_write")

    def test_other_file_is_not_taken_for_edn(self):
        title = self.history("notes.md", "# Notes", "", "Nothing was locked.")
        self.refused(f"{title}:1: broken JSON at column 1; a history has one object per line", PROGRAM, "check", title)

    def test_trial_folder_is_judged_by_its_history(self):
        """Its journals alone do not say whom the nemesis killed: they are refused, rather than judged wrongly."""
        needs.lab()
        faults = [{"fault": "kill", "at": {"phase": "critical_section"}, "for_ms": 300}]
        self.run_suite(self.scenario("kill", quick(locks=["get_lock"], faults=faults)))
        trial = self.latest() / "cells/get_lock/kill/1"
        whole = self.call(PROGRAM, "check", trial / "history.jsonl").stdout.split(": ", 1)[1]
        self.assertNotIn("violated", whole)
        self.assertEqual(self.call(PROGRAM, "check", trial).stdout.split(": ", 1)[1], whole)
        part = self.call(PROGRAM, "check", trial / "client-0.journal")
        self.assertIn("is only one client's part of a trial", part.stderr)
        (trial / "history.jsonl").unlink()
        answer = self.call(PROGRAM, "check", trial)
        self.assertEqual(answer.returncode, 2, self.shown)
        self.assertIn("is an interrupted trial", answer.stderr)

    def test_shared_holds_need_a_shared_model(self):
        line = '{"process":%d,"type":"%s","f":"acquire","mode":"shared"}'
        lines = [line % (process, kind) for process in (0, 1) for kind in ("invoke", "ok")]
        file = self.history("shared.jsonl", *lines)
        words = f"{file}:1: mode: model owner has no shared holds; remedy: --model read_write"
        self.refused(words, PROGRAM, "check", file)
        self.assertNotEqual(self.call(PROGRAM, "check", file, "--model", "read_write").returncode, 2, self.shown)

    def test_many_histories(self):
        """The most severe answer is the exit code; a file that cannot be judged keeps no other from it."""
        stored = SOURCE / "tests" / "histories"
        holds, violated, calm = (f"{stored}/{n}.jsonl" for n in ("get_lock.calm", "ip_lease.calm", "insert_lease.calm"))
        for code, files in [(0, [holds, holds]), (3, [calm, holds]), (1, [violated, calm]), (1, [calm, violated])]:
            answer = self.call(PROGRAM, "check", *files)
            self.assertEqual(answer.returncode, code, self.shown)
            self.assertEqual([line for line in files if f"{line}: " in answer.stdout], files)
        answer = self.call(PROGRAM, "check", "--json", "nowhere.jsonl", violated, holds)
        self.assertEqual(answer.returncode, 2, self.shown)
        self.assertIn("nowhere.jsonl: cannot be read", answer.stderr)
        said = [json.loads(line) for line in answer.stdout.splitlines()]
        self.assertEqual([one["file"] for one in said], [violated, holds])
        answer = self.call(PROGRAM, "check", f"{stored}/fenced_lease.pause.jsonl", "--model", "lease")
        self.assertEqual(answer.returncode, 0, "under model lease the sleeper's belief does not decide")
        self.assertIn("mutual_exclusion  violated:overrun", answer.stdout)

    def test_a_history_on_standard_input(self):
        file = SOURCE / "tests" / "histories" / "ip_lease.calm.jsonl"
        with file.open() as opened:
            answer = self.call(PROGRAM, "check", "-", stdin=opened)
        self.assertEqual(answer.returncode, 1, self.shown)
        self.assertIn("/dev/stdin: violated", answer.stdout)
        answer = self.call(PROGRAM, "check", "-", input=file.read_text())
        self.assertEqual(answer.returncode, 2, self.shown)
        self.assertIn("is a pipe or a terminal, but a history is opened twice; remedy: ", answer.stderr)

    def test_exports_of_hostile_histories_are_valid(self):
        """Bytes that are not UTF-8, NUL bytes, and characters that a terminal obeys or that are invisible."""
        edn = self.folder / "bytes.edn"
        form = b'{:type %s, :f :acquire, :process 0, :key "k\xff\x01\x1b[2J\r\xe2\x80\xae\xc2\x9b", :time %d}\n'
        edn.write_bytes(form % (b":invoke", 0) + form % (b":ok", 1))
        for export in ("jsonl", "edn"):
            with self.subTest(export=export):
                out = subprocess.run([PROGRAM, "check", edn, "--export", export], capture_output=True).stdout
                text = out.decode()  # fails on invalid UTF-8
                self.assertEqual(len(text.splitlines()), 2, out)
                self.assertFalse([c for c in text if ord(c) < 32 and c != "\n"], out)
                if export == "jsonl":
                    self.assertNotRegex(text, "[\u202e\u009b\x7f]")
                    self.assertIn("\u202e\u009b", [json.loads(line) for line in text.splitlines()][0]["key"])
                again = self.folder / f"again.{export}"
                again.write_bytes(out)
                self.assertEqual(self.call(PROGRAM, "check", again).returncode, 0, self.shown)
        nul = self.folder / "nul.jsonl"
        asks, gets = ('{"time":0,"process":1,"type":"%s","f":"acquire"}' % kind for kind in ("invoke", "ok"))
        nul.write_text(f"{asks}\0junk\n{gets}\n")
        self.refused(f"{nul}:1: ", PROGRAM, "check", nul)

    def test_trial_folder_opens_plain_files_only(self):
        """A FIFO or a device there would be waited for, and a link lead elsewhere; what the user names may be these."""
        stored = (SOURCE / "tests/histories/by_hand.late_write.jsonl").read_text()
        elsewhere = self.folder / "elsewhere.jsonl"
        elsewhere.write_text(stored)
        places = {"link": elsewhere, "endless": "/dev/zero", "fifo": None}
        for kind, target in places.items():
            trial = self.folder / kind
            trial.mkdir()
            (trial / "plan.json").write_text("{}")
            history = trial / "history.jsonl"
            os.mkfifo(history) if target is None else history.symlink_to(target)
            for command in (["check", trial], ["check", history], ["report", trial], ["report", history],
                            ["report", trial, "--out", self.folder / "page.html"]):
                answer = subprocess.run([PROGRAM, *map(str, command)], capture_output=True, text=True, timeout=SOON_S)
                self.assertEqual(answer.returncode, 2, (command, answer))
                self.assertIn("history.jsonl: is ", answer.stderr)
            history.unlink()
            history.write_text(stored)
            self.assertEqual(self.call(PROGRAM, "check", trial).returncode, 1, self.shown)
        journals = self.folder / "journals"
        journals.mkdir()
        os.mkfifo(journals / "client-0.journal")
        answer = subprocess.run([PROGRAM, "check", str(journals)], capture_output=True, text=True, timeout=SOON_S)
        self.assertEqual(answer.returncode, 2, answer)
        link = self.folder / "link.jsonl"
        link.symlink_to(elsewhere)
        self.assertEqual(self.call(PROGRAM, "check", link).returncode, 1, self.shown)
        scenario = self.scenario("piped", quick())
        piped = self.call("bash", "-c", '"$0" plan <(cat "$1")', PROGRAM, scenario)
        self.assertEqual(piped.returncode, 0, self.shown)
        self.assertIn("insert_lease", piped.stdout)

    def test_short_times_and_unpromised_properties(self):
        asks = '{"time":%d,"process":%d,"type":"invoke","f":"acquire"}'
        gets = '{"time":%d,"process":%d,"type":"ok","f":"acquire"}'
        short = self.history("short.jsonl", asks % (1, 1), gets % (250, 1), asks % (260, 2), gets % (400_300, 2))
        said = self.call(PROGRAM, "check", short).stdout
        words = "held the lock from 249 ns (acquire #1) on. Process 2 held the lock from 400.299 us (acquire #3) on."
        self.assertIn(words, said)
        unasked = "author_assertions, fencing, leader_view, lease_exclusion, loss_notice, resource"
        self.assertIn(f"not promised by this lock or model: {unasked}", said)
        later = [asks % (1, 1), gets % (10**7 + 1, 1), asks % (10**8, 2), gets % (2 * 10**9, 2)]
        long = self.history("long.jsonl", *later)
        said = self.call(PROGRAM, "check", long).stdout
        self.assertIn("from 0.010 s (acquire #1) on. Process 2 held the lock from 2.000 s", said)


class Follow(ProgramTest):
    """Logs that programs are still writing."""

    def say(self, name, kind, call="acquire"):
        event = {"process": name, "type": kind, "f": call, "key": "orders", "time": time.monotonic_ns()}
        with (self.folder / "logs" / f"{name}.jsonl").open("a") as log:
            log.write(json.dumps(event) + "\n")

    def follow(self, *more):
        (self.folder / "logs").mkdir(exist_ok=True)
        command = [PROGRAM, "check", "--follow", self.folder / "logs", "--delay", "1s", *more]
        return subprocess.Popen([*map(str, command)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def test_violation_is_reported_while_the_programs_run(self):
        followed = self.follow()
        for name in ("a", "b"):  # the second log does not exist when it begins
            self.say(name, "invoke")
            self.say(name, "ok")
        told, _ = followed.communicate(timeout=60)  # though neither has released
        self.assertEqual(followed.returncode, 1, told)
        self.assertIn("mutual_exclusion  violated:algorithm", told)

    def test_sound_logs_are_followed_to_the_end(self):
        followed = self.follow("--for", "3s", "--json")
        self.say("a", "invoke")
        self.say("a", "ok")
        self.say("b", "invoke")
        self.say("b", "fail")
        told, _ = followed.communicate(timeout=60)
        self.assertEqual(followed.returncode, 0, told)
        self.assertEqual(json.loads(told)["verdict"], "holds")

    def test_ctrl_c_judges_what_was_written(self):
        followed = self.follow()
        wait_until(lambda: "following" in followed.stderr.readline(), 60)
        for name in ("a", "b"):
            self.say(name, "invoke")
            self.say(name, "ok")
        followed.send_signal(signal.SIGINT)
        told, _ = followed.communicate(timeout=60)
        self.assertEqual(followed.returncode, 1, told)

    def test_mistakes_are_named(self):
        (self.folder / "logs").mkdir()
        self.refused("--delay", PROGRAM, "check", "--follow", self.folder / "logs", "--delay", "soon")
        self.refused("requires --follow", PROGRAM, "check", self.folder / "logs", "--for", "3s")
        self.refused("No such file", PROGRAM, "check", "--follow", self.folder / "none.jsonl")


if __name__ == "__main__":
    unittest.main()
