"""Faults at the n-th request of a lock, whatever it is written in: a reply that is lost, a request that arrives late,
and one that arrives twice; on Redis and on MySQL, with a lock in C++ and with one that is a program of its own."""

import json
import unittest

from own_adapters import AdapterTest
from own_servers import Certificates
from program import PROGRAM, ProgramTest

ANYTHING = {
    name: "allowed" for name in ("mutual_exclusion", "lease_exclusion", "ownership", "resource", "progress")
}


class Requests(ProgramTest):
    def scenario_of(self, name, locks, fault, expect, **load):
        common = {"clients": 3, "lease_ms": 2000, "hold_ms": [50, 150], "duration_ms": 6000, "coverage": {"grants": 3}}
        return self.scenario(name, {"locks": locks, **common, **load, "faults": [fault], "expect": expect})

    def run_all(self, *flags):
        self.call(PROGRAM, "run", self.folder / "scenarios", "--out", self.out, "--seed", "7", "--quiet", *flags)
        return self.outcomes()

    def kinds(self, cell, judged):
        found = next(one for one in self.verdict()["cells"] if f"{one['lock']}/{one['scenario']}" == cell)
        return {one["kind"] for one in found["trials"][0]["verdict"]["properties"] if one["judgement"] == judged}

    def test_request_faults_act_on_every_lock(self):
        """The late deletion of a lock that compares nothing frees another's; a script that compares does not."""
        lost = {"fault": "reply_lost", "at": {"request": 1, "of": "acquire", "when": "after", "key": "free", "nth": 2}}
        late = {"fault": "hold_request", "at": {"request": 1, "of": "release", "nth": 3}, "for_ms": 3500}
        twice = {"fault": "duplicate", "at": {"request": 1, "of": "release", "nth": 3}}
        both = ["redis_token", "redis_token_py"]
        self.scenario_of("lost", [*both, "insert_lease"], lost, {"*": ANYTHING})
        self.scenario_of("late", both, late, {"*": {**ANYTHING, "ownership": "not_exercised"}}, duration_ms=7500)
        self.scenario_of("twice", both, twice, {"*": ANYTHING})
        outcomes = self.run_all()
        self.assertEqual({outcome for cell, outcome in outcomes.items() if "twice" not in cell}, {"as_expected"})
        proofs = {fault["fault"]: (fault["acted"], fault["planned"]) for fault in self.verdict()["faults"]}
        self.assertEqual(proofs, {"reply_lost": (3, 3), "hold_request": (2, 2), "duplicate": (2, 2)}, self.shown)

    def events_of(self, cell):
        lines = (self.latest() / "cells" / cell / "1/history.jsonl").read_text().splitlines()
        return [one for one in map(json.loads, lines) if "f" in one]

    def test_lost_request_is_never_executed(self):
        """The release changes nothing: the lease must run out before the key is granted again."""
        lost = {"fault": "request_lost", "at": {"request": 1, "of": "release", "nth": 3}}
        locks = ["redis_token", "redis_token_py"]
        self.scenario_of("lost", locks, lost, {"*": {**ANYTHING, "ownership": "not_exercised"}})
        self.assertEqual(set(self.run_all().values()), {"as_expected"}, self.shown)
        (proof,) = self.verdict()["faults"]
        self.assertEqual((proof["acted"], proof["planned"]), (2, 2))
        self.assertIn("was never sent, and the client's connection was reset", proof["detail"])
        for lock in locks:
            events = self.events_of(f"{lock}/lost")
            (at,) = [n for n, one in enumerate(events) if one["f"] == "release" and one["type"] == "info"]
            began = next(one for one in events[at::-1] if one["f"] == "acquire" and one["type"] == "ok")["time"]
            again = next(one for one in events[at:] if one["f"] == "acquire" and one["type"] == "ok")["time"]
            self.assertGreater((again - began) / 1e9, 1.5, lock)

    def test_fault_on_refused_attempts_only_is_not_a_pass(self):
        """It is aimed at a grant, and exercised nothing; where it struck one, the same trial passes."""
        stop = {"fault": "pause", "at": {"request": 1, "of": "acquire", "when": "after"}, "for_ms": 300}
        load = {"hold_ms": [1500, 1500], "lease_ms": 6000, "duration_ms": 4000}
        whatever = {"*": {**ANYTHING, "ownership": "not_exercised"}}
        locks = ["redis_token", "redis_token_py"]
        for name, where in (("refused", {"nth": 8}), ("granted", {"key": "free"}), ("meant", {"key": "held"})):
            self.scenario_of(name, locks, {**stop, "at": {**stop["at"], **where}}, whatever, **load)
        outcomes = self.run_all()
        for lock in locks:
            self.assertEqual(outcomes[f"{lock}/refused"], "undecided", self.shown)
            self.assertEqual(outcomes[f"{lock}/granted"], "as_expected", self.shown)
            self.assertEqual(outcomes[f"{lock}/meant"], "as_expected", self.shown)
        self.assertIn("not_exercised: the pause struck 1 refused attempt and no grant", self.shown)
        answers = [line for line in self.shown.splitlines() if line.startswith("Does ")]
        self.assertFalse([line for line in answers if "all 3 cells" in line], self.shown)
        cells = {f"{cell['lock']}/{cell['scenario']}": cell["trials"][0] for cell in self.verdict()["cells"]}
        (proof,) = cells["redis_token/granted"]["faults"]
        self.assertEqual((proof["struck"]["granted"], proof["struck"]["refused"]), (1, 0))
        (proof,) = cells["redis_token/refused"]["faults"]
        self.assertEqual(proof["struck"]["refused"], 1)

    def test_unreachable_stop_ends_the_trial(self):
        """A stop behind a request whose reply another fault takes: it is reported, and nothing waits for it."""
        first = {"fault": "duplicate", "at": {"request": 1, "of": "release", "nth": 3}}
        second = {"fault": "pause", "at": {"request": 1, "of": "release", "when": "after", "nth": 3}, "for_ms": 100}
        self.scenario_of("both", ["redis_token"], first, {"*": ANYTHING})
        path = self.folder / "scenarios" / "both.json"
        path.write_text(json.dumps({**json.loads(path.read_text()), "faults": [first, second]}))
        self.assertEqual(set(self.run_all().values()), {"harness_error"}, self.shown)
        self.assertIn("another fault took the reply to the same request; remedy", self.shown)

    def test_invalid_request_faults_are_refused(self):
        at = {"request": 1, "of": "release"}
        for number, (fault, said) in enumerate([
            ({"fault": "pause", "at": {**at, "phase": "granted"}, "for_ms": 1}, "name exactly one of"),
            ({"fault": "pause", "at": at, "target": "holder", "for_ms": 1}, "the bytes of a request do not show"),
            ({"fault": "pause", "at": {**at, "of": "background", "key": "held"}, "for_ms": 1},
             "background requests have no key"),
            ({"fault": "pause", "at": {"phase": "granted", "of": "background"}, "for_ms": 1}, "in the background"),
            ({"fault": "hold_request", "at": {"phase": "granted"}, "for_ms": 1}, "needs an injection point such as"),
            ({"fault": "duplicate", "at": {**at, "when": "after"}}, "needs an injection point such as"),
        ]):  # fmt: skip
            with self.subTest(said):
                scenario = self.scenario_of(f"wrong{number}", ["redis_token"], fault, {"*": {}})
                answer = self.call(PROGRAM, "run", scenario, "--out", self.out)
                self.assertEqual(answer.returncode, 2, self.shown)
                self.assertIn(said, answer.stderr)


