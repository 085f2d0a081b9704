"""`adapter check` as an author meets it: reasons in full, remedies that hide no flaw of a library, progress, and no
mistake found that only a starved machine explains."""

import json
import os
import re
import subprocess
import threading
import time
import unittest

from own_adapters import ANSWERS, AdapterTest
from program import PROGRAM

ACQUIRE = '        name = ask["lock"]\n        self.values[name] ='
RELEASE = '        name = ask["lock"]\n        return "ok" if self.redis.eval('
# A library whose object, shared by the threads of a program, grants each of them what one of them holds.
SHARED_BY_THREADS = '        if self.values.get(ask["lock"]):\n            return "ok"\n' + ACQUIRE
ENDS_ITS_HOLD = '        if not (own := self.values.pop(ask["lock"], "")):\n            return "not_held"\n'
KEEPS_THREADS_APART = '        if self.values.get(ask["lock"]):\n            return "busy"\n' + ACQUIRE
REFUSED = 'px=ask["lease_ms"]) else "busy"'
FORGETS_WHAT_IS_REFUSED = 'px=ask["lease_ms"]) else self.values.pop(name) and "busy"'
# As programs in JavaScript end: the reason first, then frames.
LIKE_NODE = r"""
print("node:internal/modules/cjs/loader:1148\n  throw err;\n  ^\n", file=sys.stderr)
print("Error: Cannot find module 'the_lock_library', wanted by " + "x" * 400 + " the_end", file=sys.stderr)
for frame in range(10):
    print(f"    at Module.load{frame} (node:internal/modules/cjs/loader:{frame})", file=sys.stderr)
print("  code: 'MODULE_NOT_FOUND'\n}\n\nNode.js v20.20.2", file=sys.stderr)
sys.exit(1)
"""


class CheckTest(AdapterTest):
    def edited(self, edits, name="my_lock", **facts):
        """An adapter in Python whose text has these replacements."""
        folder = self.made(name, **facts)
        text = (folder / "lock.py").read_text()
        for old, new in edits:
            self.assertIn(old, text)
            text = text.replace(old, new)
        (folder / "lock.py").write_text(text)
        return folder

    def checked(self, folder, exit_code):
        answer = self.call(PROGRAM, "adapter", "check", folder)
        self.assertEqual(answer.returncode, exit_code, self.shown)
        return answer.stdout

    def rule(self, text, name):
        """The lines of one rule."""
        found = re.search(rf"^[A-Z]+ {name}: .*\n(?: +.*\n)*", text, re.M)
        self.assertTrue(found, f"no rule {name}\n{self.shown}")
        return found[0]


STOPS = "        import os, signal\n        os.kill(os.getppid(), signal.SIGSTOP)\n"
GOES_ON = "        time.sleep(1)\n        os.kill(os.getppid(), signal.SIGCONT)\n"
STOPPED = "was stopped (SIGSTOP) by a program of the lab"


class Stopped(CheckTest):
    def ended(self, *lines):
        folder = self.edited([(ACQUIRE, "".join(lines) + ACQUIRE)])
        begun = time.monotonic()
        answer = self.call(PROGRAM, "adapter", "check", folder)
        return answer, time.monotonic() - begun

    def test_check_ends_when_its_adapter_stops_it(self):
        """The process that checks it is stopped for good: an error that says so."""
        answer, seconds = self.ended(STOPS)
        self.assertEqual(answer.returncode, 5, self.shown)
        self.assertIn(STOPPED, answer.stderr)
        self.assertLess(seconds, 100)

    def test_short_stop_does_not_end_the_check(self):
        once = "        if not self.values:\n"
        answer, _ = self.ended(once, *("    " + line + "\n" for line in (STOPS + GOES_ON).splitlines()))
        self.assertNotIn(STOPPED, answer.stderr)
        self.assertRegex(answer.stdout, "(?m)^(OK|WRONG|UNDECIDED)  [0-9]+ of [0-9]+ rules wrong")


