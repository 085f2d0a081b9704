"""A server whose commits wait for the disk: the setting acts, and shows statements that interfere in the server."""

import json
import unittest

from own_servers import postgres_folder
from program import SOURCE, ProgramTest, quick

DELAY_MS = 30
REPORTED = SOURCE / "tests/planted/reported"


class SlowCommits(ProgramTest):
    def shortest_grant_ms(self, lock, server):
        load = {"clients": 1, "lease_ms": 3000, "hold_ms": [5, 5], "duration_ms": 500}
        alone = {"coverage": {"grants": 1, "attempts_in_hold": 0}}
        path = self.scenario("alone", quick(locks=[lock], server=server, **load, **alone))
        self.run_suite(path, "--time", "skipped", "-q")
        asked, took_ms = {}, []
        self.assertIn(f"{lock}/alone", self.outcomes(), self.shown)
        for line in next(self.latest().glob("cells/*/alone/**/history.jsonl")).read_text().splitlines():
            event = json.loads(line)
            if event.get("f") != "acquire":
                continue
            if event["type"] == "invoke":
                asked[event["process"]] = event["time"]
            elif event["type"] == "ok":
                took_ms.append((event["time"] - asked[event["process"]]) / 1e6)
        self.assertTrue(took_ms, self.shown)
        return min(took_ms)

    def check_delay(self, lock):
        self.assertGreaterEqual(self.shortest_grant_ms(lock, {"commit_delay_ms": DELAY_MS}), DELAY_MS - 1)
        self.assertLess(self.shortest_grant_ms(lock, {}), DELAY_MS - 1)

    def test_mariadb(self):
        self.check_delay("insert_lease")

    @unittest.skipUnless(postgres_folder(), "needs PostgreSQL, not installed; remedy: ./run setup postgres")
    def test_postgres(self):
        self.check_delay("postgres_insert_lease")

    # The search, in which a statement is one step, finds nothing; and the session has its server's isolation level.
    @unittest.skipUnless(postgres_folder(), "needs PostgreSQL, not installed; remedy: ./run setup postgres")
    def test_a_subquery_that_is_not_evaluated_again_is_found(self):
        for lock, broken in (("durabletask_claim", True), ("claim_skip", False)):
            cell = f"{lock}/slow_commits"
            file = REPORTED / f"{lock}.postgres"
            self.run_suite("generated", "--lock-file", file, "--lock", lock, "--only", cell, "--repeat", "3", "-q")
            self.assertEqual(self.outcomes()[cell], "unexpected" if broken else "as_expected", self.shown)


if __name__ == "__main__":
    unittest.main()