# Client 0's adapter is also a TLS proxy to the server for all others: the relay cannot read their requests.
DOOR = """
DOOR = ("10.77.1.1", 6379)  # the address of client 0


def pour(one, other):
    with contextlib.suppress(OSError):
        while part := one.recv(65536):
            other.sendall(part)
    for end in (one, other):
        with contextlib.suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)


def serve(ear, context, at):
    while True:
        with contextlib.suppress(OSError):
            inside = context.wrap_socket(ear.accept()[0], server_side=True)
            behind = socket.create_connection((at["host"], at["port"]))
            for ends in ((inside, behind), (behind, inside)):
                threading.Thread(target=pour, args=ends, daemon=True).start()


def through_tls(hello, limits):
    at = hello["servers"][0]
    if hello["client"] != 0:
        limits.update(ssl=True, ssl_ca_certs="ca.pem", ssl_check_hostname=False)
        return DOOR
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain("server.pem", "server.key")
    threading.Thread(target=serve, args=(socket.create_server(DOOR), context, at), daemon=True).start()
    return at["host"], at["port"]
"""


class Encrypted(AdapterTest):
    """Unreadable requests cannot be struck, and are not an error of the harness."""

    def adapter(self):
        folder = self.made()
        text = (folder / "lock.py").read_text()
        plain = 'redis.Redis(at["host"], at["port"],'
        self.assertIn(plain, text)
        text = text.replace(plain, "redis.Redis(*through_tls(hello, limits),")
        modules = ("contextlib", "json", "socket", "ssl", "threading")
        text = text.replace("import json\n", "".join(f"import {module}\n" for module in modules))
        (folder / "lock.py").write_text(text.replace("\nclass MyLock", DOOR + "\n\nclass MyLock"))
        Certificates(folder)
        for file in folder.iterdir():
            file.chmod(0o644)
        return folder

    def test_request_fault_at_an_unreadable_client_is_unavailable(self):
        folder = self.adapter()
        at = {"request": 1, "of": "acquire", "when": "after"}
        more = {"duration_ms": 3000, "expect": {"*": ANYTHING}}
        for client in (0, 1):
            self.tiny(f"client_{client}", faults=[{"fault": "reply_lost", "at": {**at, "client": client}}], **more)
        answer = self.run_suite(self.folder / "scenarios", "--adapter", folder)
        outcomes = {"my_lock/client_0": "as_expected", "my_lock/client_1": "unavailable"}
        self.assertEqual(self.outcomes(), outcomes, self.shown)
        why = "fault reply_lost: requests cannot be read: 10.77.1.1:6379: the connection is encrypted (TLS); remedy: "
        self.assertIn(why, answer.stdout + answer.stderr)
        cells = {cell["scenario"]: cell["trials"][0] for cell in self.verdict()["cells"]}
        self.assertIn(why, cells["client_1"]["error"])
        self.nothing_left()