class Remedies(CheckTest):
    def threads(self, acquire):
        return self.edited(
            [
                ("CAN = []", 'CAN = ["threads"]'),
                (ACQUIRE, acquire),
                (REFUSED, FORGETS_WHAT_IS_REFUSED),
                (RELEASE, ENDS_ITS_HOLD + RELEASE),
                ('self.values.get(name, "")', "own"),
            ],
            can=["threads"],
        )

    def test_library_flaw_is_a_finding(self):
        folder = self.threads(SHARED_BY_THREADS)
        told = self.rule(self.checked(folder, 1), "threads")
        self.assertIn("if the library causes it", told)
        self.assertIn("is a finding", told)
        self.assertIn(f"try {folder} shows", told)
        answer = self.call(PROGRAM, "try", folder, "--for", "60")
        self.assertEqual(answer.returncode, 1, self.shown)
        self.assertRegex(answer.stdout, r"my_lock under threads: client \d+ twice at once (held|had)")

    def test_lock_with_separate_threads_has_no_finding(self):
        self.assertIn("OK threads", self.checked(self.threads(KEEPS_THREADS_APART), 0))


class Beginnings(CheckTest):
    def test_failed_start_is_reported(self):
        folder = self.edited([("import json\n", "import sys\n" + LIKE_NODE)], install="install --it")
        answer = self.checked(folder, 1)
        told = self.rule(answer, "start")
        for word in ("exited with code 1", "lock.py", "Cannot find module 'the_lock_library'", "the_end"):
            self.assertIn(word, told)
        self.assertIn("install --it", told.split("remedy:")[1])
        self.assertNotIn("adapter check", answer)

    def test_unusable_program_is_reported(self):
        folder = self.made(install="install --it")
        (folder / "lock").write_text("#!/no/such/interpreter\n")
        (folder / "lock").chmod(0o755)
        self.changed(folder, command=["./lock"])
        self.checked(folder, 4)
        self.assertRegex(self.shown, r"my_lock/lock\b.*No such file or directory.*/no/such/interpreter")
        self.assertIn("install --it", self.shown)
        self.assertNotIn("ended with code", self.shown)
        (folder / "lock").write_text("no program\n")
        self.checked(folder, 4)
        self.assertRegex(self.shown, r"my_lock/lock\b.*Exec format error")

    def test_try_reports_the_full_reason(self):
        folder = self.edited([("import json\n", "import sys\n" + LIKE_NODE)])
        answer = self.call(PROGRAM, "try", folder, "--for", "20")
        self.assertEqual(answer.returncode, 5, self.shown)
        words = " ".join(answer.stdout.split())
        self.assertIn("Error: Cannot find module 'the_lock_library'", words)
        self.assertIn("exited with code 1", words)


class Renewals(CheckTest):
    """A renewal of a library that returns nothing: it cannot be known whether it was made."""

    LOOKED_AT = """
    def renew(self, ask):
        own = self.values.get(ask["lock"], "")
        if own and self.redis.get(ask["lock"]) == own.encode():
            {}
        return "info"

    def acquire("""

    def silent(self, name, deed):
        edits = [("\n    def acquire(", self.LOOKED_AT.format(deed)), ("CAN = []", 'CAN = ["renew"]')]
        return self.edited(edits, name, can=["renew"])

    def test_silent_renewal_is_legal(self):
        text = self.checked(self.silent("silent", 'self.redis.pexpire(ask["lock"], 1500)'), 0)
        self.assertIn("OK renew: ", text)
        self.assertIn("OK renew_nothing: ", text)

    def test_renewal_without_effect_is_found(self):
        text = self.checked(self.silent("nothing", "pass"), 1)
        self.assertIn("another was granted", self.rule(text, "renew"))


