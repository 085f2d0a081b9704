"""explore and replay of an adapter, by its requests: a flawed lock that must be found, and its sound twin."""

import json
import unittest

from own_adapters import AdapterTest
from program import PROGRAM

RELEASE = 'return "ok" if self.redis.eval(DELETE, 1, name, self.values.get(name, "")) else "not_held"'
IN_TWO_STEPS = """if self.redis.get(name) != self.values.get(name, "").encode():
            return "not_held"
        return "ok" if self.redis.delete(name) else "not_held\""""
ACQUIRE = """return "ok" if self.redis.set(name, self.values[name], nx=True, px=ask["lease_ms"]) else "busy\""""
SWALLOWED = """try:
            return "ok" if self.redis.set(name, self.values[name], nx=True, px=ask["lease_ms"]) else "busy"
        except redis.RedisError:
            return "ok\""""
DIES = """try:
            return "ok" if self.redis.set(name, self.values[name], nx=True, px=ask["lease_ms"]) else "busy"
        except redis.RedisError:
            raise SystemExit(3)"""
ONE_ROUND = ("--rounds", "1", "--attempts", "1", "--budget", "60s")
TIME_JUMPS = ("--preemptions", "1", "--time-jumps", "1", "--faults", "0")
FAULTS = ("--preemptions", "0", "--time-jumps", "0", "--faults", "1")


class ExploreAdapter(AdapterTest):
    def flawed(self, name="in_two_steps", sound=RELEASE, mistake=IN_TWO_STEPS):
        folder = self.made(name)
        program = folder / "lock.py"
        text = program.read_text()
        self.assertIn(sound, text)
        program.write_text(text.replace(sound, mistake))
        return folder

    def explored(self, folder, bounds, *more, code):
        done = self.call(PROGRAM, "explore", folder, *bounds, *ONE_ROUND, *more, "--out", self.out)
        self.assertEqual(done.returncode, code, self.shown)
        self.nothing_left()
        return done.stdout

    def test_two_step_release_is_found_and_replayed(self):
        folder = self.flawed()
        out = self.explored(folder, TIME_JUMPS, code=1)
        self.assertIn("in_two_steps: violated\ncomplete: ", out)
        self.assertIn("foreign_release: A released B's lock\n", out)
        self.assertIn("cause: between release.get and release.del of one client, acquire.set of another", out)
        self.assertIn("GET orders", out)
        self.assertIn("DEL orders", out)
        self.assertIn("at the requests of redis-py", out)
        self.assertIn("threads inside the library, and orders within a request", out)
        replay = self.out / "latest/in_two_steps.foreign_release.replay"
        again = self.call(PROGRAM, "replay", replay, "--adapter", folder, "--repeat", "5", "--out", self.out)
        self.assertEqual(again.returncode, 1, self.shown)
        self.assertIn("5 of 5 replays had the same result\n", again.stdout)
        self.assertIn("foreign_release: A released B's lock\n", again.stdout)

    def test_sound_twin_holds_completely(self):
        folder = self.made("sound")
        result = json.loads(self.explored(folder, TIME_JUMPS, "--json", code=0))
        self.assertEqual(result["verdict"], "holds")
        self.assertTrue(result["complete"])
        self.assertGreater(result["grants"], 0)
        self.assertEqual(result["at_requests"]["diverged"], 0, result["at_requests"])
        self.assertEqual([one["invariant"] for one in result["violations"] if one["severe"]], [])

    def test_faults_are_explored(self):
        result = json.loads(self.explored(self.flawed(), FAULTS, "--json", code=0))
        self.assertEqual(result["verdict"], "holds", "it needs time to pass")
        self.assertTrue(result["complete"])
        self.assertGreater(result["at_requests"]["restarts"], 0, "a killed client begins anew")

    def test_an_error_taken_for_a_grant_is_found_by_a_lost_reply(self):
        result = json.loads(self.explored(self.flawed("swallows", ACQUIRE, SWALLOWED), FAULTS, "--json", code=1))
        found = {one["invariant"]: one for one in result["violations"] if one["severe"]}
        self.assertIn("two_holders", found, result["violations"])
        self.assertEqual(found["two_holders"]["replay"], "A B!lost", "B's refusal never reaches it")
        self.assertEqual(result["at_requests"]["diverged"], 0, result["at_requests"])

    def test_an_adapter_that_ends_by_itself_ends_only_its_schedule(self):
        result = json.loads(self.explored(self.flawed("dies", ACQUIRE, DIES), FAULTS, "--json", code=3))
        self.assertEqual(result["verdict"], "undecided")
        self.assertTrue(result["complete"], result)
        self.assertGreater(result["at_requests"]["died"], 0)
        self.assertIn("exited with code 3", result["at_requests"]["last_death"])
        self.assertIn("in which an adapter ended by itself", "\n".join(result["not_explored"]))

    def test_labs_side_by_side_find_what_one_finds(self):
        folder = self.flawed()
        one = json.loads(self.explored(folder, TIME_JUMPS, "--json", "--jobs", "1", code=1))
        two = json.loads(self.explored(folder, TIME_JUMPS, "--json", "--jobs", "2", code=1))
        self.assertEqual((one["workers"], two["workers"]), (1, 2))
        self.assertTrue(two["complete"])
        causes = [{(find["invariant"], find["cause"]) for find in result["violations"]} for result in (one, two)]
        self.assertEqual(*causes)

    def test_unsteppable_lock_is_refused(self):
        two = self.call(PROGRAM, "explore", self.made("one"), "ip_lease", "--out", self.out)
        self.assertEqual(two.returncode, 2, self.shown)
        self.assertIn("explore it in a command of its own", two.stderr)
        elects = self.changed(self.made("elects"), kind="election")
        done = self.call(PROGRAM, "explore", elects, "--out", self.out)
        self.assertEqual(done.returncode, 2, self.shown)


if __name__ == "__main__":
    unittest.main()
