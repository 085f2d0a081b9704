"""The connection is cut after every statement of every lock on one MySQL or one Redis: no hang, no wrong class of
outcome, and the locks that are sound under it stay sound. HOLDFAST_CUT="LOCK LOCK..." names the only locks, for slow
builds."""

import json
import os
import re
import unittest

from program import PROGRAM, SOURCE, ProgramTest, quick

# A cut connection does not let two in: neither by their algorithm nor by a lost answer. nowait_lease_reentrant is not
# included: after an unanswered insert it finds its own row when it asks again, and enters it until just before it
# expires.
SOUND = {
    "insert_lease", "insert_lease_client_clock", "insert_lease_in_business_transaction", "insert_lease_partitioned",
    "insert_lease_upsert_renew", "get_lock", "fenced_lease", "leader_version_cas_unique_owner", "upsert_lease",
    "nowait_lease", "nowait_lease_in_transaction", "unique_row", "unique_row_in_transaction",
    "redis_setnx", "redis_set_ttl", "redis_watchdog", "redis_server_id", "redis_token", "redis_reentrant_printed",
    "redis_reentrant_stored",
}  # fmt: skip
ANY = "violated"
MOST_CELLS = 25  # in one run: a run has a time limit


def statements(lock):
    """The names in the lock's file, except its schema."""
    code = (SOURCE / "src/lock/algorithms" / f"{lock}.cpp").read_text()
    shared = re.search(r'\.statements = "(\w+)"', code)
    kind = "redis" if '.server = "redis"' in code else "sql"
    text = (SOURCE / kind / f"{shared.group(1) if shared else lock}.{kind}").read_text()
    return [name for name in re.findall(r"^(?:--|#) name: (\w+)", text, re.M) if name != "schema"]


class Cut(ProgramTest):
    def cell(self, lock, statement):
        """Long holds for locks that renew; the first passing of the statement loses its answer and the connection."""
        fault = {"fault": "reply_lost", "at": {"statement": statement, "when": "after"}}
        return quick(
            locks=[lock],
            # whole seconds cut nowait_lease's lease by up to a second, and a leader is busy for longer than one between
            # two of its ticks: long enough that the cut shows the cut only
            lease_ms=3000 if lock.startswith(("nowait_lease", "leader")) else 1000,
            faults=[fault],
            hold_ms=[450, 500],
            duration_ms=7000 if lock.startswith("leader") else 4000 if lock.startswith("ip") else 2500,
            coverage={"grants": 1, "attempts_in_hold": 0},
        )

    def test_connection_cut_after_every_statement(self):
        listed = self.locks_with_statements()
        locks = os.environ.get("HOLDFAST_CUT", "").split() or listed
        self.assertLessEqual(set(locks), set(listed))
        cells = {f"{lock}-{name}": (lock, name) for lock in locks for name in statements(lock)}
        self.assertGreater(len(cells), 2 * len(locks) - 4)
        for stem, (lock, name) in cells.items():
            self.scenario(stem, self.cell(lock, name))
        judged = 0
        for number in range(0, len(cells), MOST_CELLS):
            paths = [self.folder / "scenarios" / f"{stem}.json" for stem in list(cells)[number : number + MOST_CELLS]]
            self.run_suite(*paths, "--quiet")
            judged += self.judge(cells)
        self.assertEqual(judged, len(cells))

    def judge(self, cells):
        for cell in self.verdict()["cells"]:
            lock, name = cells[cell["scenario"]]
            trial = cell["trials"][0]
            where = f"{lock} cut after {name}: {json.dumps(trial)[:600]}"
            never_came = "injection point was never reached" in trial["error"]  # e.g. a take-over, where nothing lapsed
            self.assertTrue(trial["outcome"] != "harness_error" or never_came, where)
            self.assertNotEqual(trial["outcome"], "unavailable", where)
            if lock not in SOUND:
                continue
            seen = {p["property"]: p["judgement"] for p in trial["verdict"]["properties"]}
            for exclusion in ("lease_exclusion", "mutual_exclusion"):
                self.assertNotEqual(seen.get(exclusion), ANY, where)
        return len(self.verdict()["cells"])


if __name__ == "__main__":
    unittest.main()