class Versions(CheckTest):
    def test_version_mismatch_is_found(self):
        library = {"name": "redis-py", "version": "99.1.2"}
        folder = self.made(library=library, install="install redis 99.1.2")
        told = self.rule(self.checked(folder, 1), "version")
        self.assertIn("99.1.2", told)
        self.assertRegex(told, r"remedy: .*install redis 99\.1\.2.*lock\.json")
        running = re.search(r"its ready has version (\S+)", told)[1]
        for same in (running, running.rsplit(".", 1)[0], None):  # a manifest may name less of it, or nothing
            library = {"name": "redis-py"} if same is None else {"name": "redis-py", "version": same}
            self.changed(folder, library=library)
            text = self.checked(folder, 0)
            self.assertRegex(text, r"SKIPPED .*: version" if same is None else "OK version: ")
        self.changed(folder, library={"name": "redis-py", "version": running + "0"})
        self.checked(folder, 1)


class Progress(CheckTest):
    def started(self, folder):
        check = subprocess.Popen(
            [PROGRAM, "adapter", "check", str(folder)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=self.folder,
        )  # fmt: skip
        self.addCleanup(check.wait)
        self.addCleanup(check.kill)
        self.addCleanup(check.stdout.close)
        self.addCleanup(check.stderr.close)
        return check

    def test_each_rule_is_reported_when_done(self):
        slow = '        if ask["do"] == "acquire":\n            time.sleep(0.7)\n'
        check = self.started(self.edited([(ANSWERS, slow + ANSWERS)]))
        first = check.stdout.readline()
        self.assertTrue(first.startswith("OK start: "), first)
        time.sleep(1.5)
        self.assertIsNone(check.poll(), "the first line came when all was over")
        self.assertEqual(check.wait(), 0, check.stdout.read())

    def test_wait_is_reported_at_once(self):
        check = self.started(self.edited([(ANSWERS, "        time.sleep(3600)\n")], start_ms=20_000))
        began = time.monotonic()
        first = check.stderr.readline()
        self.assertIn("my_lock", first)
        self.assertIn("at most 20 s", first)
        self.assertLess(time.monotonic() - began, 15)
        self.assertIsNone(check.poll(), first)
        told = check.stderr.readline()
        self.assertRegex(told, r"start: \d+ s")
        self.assertEqual(check.wait(), 1)
        self.nothing_left()


class Burners:
    """Compute on one processor until they are ended, or for so long."""

    def __init__(self, processor, seconds):
        burn = f"import os, time; os.sched_setaffinity(0, {{{processor}}}); end = time.monotonic() + {seconds}"
        loop = "\nwhile time.monotonic() < end: pass"
        python = ["/usr/bin/python3", "-c", burn + loop]
        self.all = [subprocess.Popen(python, start_new_session=True) for _ in range(12)]

    def end(self):
        for one in self.all:
            one.kill()
            one.wait()


class Starved(CheckTest):
    # After its ready it gets only what others on its processor leave.
    YIELDS = """        if ask["do"] == "hello":
            os.sched_setaffinity(0, {PROCESSOR})
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
            if os.path.exists("/proc/self/autogroup"):  # each session has its share then
                open("/proc/self/autogroup", "w").write("19")
"""

    def test_starved_machine_is_not_a_mistake(self):
        processor = min(os.sched_getaffinity(0))
        yields = self.YIELDS.replace("PROCESSOR", str(processor))
        folder = self.edited([(ANSWERS, yields + ANSWERS), ("import json\n", "import json\nimport os\n")])
        burners = Burners(processor, 600)
        self.addCleanup(burners.end)
        over = threading.Timer(25, burners.end)
        over.start()
        self.addCleanup(over.cancel)
        answer = self.call(PROGRAM, "adapter", "check", folder)
        self.assertIn(answer.returncode, (0, 3), self.shown)
        self.assertNotIn("WRONG", answer.stdout)
        self.assertEqual("UNDECIDED" in answer.stdout, answer.returncode == 3, self.shown)
        if answer.returncode == 3:
            self.assertRegex(answer.stdout, r"could not be checked: the machine was starved.*\d+ ms")
        told = json.loads(self.call(PROGRAM, "adapter", "check", folder, "--json").stdout)
        self.assertEqual((told["wrong"], told["undecided"]), (0, 0), "nothing starves it any more")
        self.nothing_left()


if __name__ == "__main__":
    unittest.main()
