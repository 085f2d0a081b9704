"""Waits that are cancelled, by a lock that leaves nothing behind and by one that leaves a request on its way."""

import unittest

from telling import CANCELS, SHORT_WAITS, STARVED, TellingTest


class Cancel(TellingTest):
    def test_orphan_after_cancel_is_found(self):
        clean = self.lock("clean", CANCELS)
        orphan = self.lock("leaves_an_orphan", CANCELS, cancel="orphan")
        expect = {
            "clean": {"ownership": "not_exercised"},
            # Hardly any client is granted it after the first orphan: other results are left open.
            "leaves_an_orphan": {**dict.fromkeys(STARVED, "allowed"), "progress": "violated:orphan_after_cancel"},
        }
        scenario = {**SHORT_WAITS, "expect": expect, "why": {"leaves_an_orphan": "a request on its way takes the lock"}}
        found = self.tried(scenario, clean, orphan)
        self.assertEqual(self.answer.returncode, 0, self.shown)
        judged = found["clean"][0]["progress"]
        self.assertEqual(judged["judgement"], "holds")
        self.assertGreater(judged["coverage"]["cancelled_acquires"], 5)
        judged = found["leaves_an_orphan"][0]["progress"]
        # Waits for a processor that took half of the time would be an excuse: this wants a quiet machine.
        self.assertEqual(set(judged["kinds"]), {"orphan_after_cancel"}, judged)
        self.assertIn("cancelled the request", judged["witnesses"][0]["text"])
        self.nothing_left()

    def test_lock_without_cancel_is_unavailable(self):
        lock = self.lock("only_waits", ["wait"])
        self.tried(SHORT_WAITS, lock)
        self.assertEqual(self.outcomes(), {"only_waits/tried": "unavailable"}, self.shown)


if __name__ == "__main__":
    unittest.main()
