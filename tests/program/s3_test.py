"""Object stores: every file of s3/ can be pasted into a shell as it stands, and a lock is tried on each store that is
set up."""

import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import unittest

import needs
from program import PROGRAM, SOURCE, ProgramTest, quick, wait_until

BUILD = pathlib.Path(PROGRAM).parent.parent / "s3"
PROGRAMS = {"versitygw": BUILD / "versitygw", "moto_server": BUILD / "moto/bin/moto_server"}
LOGIN = {"ROOT_ACCESS_KEY": "holdfast", "ROOT_SECRET_KEY": "holdfast-secret"}
UNUSED = ["lease_exclusion", "mutual_exclusion", "resource", "ownership"]  # no client is ever granted the lock
MISSING = "needs an object store, not installed; remedy: ./run setup s3"
# What the harness gives: the ETag of the object as it is at present.
ETAG = """etag=$(curl "$S3/locks/$key" | tr -d '\\r' | sed -n 's/^[Ee][Tt]ag: //p')\n"""


def store(name):
    """The path of a store's program; nothing if it is not set up."""
    path = PROGRAMS[name]
    return str(path) if os.access(path, os.X_OK) else shutil.which(name)


@unittest.skipUnless(store("versitygw"), MISSING)
class S3Files(ProgramTest):
    def setUp(self):
        super().setUp()
        with socket.create_server(("127.0.0.1", 0)) as one:
            port = one.getsockname()[1]
        for name in ("objects", "attributes"):
            (self.folder / name).mkdir()
        command = [store("versitygw"), "--port", f"127.0.0.1:{port}", "posix"]
        command += ["--sidecar", self.folder / "attributes", self.folder / "objects"]
        log = (self.folder / "server.log").open("w")
        self.server = subprocess.Popen(command, stdout=log, stderr=log, env={**os.environ, **LOGIN})
        self.addCleanup(log.close)
        self.addCleanup(self.server.wait)
        self.addCleanup(self.server.kill)
        self.address = f"http://127.0.0.1:{port}"
        head = self.head_of(pathlib.Path(SOURCE, "s3/s3_lock_file.s3").read_text())
        answers = lambda: "HTTP/1.1 200" in self.pasted(head + 'curl -X PUT "$S3/locks"').stdout
        ready = wait_until(lambda: answers() or self.server.poll() is not None, 30)
        self.assertTrue(ready and self.server.poll() is None, (self.folder / "server.log").read_text()[-2000:])

    @staticmethod
    def head_of(text):
        return text[: text.index("# name:")]

    def pasted(self, text):
        environment = {"PATH": needs.FOLDERS, "S3": self.address}
        command = ["bash", "-eu"]
        return subprocess.run(command, input=text, capture_output=True, text=True, timeout=30, env=environment)

    def statuses(self, path):
        """{statement: HTTP status}, pasted in the order in which a lock sends them."""
        text = path.read_text()
        head, commands = self.head_of(text), dict(re.findall(r"^# name: (\w+)\n(?:#.*\n)*(curl .*)", text, re.M))
        self.assertEqual(len(commands), len(re.findall(r"^# name:", text, re.M)))
        found = {}
        for name in sorted(commands, key=["now", "create", "put", "look", "renew", "take", "release"].index):
            etag = "" if name in ("now", "create", "put") else ETAG
            answer = self.pasted(head + etag + commands[name])
            self.assertEqual((answer.returncode, answer.stderr), (0, ""), answer.stdout)
            found[name] = int(re.match(r"HTTP/1.1 (\d+)", answer.stdout)[1])
        self.assertIn(self.pasted(head + 'curl -X DELETE "$S3/locks/$key"').returncode, (0,))
        return found

    def test_each_file_can_be_pasted(self):
        files = sorted(pathlib.Path(SOURCE, "s3").glob("*.s3"))
        self.assertGreaterEqual(len(files), 7)
        for path in files:
            with self.subTest(file=path.name):
                for name, status in self.statuses(path).items():
                    self.assertIn(status, (200, 204), name)

    def test_conditions_are_kept(self):
        path = pathlib.Path(SOURCE, "s3/s3_store_clock.s3")
        head = self.head_of(path.read_text())
        create = head + 'curl -X PUT "$S3/locks/$key" -H "If-None-Match: *" -d "$content"\n'
        self.assertIn("HTTP/1.1 200", self.pasted(create).stdout)
        self.assertIn("HTTP/1.1 412", self.pasted(create).stdout)
        renew = 'curl -X PUT "$S3/locks/$key" -H "If-Match: $etag" -d "$content"\n'
        self.assertIn("HTTP/1.1 412", self.pasted(head + renew).stdout)
        self.assertIn("HTTP/1.1 200", self.pasted(head + ETAG + renew).stdout)


