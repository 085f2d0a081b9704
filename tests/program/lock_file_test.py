"""A lock that is one file of statements, from its page to a verdict; and planted bugs, each in the page's own file."""

import json
import re
import shlex
import subprocess
import unittest

from lock_texts import FOR_UPDATE, IN_SMALL_LETTERS, INSERT_OR_TAKE, LOOK_FIRST, NUMBERED
from own_servers import postgres_folder
from program import PROGRAM, SOURCE, ProgramTest

PAGE = SOURCE / "docs" / "lock_file.md"
FILES = re.findall(r"^```(?:sql|sh)\n(.*?)^```$", PAGE.read_text(), re.DOTALL | re.MULTILINE)
SOUND, TOKEN = FILES
GUARD = "lock_key = @key AND owner = @owner AND token = @token"
FREE = "expires_at <= UTC_TIMESTAMP(6)"
RAISED = f"  token = token + (owner IS NULL OR owner = VALUES(owner) OR {FREE}),\n"

LOOK = (
    "-- name: look\n-- of: acquire\n-- busy when: rows > 0\n"
    f"SELECT 1 FROM my_lock WHERE lock_key = @key AND owner IS NOT NULL AND NOT ({FREE});\n\n-- name: acquire\n"
)
ANY_CASE = "VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci"


def with_renewal(when):
    """INSERT_OR_TAKE with a renewal that writes a time and nothing else."""
    return INSERT_OR_TAKE.replace(
        "-- name: release\n",
        "-- name: renew\n-- done when: affected = 1\nUPDATE insert_or_take SET expires_at = UTC_TIMESTAMP(6) + "
        f"INTERVAL @ttl_us MICROSECOND WHERE lock_key = @key AND owner = @owner AND {when};\n\n-- name: release\n")


def by_the_clients_clock(when):
    """The same with each time from the client's clock."""
    expires = "UTC_TIMESTAMP(6) + INTERVAL @ttl_us MICROSECOND"
    text = with_renewal(when).replace(expires, "@expires").replace("UTC_TIMESTAMP(6)", "@now")
    return text.replace("-- lease: server", "-- lease: client")


SMALL = ("--rounds", "1", "--preemptions", "1", "--time-jumps", "1")
ENDS = "-- name: commit\nCOMMIT;\n\n-- name: rollback\nROLLBACK;\n\n"


def in_transactions(begin):
    """INSERT_OR_TAKE, each operation in a transaction that this statement begins."""
    return INSERT_OR_TAKE.replace(
        "-- name: acquire\n", f"-- name: begin\n-- of: acquire, release\n{begin};\n\n{ENDS}-- name: acquire\n")


# Name: what is planted, texts of the page's file and what stands in their place; kinds of which one must be named.
PLANTED = {
    "release_without_owner": (
        [(f"SET owner = NULL, writes = writes + 1\nWHERE {GUARD};", "SET owner = NULL\nWHERE lock_key = @key;")],
        {"foreign_release"},
    ),
    "renew_without_owner": (
        [(f"WHERE {GUARD} AND expires_at > UTC_TIMESTAMP(6);", "WHERE lock_key = @key;")],
        {"foreign_renew"},
    ),
    "never_busy": (
        [
            ("-- busy when: affected = 0", "-- granted when: always"),
            ("-- token: value\n", ""),
            (f"{GUARD} AND", "lock_key = @key AND owner = @owner AND"),
            (f"WHERE {GUARD};", "WHERE lock_key = @key AND owner = @owner;"),
        ],
        {"algorithm"},
    ),
    "no_expiry": ([(f" OR {FREE}", "")], {"stuck"}),
    "client_clock": (
        [
            ("-- lease: server", "-- lease: client"),
            ("UTC_TIMESTAMP(6) + INTERVAL @ttl_us MICROSECOND", "@expires"),
            ("UTC_TIMESTAMP(6)", "@now"),
        ],
        {"client_skew"},
    ),
    "token_stands_still": ([(RAISED, "")], {"algorithm", "overrun", "late_grant"}),
    "early_takeover": ([(FREE, f"{FREE} + INTERVAL 600000 MICROSECOND")], {"algorithm", "lost_lock"}),
    "whole_seconds": (
        [("DATETIME(6)", "DATETIME(0)"), ("UTC_TIMESTAMP(6) + INTERVAL", "UTC_TIMESTAMP(0) + INTERVAL")],
        {"algorithm", "lost_lock"},
    ),
    "keys_without_case": ([("lock_key VARBINARY(255)", f"lock_key {ANY_CASE}")], {"refused_free"}),
    "read_then_write": (
        [
            ("-- name: acquire\n", LOOK),
            (f"(owner IS NULL OR owner = VALUES(owner) OR {FREE})", "1"),
            (f"IF(owner IS NULL OR owner = VALUES(owner) OR {FREE}, VALUES(owner), owner)", "VALUES(owner)"),
        ],
        {"algorithm", "lost_lock"},
    ),
}


