"""explore and replay on the real program: flaws that must be found, a reference that must not, and what is left."""

import json
import os
import signal
import subprocess
import time
import unittest

from explorer import SMALL, ExploreTest
from program import PROGRAM, SOURCE, processes, wait_until


# Those in which nothing is found within the bounds of the test of leases below.
SOUND = ("fenced_lease", "insert_lease", "insert_lease_partitioned", "redis_token")

WITHIN = ("2 clients, 2 rounds of 2 attempts, at most 1 preemption, 1 time jump and 0 faults; "
          "lease 2000 ms, start 400 ms after a whole second")  # fmt: skip


class Explore(ExploreTest):
    def test_flaw_is_found_and_replayed(self):
        out = self.explore("upsert_lease", *SMALL, code=1)
        self.assertIn("upsert_lease: violated\ncomplete: ", out)
        self.assertIn("foreign_release: A released B's lock", out)
        self.assertIn("schedule: A +2.6s B A\n", out)
        self.assertIn("DELETE FROM upsert_lease WHERE lock_name = 'orders'", out)
        latest = self.out / "latest"
        verdict = json.loads((latest / "verdict.json").read_text())
        self.assertEqual(verdict["cells"][0]["outcome"], "unexpected")
        says = f"FAIL  1 of 1 lock violated within {WITHIN}  "
        self.assertTrue(verdict["sentence"].startswith(says), verdict["sentence"])
        self.assertRegex(verdict["started_utc"], r"^20\d\d-\d\d-\d\dT[\d:]{8}Z$")
        page = (latest / "report.html").read_text()
        self.assertIn("started " + verdict["started_utc"], page)
        head = page.split("<header", 1)[1].split("</header>", 1)[0]
        self.assertIn("upsert_lease: A released B&#39;s lock</span>", head)
        self.assertIn("the release must name", head)
        self.assertIn("Schedule: A +2.6s B A", page)
        self.assertNotIn("0.000 s", page.split("<header", 1)[1].split("<script", 1)[0])
        replay = latest / "upsert_lease.foreign_release.replay"
        steps = page.split('<table class="steps cards">', 1)[1].split("</table>", 1)[0]
        self.assertIn("DELETE FROM upsert_lease WHERE lock_name = &#39;orders&#39;", steps)
        self.assertIn("upsert_lease.foreign_release.replay</pre>", page)
        self.assertIn("\nlock upsert_lease\nschedule A +2.6s B A\n", replay.read_text())
        again = self.call(PROGRAM, "replay", replay, "--repeat", "20", "--out", self.out)
        self.assertEqual(again.returncode, 1, again.stderr)
        self.assertIn("foreign_release: A released B's lock\n20 of 20 replays identical\n", again.stdout)
        self.assertTrue(replay.exists(), "a replay has no reports, and is not the latest run")
        command = "explore upsert_lease " + " ".join(SMALL)
        self.assertTrue(verdict["command"].endswith(command), f"{verdict['command']} is not {command}")

    def test_schedules_in_docs_replay_as_described(self):
        for file in sorted((SOURCE / "docs/schedules").glob("*.replay")):
            expected = file.read_text().split(":")[0].removeprefix("# ")
            done = self.call(PROGRAM, "replay", file, "--out", self.out)
            self.assertEqual(done.returncode, 0 if expected == "nothing" else 1, self.shown)
            self.assertIn(f": {expected}" if expected != "nothing" else ": nothing is violated", done.stdout, file.name)

    def test_harmless_schedule_violates_nothing(self):
        replay = self.folder / "harmless.replay"
        replay.write_text("lock upsert_lease\nschedule A A B B\n")
        done = self.call(PROGRAM, "replay", replay, "--out", self.out)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("nothing is violated", done.stdout)
        replay.write_text("lock upsert_lease\nschedule A A!victim\n")
        done = self.call(PROGRAM, "replay", replay, "--out", self.out)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertIn("it does not wait for any client", done.stderr)

    def test_refused_schedule_leaves_nothing(self):
        schedules = {
            "letter": ("A D B", "'D': no such client here"),
            "word": (" ".join(["A"] * 30), "A cannot continue there"),
            "nothing": ("A A", "it does not violate any invariant of ip_lease"),
        }
        for name, (schedule, why) in schedules.items():
            file = self.folder / f"{name}.txt"
            file.write_text(f"lock ip_lease\nschedule {schedule}\n")
            commands = [["explore", "ip_lease", "--except", file, "--budget", "2s", "--jobs", "1"]]
            if name != "nothing":
                commands.append(["replay", file])
            for command in commands:
                with self.subTest(command=command[0], file=name):
                    done = self.call(PROGRAM, *command, "--out", self.out / "deep")
                    self.assertEqual(done.returncode, 2, self.shown)
                    self.assertIn(f"{file}: ", done.stderr)
                    self.assertIn(why, done.stderr)
                    self.assertFalse(self.out.exists(), [str(one) for one in self.out.rglob("*")])

    def test_refused_schedule_keeps_earlier_runs(self):
        found = self.call(PROGRAM, "explore", "ip_lease", *SMALL, "--out", self.out)
        self.assertEqual(found.returncode, 1, self.shown)
        before = sorted(self.out.iterdir()), os.readlink(self.out / "latest")
        done = self.call(PROGRAM, "explore", "ip_lease", "--except", "A D", "--out", self.out)
        self.assertEqual(done.returncode, 2, self.shown)
        self.assertEqual((sorted(self.out.iterdir()), os.readlink(self.out / "latest")), before)

    def test_merging_states_hides_nothing(self):
        bounds = ("--rounds", "1", "--time-jumps", "1", "--preemptions", "1", "--faults", "0", "--budget", "120s")
        for lock in ("ip_lease", "insert_lease", "redis_set_ttl"):
            merged = self.explored(lock, *bounds, code=0 if lock == "insert_lease" else 1)
            plain = self.call(PROGRAM, "explore", lock, *bounds, "--no-merge", "--json", "--out", self.out)
            plain = json.loads(plain.stdout)
            self.assertTrue(merged["complete"] and plain["complete"], lock)
            costs = [{name: one["time_jumps"] + one["preemptions"] for name, one in self.found(result).items()}
                     for result in (merged, plain)]  # fmt: skip
            self.assertEqual(costs[0], costs[1], lock)
            self.assertLess(merged["schedules"], plain["schedules"], lock)

    def test_merging_states_hides_nothing_in_any_lock(self):
        """Covers locks on one MySQL or one Redis. Those with transactions, or with a table to make first, take
        longer: each gets a smaller bound."""
        locks = self.locks_with_statements()
        self.assertGreater(len(locks), 20)
        for lock in locks:
            statements = SOURCE / f"sql/{lock}.sql"
            text = statements.read_text() if statements.exists() else ""
            slow = "START TRANSACTION" in text or "-- name: find_table" in text
            bounds = ["--attempts", "1", "--budget", "120s", "--preemptions", "1", "--faults", "1", "--json"]
            bounds += ["--rounds", "1", "--time-jumps", "0"] if slow else ["--time-jumps", "1"]
            bounds += ["--out", self.out]
            both = [json.loads(self.call(PROGRAM, "explore", lock, *bounds, *merge).stdout)
                    for merge in ((), ("--no-merge",))]  # fmt: skip
            self.assertTrue(both[0]["complete"] and both[1]["complete"], lock)
            costs = [{name: one["time_jumps"] + one["preemptions"] + one["faults"]
                      for name, one in self.found(result).items()} for result in both]  # fmt: skip
            self.assertEqual(costs[0], costs[1], lock)
            self.assertLessEqual(both[0]["schedules"], both[1]["schedules"], lock)

    def test_reference_lock_holds(self):
        result = self.explored("fenced_lease", *SMALL, code=0)
        self.assertEqual((result["verdict"], result["complete"], result["violations"]), ("holds", True, []))
        self.assertGreater(result["schedules"], 500)

    def test_sound_lock_has_no_finds_for_any_lease(self):
        self.assert_silent("redis_token", (500, 3500, 100000), (400,))
        self.assert_silent("insert_lease", (2500,), (400,))
        self.assert_silent("fenced_lease", (10000,), (400,))

    def test_sound_locks_have_no_finds_over_leases_and_fractions(self):
        for lock in SOUND:
            self.assert_silent(lock, (1, 500, 999, 1000, 1900, 2500, 3500, 10000, 60000), (0, 400, 999))

    def assert_silent(self, lock, leases, fractions):
        bounds = ("--rounds", "1", "--preemptions", "0", "--time-jumps", "1", "--faults", "1", "--budget", "120s")
        for lease in leases:
            for fraction in fractions:
                with self.subTest(lock=lock, lease=lease, fraction=fraction):
                    result = self.explored(lock, *bounds, "--lease", str(lease), "--fraction", str(fraction), code=0)
                    self.assertEqual((result["verdict"], result["complete"]), ("holds", True))

    def test_whole_second_lease_is_promised_rounded(self):
        bounds = ("--faults", "0", "--preemptions", "1", "--time-jumps", "1")
        out = self.explore("upsert_lease", "--lease", "1900", *bounds, code=1)
        self.assertIn("lease 2000 ms (rounded to whole seconds for its interface from 1900)", out)
        self.assertNotIn("two_holders", out)
        self.assertIn("foreign_release", out)
        self.assertNotIn("rounded", self.explore("upsert_lease", "--lease", "2000", *bounds, code=1))

    def test_matched_row_counts_admit_all_clients(self):
        nothing = ("--preemptions", "0", "--time-jumps", "0", "--faults", "0")
        result = self.explored("upsert_lease+found_rows", *nothing, code=1)
        self.assertEqual(self.found(result)["two_holders"]["replay"], "A B")

    def test_a_row_lock_makes_others_wait(self):
        result = self.explored("insert_lease_in_business_transaction", "--preemptions", "0", "--time-jumps", "0",
                               "--faults", "1", "--rounds", "1", code=1)  # fmt: skip
        cut = self.found(result)["two_holders"]
        self.assertIn("!cut", cut["replay"])
        self.assertNotIn("stuck", self.found(result))

    def test_faults_are_found_only_if_allowed(self):
        without = self.explored("get_lock", "--faults", "0", "--budget", "60s", code=0)
        self.assertEqual(without["verdict"], "holds")
        result = self.explored("get_lock", "--faults", "1", "--preemptions", "0", "--budget", "60s", code=1)
        self.assertEqual(self.found(result)["two_holders"]["faults"], 1)

    def test_hashed_key_needs_new_tables(self):
        """unique_row's primary key is a hash: rows of earlier schedules would be in the way under any other name."""
        bounds = ("--preemptions", "1", "--time-jumps", "0", "--faults", "1", "--budget", "60s")
        result = self.explored("unique_row", *bounds, code=1)
        self.assertEqual((result["verdict"], result["complete"]), ("violated", True))
        self.assertIn("stuck", self.found(result))

    def test_most_statements_are_answered_from_memory(self):
        result = self.explored("upsert_lease", "--budget", "60s", code=1)
        self.assertTrue(result["complete"])
        self.assertGreater(result["statements"]["memoized"], 10 * result["statements"]["asked"])

    def test_search_over_budget_is_undecided(self):
        result = self.explored("fenced_lease", "--faults", "3", "--time-jumps", "5", "--budget", "2s", code=3)
        self.assertEqual((result["verdict"], result["complete"]), ("undecided", False))
        self.assertGreater(result["left"], 0)

    def test_mistakes_are_named(self):
        mistakes = {"ip_leese": "unknown lock 'ip_leese'", "": "--all", "ip_lease --budget x": "--budget"}
        for arguments, word in mistakes.items():
            done = self.call(PROGRAM, "explore", *arguments.split(), "--out", self.out)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(word, done.stderr)

    def started(self):
        process = subprocess.Popen(
            [PROGRAM, "explore", "fenced_lease", "--faults", "5", "--budget", "100s", "--out", str(self.out)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=self.folder,
        )  # fmt: skip
        self.addCleanup(process.kill)
        self.assertTrue(wait_until(lambda: (self.out / "latest/server.log").exists()))
        time.sleep(2)
        self.assertGreaterEqual(len(processes(str(self.out))), 4, "lab, explorer and server are there")
        return process

    def test_ctrl_c_reports_finds_so_far(self):
        process = self.started()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
        self.assertEqual(process.returncode, 130, out + err)
        self.assertIn("fenced_lease", out)
        self.assertIn("cut off", out)
        self.assertTrue(wait_until(lambda: not processes(str(self.out)), 5), processes(str(self.out)))
        self.assertFalse((self.out / "latest/verdict.json").exists(), "incomplete")

    def test_killed_explore_leaves_nothing(self):
        process = self.started()
        os.kill(process.pid, signal.SIGKILL)
        process.communicate(timeout=30)
        self.assertTrue(wait_until(lambda: not processes(str(self.out)), 5), processes(str(self.out)))


if __name__ == "__main__":
    unittest.main()
