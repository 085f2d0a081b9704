"""A fault strikes the client that its target selects, in the operation and at the state of the key that its injection
point names: seen in the history of real trials, from the struck client's operation and its earlier answers."""

import json
import unittest

from program import ProgramTest, quick


class Moments(ProgramTest):
    def struck(self, lock, fault, **changes):
        """Runs a trial with the fault; returns the struck client's operation, and the answers around it."""
        expect = {"*": {p: "not_judged" for p in ["ownership", "resource", "lease_exclusion", "mutual_exclusion"]}}
        name = f"m{len(list(self.folder.glob('scenarios/*')))}"
        load = {"clients": 4, "hold_ms": [120, 160], "coverage": {"grants": 1, "attempts_in_hold": 1}, **changes}
        scenario = quick(locks=[lock], expect=expect, faults=[fault], **load)
        answer = self.run_suite(self.scenario(name, scenario))
        self.assertIn(answer.returncode, (0, 3), self.shown)  # the test checks the victim, not the result
        lines = (self.latest() / f"cells/{lock}/{name}/1/history.jsonl").read_text().splitlines()[1:]
        events = [json.loads(line) for line in lines]
        begin = next(e for e in events if e.get("step") == "begin")
        [client] = begin["clients"]
        own = [e for e in events if e.get("client") == client and e.get("f") != "accepted"]
        before = [e for e in own if e["time"] <= begin["time"]]
        after = [e for e in own if e["time"] > begin["time"]]
        answers = [e for e in before if e["type"] != "invoke"]
        return {
            "of": before[-1]["f"] if before[-1]["type"] == "invoke" else None,
            "told_before": (answers[-1]["type"], answers[-1].get("reason")) if answers else None,
            "key_was": self.key_during(events, client, before[-1]["time"], begin["time"]),
        }

    def key_during(self, events, client, since, until):
        """States of the one key for the other clients at some instant between the call and the fault: held if one
        believed then that it held it, free if none did. Both, if that changed in between."""
        believing, was = set(), set()
        for e in events:
            if e["time"] > until:
                break
            if e["time"] >= since:
                was.add("held" if believing else "free")
            if e.get("client") not in (None, client):
                if (e.get("f"), e["type"]) == ("acquire", "ok"):
                    believing.add(e["client"])
                if (e.get("f"), e["type"]) in (("release", "ok"), ("release", "fail"), ("release", "info")):
                    believing.discard(e["client"])
        return was | {"held" if believing else "free"}

    def test_reply_lost_strikes_a_waiter(self):
        at = {"statement": "acquire", "when": "after"}
        anybody = self.struck("insert_lease", {"fault": "reply_lost", "at": at})
        self.assertEqual((anybody["of"], anybody["told_before"]), ("acquire", None), "the first that comes is struck")
        waiter = self.struck("insert_lease", {"fault": "reply_lost", "target": "waiter", "at": at})
        self.assertEqual((waiter["of"], waiter["told_before"]), ("acquire", ("fail", "busy")))

    def test_of_selects_the_operation_of_a_statement(self):
        for of in ("acquire", "renew"):
            at = {"statement": "select", "when": "before", "of": of}
            fault = {"fault": "pause", "at": at, "for_ms": 100}
            struck = self.struck("leader_version_cas", fault, lease_ms=3000, duration_ms=5000)
            self.assertEqual(struck["of"], of)

    def test_key_state_selects_the_injection_point(self):
        # The first arrivals come before any client read a grant, the later ones during a hold: so neither would be
        # struck as asked, were the state of the key not looked at.
        at = {"statement": "acquire", "when": "after", "of": "acquire"}
        held = self.struck("insert_lease", {"fault": "pause", "at": {**at, "key": "held", "nth": 1}, "for_ms": 100})
        self.assertIn("held", held["key_was"])
        free = self.struck("insert_lease", {"fault": "pause", "at": {**at, "key": "free", "nth": 6}, "for_ms": 100})
        self.assertIn("free", free["key_was"])


if __name__ == "__main__":
    unittest.main()
