"""Names that another client has planted on a target to be taken for holdfast's: they are never part of a statement,
none of their objects are touched, and those left alone are reported.
"""

import time
import unittest

from on_target import OnTarget
from own_servers import OwnMariaDb, OwnRedis, quoted
from program import PROGRAM, quick

SIGN = "made by holdfast; holdfast clean --target removes it"
RUN = "holdfast_0badcafe"
OURS = f"{RUN}_3_insert_lease"
# Each has our sign, and no name of ours.
PLANTED = [
    f"{RUN}_1_a`; DROP TABLE orders;-- x",
    f"{RUN}_1_`; DROP TABLE app.orders; SELECT '1",
    f"{RUN}_1_a' OR '1'='1",
    f"{RUN}_1_a\\",
    f"{RUN}_1_é",
    f"{RUN}_1_a b",
    f"{RUN}_1_a;b",
    f"{RUN}_1_",
    f"{RUN}__a",
    f"{RUN}_x_a",
    f"{RUN}_1234567890_a",
    f"{RUN}",
    f"{RUN}1_1_a",
    "HOLDFAST_0badcafe_1_a",
    "holdfast_0BADCAFE_1_a",
    "holdfast_0badcaf_1_a",
    "holdfast_'; DROP TABLE orders;--",
]
# Names like ours, with a sign that a server would take for ours in comparing.
UNSIGNED = {f"{RUN}_8_a": SIGN.upper(), f"{RUN}_8_b": SIGN + " ", f"{RUN}_8_c": "", f"{RUN}_8_d": SIGN + "\\0"}


class PlantedTables(OnTarget):
    kind = OwnMariaDb
    lock = "insert_lease"

    def setUp(self):
        self.tables = {**{name: SIGN for name in PLANTED}, **UNSIGNED}
        for name, comment in self.tables.items():
            self.own.sql(f"USE app; CREATE TABLE {quoted(name)} (n INT) COMMENT = '{comment}'")
        self.own.sql(f"USE app; CREATE VIEW {RUN}_9_view AS SELECT 1 AS n; CREATE SEQUENCE {RUN}_9_numbers")
        super().setUp()
        self.assertTrue(all(any(name in str(line) for line in self.before) for name in (PLANTED[0], *UNSIGNED)))

    def tearDown(self):
        for name in self.tables:
            self.own.sql(f"DROP TABLE app.{quoted(name)}")
        self.own.sql(f"USE app; DROP VIEW {RUN}_9_view; DROP SEQUENCE {RUN}_9_numbers")

    def leave_ours(self):
        self.own.sql(f"CREATE TABLE app.{OURS} (n INT) COMMENT = '{SIGN}'")
        self.assertIn(OURS, self.own_left())

    def test_clean_keeps_planted_tables(self):
        self.leave_ours()
        answer = self.clean()
        self.assertEqual(answer.returncode, 0, self.shown)
        self.assert_untouched()
        self.assertIn(f"1 tables {RUN}_... of an interrupted run: removed", answer.stdout)
        self.assertIn("do not belong to holdfast; not removed", answer.stdout)
        self.assertIn("'holdfast_'; DROP TABLE orders;--'", answer.stdout)
        self.assertRegex(answer.stdout, "and [0-9]+ more: have names like")
        self.assertNotIn("run: removed", self.clean().stdout)

    def test_run_keeps_planted_tables(self):
        self.leave_ours()
        answer = self.run_on(self.own.url(), self.scenario("none", quick()))
        self.assertEqual(answer.returncode, 0, self.shown)
        self.assert_untouched()
        self.assertIn(f"1 tables {RUN}_... of an interrupted run: removed", answer.stderr)
        self.assertIn("not removed", answer.stderr)

    def test_unremovable_table_does_not_keep_others(self):
        for number in (1, 3):
            self.own.sql(f"CREATE TABLE app.holdfast_{number}1111111_1_a (n INT PRIMARY KEY) COMMENT = '{SIGN}'")
        self.own.sql(
            "CREATE TABLE app.child (n INT, FOREIGN KEY (n) REFERENCES app.holdfast_11111111_1_a (n)) ENGINE = InnoDB"
        )
        answer = self.clean()
        self.assertIn("holdfast_11111111_... of a run that was cut short could not all be removed", answer.stdout)
        self.assertIn("1 tables holdfast_31111111_... of an interrupted run: removed", answer.stdout)
        self.own.sql("DROP TABLE app.child")
        self.clean()
        self.assert_untouched()

    def test_invalid_target_prefix_is_refused(self):
        for prefix in ("x`", "holdfast_0badcafe_1_`", "holdfast_0badcafe_", "holdfast_0badcafe_1_a"):
            answer = self.call(PROGRAM, "trial", "--folder", self.folder, "--target", f"{self.own.url()}#{prefix}")
            self.assertEqual(answer.returncode, 2, self.shown)
            self.assertIn("not the name of a trial", answer.stderr)
        self.assert_untouched()


class PlantedKeys(OnTarget):
    """Redis takes any name; the register says which are ours, and how many."""

    kind = OwnRedis
    lock = "redis_token"

    def plant(self, *fields):
        self.own.ask("HSET", "holdfast_runs", *fields)
        self.addCleanup(self.own.ask, "DEL", "holdfast_runs")

    def test_bounds_without_bounds(self):
        self.plant("holdfast_11111111", "999999999 999999", "holdfast_22222222", "2 1")
        self.own.ask("SET", "holdfast_22222222_2_k0", "ours")
        begun = time.monotonic()
        answer = self.clean()
        self.assertLess(time.monotonic() - begun, 30, self.shown)
        self.assertEqual(answer.returncode, 0, self.shown)
        self.assertIn("999999999 trials of 999999 keys", answer.stdout)
        self.assertIn("HDEL holdfast_runs holdfast_11111111", answer.stdout)
        self.assertIn("keys holdfast_22222222_... of an interrupted run: removed", answer.stdout)
        self.own.ask("DEL", "holdfast_runs")
        self.assert_untouched()

    def test_many_entries(self):
        """Each is as large as one may be: more than a clean looks for."""
        self.plant(*(word for n in range(20) for word in (f"holdfast_{n:08x}", "1000000 1")))
        begun = time.monotonic()
        answer = self.clean()
        self.assertLess(time.monotonic() - begun, 60, self.shown)
        self.assertEqual(answer.stdout.count("removed"), 1, self.shown)
        self.assertEqual(answer.stdout.count("holdfast clean again"), 19, self.shown)

    def test_malformed_entries_are_ignored(self):
        for name, entry in (
            ("holdfast_1111111`", "1 1"),
            ("HOLDFAST_11111111", "1 1"),
            ("holdfast_11111111", "-1 1"),
            ("holdfast_11111111", "1 1 "),
            ("holdfast_11111111", "1"),
            ("holdfast_11111111", "9999999999 1"),
            ("holdfast_11111111\n", "1 1"),
            ("h" * 100_000, "1 1"),
        ):
            self.own.ask("DEL", "holdfast_runs")
            self.plant(name, entry)
            answer = self.clean()
            self.assertEqual(answer.returncode, 4, self.shown)
            self.assertIn("holdfast_runs that is not holdfast's", answer.stderr)
            self.assertLess(len(answer.stderr), 2000)
        self.own.ask("DEL", "holdfast_runs")
        self.assert_untouched()


if __name__ == "__main__":
    unittest.main()