# Makes a watchdog of the template: a thread that renews the held lock, every third of its lease, and gets no report of
# a failure.
WATCHDOG = (
    ("import json\n", "import contextlib\nimport json\n"),
    ("import time\n", "import threading\nimport time\n"),
    ("CAN = []", 'CAN = ["background"]'),
    (
        "\n\nclass MyLock",
        """
PROLONG = DELETE.replace('"del", KEYS[1]', '"pexpire", KEYS[1], ARGV[2]')


class MyLock""",
    ),
    (
        "  # of locks that may be held\n",
        """
        self.lease_ms = hello["lease_ms"]
        self.held = set()
        threading.Thread(target=self.prolong, daemon=True).start()

    def prolong(self):
        while True:
            time.sleep(self.lease_ms / 3000)
            for name in list(self.held):
                with contextlib.suppress(redis.RedisError):
                    self.redis.eval(PROLONG, 1, name, self.values[name], self.lease_ms)
""",
    ),
    (
        'return "ok" if self.redis.set(name, self.values[name], nx=True, px=ask["lease_ms"]) else "busy"',
        """if not self.redis.set(name, self.values[name], nx=True, px=ask["lease_ms"]):
            return "busy"
        self.held.add(name)
        return "ok\"""",
    ),
    ('return "ok" if self.redis.eval(', 'self.held.discard(name)\n        return "ok" if self.redis.eval('),
)


class Background(AdapterTest):
    """Requests that belong to no operation: a watchdog's renewals, while its client works under the lock longer than
    the lease is."""

    def watchdog(self):
        folder = self.made(can=["background"])
        text = (folder / "lock.py").read_text()
        for old, new in WATCHDOG:
            self.assertIn(old, text)
            text = text.replace(old, new)
        (folder / "lock.py").write_text(text)
        return folder

    def under(self, name, fault, mutual_exclusion):
        """The scenario of one fault. Most grants are longer than their lease, so the lease itself is not on trial."""
        load = {"clients": 3, "lease_ms": 1500, "hold_ms": [2200, 2600], "duration_ms": 7000, "poll_ms": 20}
        holds = mutual_exclusion == "holds"
        silent = {"lease_exclusion": "not_exercised", "ownership": "not_exercised"}
        expect = {"mutual_exclusion": mutual_exclusion, **silent}
        expect["resource"] = "not_exercised" if holds else "allowed:overrun"
        faults = [] if fault is None else [fault]
        if not holds:
            load["why"] = {"*": "the lease ends while its holder works"}
        load["coverage"] = {"grants": 2, "attempts_in_hold": 1}
        self.scenario(name, {"locks": ["my_lock"], **load, "faults": faults, "expect": {"*": expect}})

    def test_lock_without_background_requests_is_refused(self):
        folder = self.made()
        self.under("late", {"fault": "hold_request", "at": {"request": 1, "of": "background"}, "for_ms": 3000}, "holds")
        answer = self.run_suite(self.folder / "scenarios", "--adapter", folder)
        self.assertEqual(answer.returncode, 2, self.shown)
        words = "my_lock sends no requests in the background; remedy: if it does, add `background` to `can`"
        self.assertIn(words, answer.stderr)

    def test_background_requests_are_struck(self):
        """A renewal that comes after the lease, or not before the lock's whole process stops, leaves two with the lock;
        one that comes twice, or whose reply is lost, does no harm."""
        folder = self.watchdog()
        first = {"request": 1, "of": "background"}
        second = {"request": 2, "of": "background"}
        self.under("none", None, "holds")
        self.under("late", {"fault": "hold_request", "at": first, "for_ms": 3000}, "violated:overrun")
        self.under("stopped", {"fault": "pause", "at": second, "for_ms": 3000}, "violated:overrun")
        self.under("twice", {"fault": "duplicate", "at": second}, "holds")
        self.under("lost", {"fault": "reply_lost", "at": {**first, "when": "after"}}, "holds")
        answer = self.run_suite(self.folder / "scenarios", "--adapter", folder)
        self.assertEqual(answer.returncode, 0, self.shown)
        outcomes = {cell.split("/")[1]: outcome for cell, outcome in self.outcomes().items()}
        caught = dict.fromkeys(("late", "stopped"), "caught")
        sound = dict.fromkeys(("none", "twice", "lost"), "as_expected")
        self.assertEqual(outcomes, {**caught, **sound}, self.shown)
        proofs = {fault["fault"]: (fault["acted"], fault["planned"]) for fault in self.verdict()["faults"]}
        struck = ("hold_request", "pause", "duplicate", "reply_lost")
        self.assertEqual(proofs, dict.fromkeys(struck, (1, 1)), self.shown)
        self.nothing_left()


if __name__ == "__main__":
    unittest.main()