class S3Trials(ProgramTest):
    def tried_on(self, name):
        program = store(name)
        if program is None:
            self.skipTest(f"needs {name}, not installed; remedy: ./run setup s3")
        fault = {"fault": "server_kill", "at": {"phase": "granted", "nth": 2}, "for_ms": 200}
        expect = dict.fromkeys(["ownership", "fencing", "resource"], "not_exercised")
        path = self.scenario("killed", quick(locks=["s3_create_if_absent"], lease_ms=2000, duration_ms=6000,
                                             faults=[fault] if name == "versitygw" else [],
                                             expect={"*": expect}))  # fmt: skip
        answer = self.run_suite(path, "--server", f"{name}={program}")
        self.assertEqual(answer.returncode, 0, self.shown)
        self.assertEqual(self.outcomes(), {"s3_create_if_absent/killed": "as_expected"})
        return answer.stdout

    def test_lock_survives_a_kill_of_the_gateway(self):
        self.assertIn("versitygw", self.tried_on("versitygw"))

    def test_emulator_is_named_as_one(self):
        self.assertIn("an emulator", self.tried_on("moto_server"))


@unittest.skipUnless(store("versitygw"), MISSING)
class S3Requests(ProgramTest):
    """Requests by HTTP are struck and explored at the relay."""

    def adapter(self, name, retries):
        folder = self.folder / name
        folder.mkdir()
        shutil.copy(SOURCE / "tests/program/s3_lock.py", folder / "lock.py")
        manifest = {"name": name, "command": ["/usr/bin/python3", "./lock.py", str(retries)], "servers": ["s3"],
                    "lease": False, "paths": ["lock.py"]}  # fmt: skip
        (folder / "lock.json").write_text(json.dumps(manifest))
        return folder

    def test_lost_reply_leaves_a_lock_that_repeats_its_write_stuck(self):
        folder = self.adapter("repeats", 1)
        fault = {"fault": "reply_lost", "at": {"request": 1, "of": "acquire", "when": "after"}}
        expect = {"progress": "violated:stuck", **dict.fromkeys(UNUSED, "not_exercised")}
        path = self.scenario("lost", quick(locks=["repeats"], duration_ms=3000, faults=[fault],
                                           expect={"repeats": expect},
                                           why={"repeats": "its own object refuses the repeated write"}))  # fmt: skip
        answer = self.run_suite(path, "--adapter", folder, "--server", f"versitygw={store('versitygw')}")
        self.assertEqual(answer.returncode, 0, self.shown)
        proofs = self.verdict()["faults"]
        self.assertEqual([(one["acted"], one["planned"]) for one in proofs], [(1, 1)], self.shown)
        self.assertEqual(self.outcomes(), {"repeats/lost": "caught"})

    def test_requests_are_explored(self):
        folder = self.adapter("sound", 0)
        bounds = ["--preemptions", "1", "--time-jumps", "0", "--faults", "0", "--rounds", "1", "--attempts", "2"]
        answer = self.call(PROGRAM, "explore", folder, *bounds, "--budget", "60s", "--out", self.out)
        self.assertEqual(answer.returncode, 0, self.shown)
        self.assertIn("complete: ", answer.stdout)


if __name__ == "__main__":
    unittest.main()
