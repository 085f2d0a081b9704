"""A server whose machine really loses power: the effect of each setting on a row acknowledged just before, compared
with a kill; and the fault is unavailable, with the remedy, without such a disk."""

import unittest

from program import ProgramTest, quick, unshare

NOT_JUDGED = dict.fromkeys(("lease_exclusion", "mutual_exclusion", "resource", "ownership", "progress"), "not_judged")
HIDDEN = [*unshare("-m"), "sh", "-c", 'mount --bind /dev/null /dev/fuse; exec "$@"', "sh"]
REMEDIES = ("./run setup power_loss", "chmod 666 /dev/fuse", "modprobe fuse", "Linux 4.18")


class PowerLoss(ProgramTest):
    def trial(self, lock, server, fault="power_loss", prefix=()):
        """The one trial of a run with that fault at the second grant."""
        struck = {"fault": fault, "at": {"phase": "granted", "nth": 2}, "for_ms": 200}
        scenario = quick(locks=[lock], server=server, faults=[struck], expect={"*": NOT_JUDGED})
        self.run_suite(self.scenario("power", scenario), "--quiet", prefix=prefix)
        trial = self.verdict()["cells"][0]["trials"][0]
        if trial["outcome"] == "unavailable" and not prefix:
            self.assertTrue(any(remedy in trial["error"] for remedy in REMEDIES), trial["error"])
            self.skipTest(trial["error"])
        return trial

    def told(self, *arguments):
        trial = self.trial(*arguments)
        self.assertEqual(trial["error"], "", self.shown)
        self.assertEqual(trial["faults"][0]["acted"], 1, self.shown)
        return trial["faults"][0]["detail"]

    def assert_lost(self, lock, server):
        told = self.told(lock, server)
        self.assertRegex(told, r"power lost, server gone, probe refused; its disk lost [1-9]\d* bytes")
        self.assertIn("a row acknowledged just before was lost", told)
        told = self.told(lock, server, "server_kill")
        self.assertIn("a row acknowledged just before was kept", told, "a kill is no power loss")

    def test_log_synced_at_each_commit_keeps_the_row(self):
        told = self.told("insert_lease", {"innodb_flush_log_at_trx_commit": 1})
        self.assertIn("a row acknowledged just before was kept", told)

    def test_log_only_written_at_each_commit_loses_the_row(self):
        self.assert_lost("insert_lease", {"innodb_flush_log_at_trx_commit": 2})

    def test_log_synced_before_each_answer_keeps_the_row(self):
        told = self.told("redis_token", {"redis_persistence": "aof_always"})
        self.assertIn("a row acknowledged just before was kept", told)

    def test_log_synced_by_the_kernel_loses_the_row(self):
        self.assert_lost("redis_token", {"redis_persistence": "aof_no"})

    def test_power_loss_is_unavailable_without_fuse(self):
        trial = self.trial("insert_lease", {}, prefix=HIDDEN)
        self.assertEqual(trial["outcome"], "unavailable", self.shown)
        self.assertTrue(any(remedy in trial["error"] for remedy in REMEDIES), trial["error"])
        self.assertEqual(self.verdict()["exit_code"], 4, self.shown)


if __name__ == "__main__":
    unittest.main()