def planted(name):
    """The page's file with the bug in it: each text is there, and is replaced everywhere."""
    text = SOUND
    for old, new in PLANTED[name][0]:
        assert old in text, f"{name}: {old!r} is not in the page's file"
        text = text.replace(old, new)
    return text


class LockFile(ProgramTest):
    def file(self, text, name="my_lock.sql"):
        path = self.folder / name
        path.write_text(text)
        return path

    def tried(self, text, *words, name="my_lock.sql"):
        answer = self.call(PROGRAM, "try", self.file(text, name), "--json", "-q", "--out", self.out, *words)
        self.assertIn(answer.returncode, (0, 1), self.shown)
        return json.loads(answer.stdout)

    def nothing_broke(self, *words):
        told = self.tried(SOUND, *words)
        self.assertEqual((told["severity"], told["exit_code"]), ("nothing_broke", 0), self.shown)
        self.assertEqual(told["findings"], [], self.shown)

    def names_the_kind(self, name, *words):
        told = self.tried(planted(name), *words)
        self.assertEqual(told["exit_code"], 1, self.shown)
        kinds = {one["kind"] for one in told["findings"]}
        self.assertTrue(kinds & PLANTED[name][1], f"{name}: {sorted(kinds)}\n{self.shown}")


class Files(LockFile):
    def test_mistakes_are_named(self):
        out = ("--out", self.out)
        self.refused(["my_lock.sql:", "(did you mean 'busy when'?)"], PROGRAM, "try",
                     self.file(SOUND.replace("-- busy when:", "-- busy whn:")), *out)
        self.refused("my_lock.sql:18: in 'acquire': '?' is a driver's placeholder", PROGRAM, "try",
                     self.file(SOUND.replace("VALUES (@key,", "VALUES (?,")), *out)
        self.refused("my_lock.sql:1: the file says that a grant ends by itself, but no statement of acquire", PROGRAM,
                     "explore", self.file(SOUND.replace("@ttl_us MICROSECOND", "30 SECOND")), *out)
        three = SOUND.replace("-- lease:", "-- leas:").replace("-- busy when:", "-- busy whn:")
        three = three.replace("-- done when: affected > 0", "-- done when: afected > 0", 1)
        self.refused(["my_lock.sql:1: unknown word 'leas'", "(did you mean 'busy when'?)", "'afected > 0' is not a"],
                     PROGRAM, "try", self.file(three), *out)
        self.refused("no_such.sql", PROGRAM, "try", self.folder / "no_such.sql", *out)
        self.refused("two locks have the name", PROGRAM, "run", "generated", "--lock", "get_lock", "--lock-file",
                     self.file(SOUND, "get_lock.sql"), *out)

    # Each command takes the file in the place of a lock's name, and finds it by the lock's name.
    def test_commands_take_the_file(self):
        path = self.file(SOUND)
        plan = self.call(PROGRAM, "plan", path)
        self.assertEqual(plan.returncode, 0, self.shown)
        self.assertIn("my_lock/pause_critical_section\n", plan.stdout)
        for words in (["generated", "--lock", path], ["generated", "--lock", "my_lock", "--lock-file", path]):
            self.assertEqual(self.call(PROGRAM, "plan", *words).stdout, plan.stdout, words)
        beside = subprocess.run([PROGRAM, "plan", "generated", "--lock", "my_lock"], cwd=self.folder,
                                capture_output=True, text=True)
        self.assertEqual(beside.stdout, plan.stdout, beside.stderr)
        answer = self.run_suite(path, "--only", "my_lock/none", "-q")
        self.assertEqual(answer.returncode, 0, self.shown)
        compare = ("compare", path, "insert_lease", "--scenario", "quick/none", "--repeat", "1", "-q")
        answer = self.call(PROGRAM, *compare, "--out", self.out)
        self.assertEqual(answer.returncode, 0, self.shown)
        self.assertIn("my_lock", answer.stdout)
        self.file(TOKEN, "my_lock.redis")
        both = subprocess.run([PROGRAM, "try", "my_lock"], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(both.returncode, 2, both.stderr)
        self.assertIn("both exist", both.stderr)

    def test_transaction_of_an_acquire_holds(self):
        answer = self.explored(FOR_UPDATE, "for_update.sql", *SMALL)
        self.assertEqual(answer.returncode, 0, self.shown)
        self.assertIn("holds within its bounds", answer.stdout)
        answer = self.explored(FOR_UPDATE.replace(" FOR UPDATE;", ";"), "for_update.sql", *SMALL)
        self.assertEqual(answer.returncode, 0, self.shown)  # `row` has locked it already
        without_lock = FOR_UPDATE.replace("-- of: acquire\nSTART", "-- of: release\nSTART")
        answer = self.explored(without_lock, "for_update.sql", *SMALL)
        self.assertEqual(answer.returncode, 1, self.shown)

    # A stored run is never trusted for what is sent to a server.
    def test_changed_lock_file_is_refused(self):
        path = self.file(SOUND)
        only = ("--only", "my_lock/none")
        answer = self.run_suite("generated", "--lock", "my_lock", "--lock-file", path, "-q", *only)
        self.assertEqual(answer.returncode, 0, self.shown)
        run = self.latest()
        again = ("replay", run, "my_lock/none", "--out", self.out)
        self.assertEqual(self.call(PROGRAM, *again).returncode, 2, self.shown)
        self.assertEqual(self.call(PROGRAM, *again, "--lock-file", path).returncode, 0, self.shown)
        path.write_text(SOUND.replace("writes + 1", "writes + 2"))
        answer = self.call(PROGRAM, *again, "--lock-file", path)
        self.assertEqual(answer.returncode, 2, self.shown)
        self.assertIn("--lock-file", answer.stderr)

    def test_explore_accepts_a_lock_file(self):
        explore = (PROGRAM, "explore", "my_lock", "--budget", "300s", "--out", self.out, "--lock-file")
        answer = self.call(*explore, self.file(SOUND), "--faults", "0")
        self.assertEqual(answer.returncode, 0, self.shown)
        answer = self.call(*explore, self.file(planted("release_without_owner")), *SMALL)
        self.assertEqual(answer.returncode, 1, self.shown)
        self.assertIn("foreign_release", answer.stdout)

    def explored(self, text, name, *words):
        words = ("--faults", "0", "--budget", "300s", "--out", self.out, *words)
        return self.call(PROGRAM, "explore", self.file(text, name), *words)

    def test_transaction_is_recognized_in_any_spelling(self):
        for begin in ("SET autocommit = 0", "begin", "start transaction"):
            with self.subTest(begin):
                answer = self.explored(in_transactions(begin), "insert_or_take.sql", *SMALL)
                self.assertEqual(answer.returncode, 0, self.shown)
                self.assertIn("holds within its bounds", answer.stdout)
        # A session without autocommit that never commits shuts out all others.
        open_end = "-- name: session\n-- of: acquire\nSET autocommit = 0;\n\n-- name: acquire\n"
        answer = self.explored(INSERT_OR_TAKE.replace("-- name: acquire\n", open_end), "insert_or_take.sql", *SMALL)
        self.assertEqual(answer.returncode, 1, self.shown)
        self.assertIn("stuck", answer.stdout)

    def test_a_query_without_a_row_has_no_value(self):
        answer = self.explored(LOOK_FIRST, "look_first.sql")
        self.assertEqual(answer.returncode, 0, self.shown)
        self.assertIn("holds within its bounds", answer.stdout)
        answer = self.explored(LOOK_FIRST.replace("busy when: value = 0", "busy when: rows = 0"), "look_first.sql",
                               *SMALL)
        self.assertEqual(answer.returncode, 1, self.shown)
        self.assertIn("stuck", answer.stdout)

    # Acquire and renew come one after the other: on a server some time lies between them.
    def test_renewal_by_the_servers_clock_holds(self):
        answer = self.explored(with_renewal("expires_at > UTC_TIMESTAMP(6)"), "insert_or_take.sql")
        self.assertEqual(answer.returncode, 0, self.shown)
        self.assertIn("holds within its bounds", answer.stdout)
        answer = self.explored(with_renewal("expires_at <= UTC_TIMESTAMP(6)"), "insert_or_take.sql", *SMALL)
        self.assertEqual(answer.returncode, 1, self.shown)
        self.assertIn("lost_inside_lease", answer.stdout)

    # The same by the client's own clock.
    def test_renewal_by_the_clients_clock_holds(self):
        answer = self.explored(by_the_clients_clock("expires_at > @now"), "insert_or_take.sql")
        self.assertEqual(answer.returncode, 0, self.shown)
        self.assertIn("holds within its bounds", answer.stdout)
        answer = self.explored(by_the_clients_clock("expires_at <= @now"), "insert_or_take.sql", *SMALL)
        self.assertEqual(answer.returncode, 1, self.shown)
        self.assertIn("lost_inside_lease", answer.stdout)

    @unittest.skipUnless(postgres_folder(), "needs PostgreSQL, not installed; remedy: ./run setup postgres")
    def test_postgres_transaction_is_recognized_in_any_spelling(self):
        answer = self.explored(IN_SMALL_LETTERS, "pg_begin.postgres", *SMALL)
        self.assertEqual(answer.returncode, 0, self.shown)
        self.assertIn("holds within its bounds", answer.stdout)

    @unittest.skipUnless(postgres_folder(), "needs PostgreSQL, not installed; remedy: ./run setup postgres")
    def test_postgres_generated_numbers_are_explored(self):
        answer = self.explored(NUMBERED, "numbered.postgres", *SMALL)
        self.assertEqual(answer.returncode, 0, self.shown)
        self.assertIn("holds within its bounds", answer.stdout)
        answer = self.explored(NUMBERED.replace(" UNIQUE", ""), "numbered.postgres", *SMALL)
        self.assertIn("two_holders", answer.stdout)

    def test_printed_replay_command_works(self):
        path = self.file(planted("release_without_owner"))
        answer = self.call(PROGRAM, "explore", path, *SMALL, "--budget", "300s", "--out", self.out)
        self.assertEqual(answer.returncode, 1, self.shown)
        printed = re.search(r"foreign_release.*?\n  replay: (\S+) (.*?)\n", answer.stdout, re.DOTALL)
        again = self.call(PROGRAM, *shlex.split(printed[2]))
        self.assertEqual(again.returncode, 1, self.shown)
        self.assertIn("foreign_release", again.stdout)


class Two(LockFile):
    """Planted bugs are found, and the page's own file is not accused."""

    def test_sound_lock_file_breaks_nothing(self):
        self.nothing_broke("--for", "60")

    def test_missing_owner_test_is_found(self):
        self.names_the_kind("release_without_owner", "--for", "60")

    # One that inserts, or else takes over; no lease alone prevents what a stopped holder damages.
    def test_insert_or_take_breaks_no_promise(self):
        told = self.tried(INSERT_OR_TAKE, "--for", "60", name="insert_or_take.sql")
        self.assertEqual([one["kind"] for one in told["findings"] if one["promise_broken"]], [], self.shown)
        self.assertGreater(len(told["safe"]), 0, self.shown)

    def test_redis_lock_file_is_tried(self):
        told = self.tried(TOKEN, "--for", "40", name="my_token.redis")
        self.assertEqual([one["kind"] for one in told["findings"] if one["promise_broken"]], [], self.shown)
        bug = TOKEN.replace('redis.call("get", KEYS[1]) == ARGV[1]', "true")
        told = self.tried(bug, "--for", "60", name="my_token.redis")
        self.assertIn("foreign_release", {one["kind"] for one in told["findings"]}, self.shown)


class All(LockFile):
    """Slow: each planted bug, by the kind that it is."""

    def test_each_planted_bug_is_found(self):
        for name in PLANTED:
            with self.subTest(name):
                self.names_the_kind(name, "--for", "120")

    def test_sound_lock_file_breaks_nothing(self):
        self.nothing_broke("--for", "120")


if __name__ == "__main__":
    unittest.main()
