"""`holdfast run generated --lock NAME`: a suite that is made for a lock, on real servers."""

import json
import unittest

from program import PROGRAM, SOURCE, ProgramTest

SOUND = "fenced_lease"
RACY = "ip_lease"
PLAIN = "insert_lease"


class Generated(ProgramTest):
    def generated(self, lock, *more):
        return self.run_suite("generated", "--lock", lock, "-q", *more)

    def test_mistakes_are_named(self):
        out = ("--out", self.out)
        self.refused("no lock given", PROGRAM, "run", "generated", *out)
        self.refused("none of these scenarios fits", PROGRAM, "run", "galera", "--lock", "redis_token", *out)
        self.refused("did you mean 'ip_lease'", PROGRAM, "run", "generated", "--lock", "ip_leas", *out)
        words = "generated: cannot be combined with other suites"
        self.refused(words, PROGRAM, "run", "generated", "quick", "--lock", "ip_lease", *out)

    def test_list_shows_cells_without_trials(self):
        answer = self.call(PROGRAM, "plan", "generated", "--lock", SOUND)
        self.assertEqual(answer.returncode, 0, self.shown)
        lines = answer.stdout.splitlines()
        self.assertEqual(lines[0], f"{SOUND}/lapses")
        for name in "none", "crowd", "pause_critical_section", "pause_granted_after_token (possible)":
            self.assertIn(f"{SOUND}/{name}", lines)
        self.assertEqual(len(lines), len(set(lines)))
        self.assertIn("those that are possible are planned only if the first trial, lapses, shows", answer.stderr)
        plan = self.call(PROGRAM, "plan", "generated", "--lock", SOUND, "--only", f"{SOUND}/crowd").stdout
        self.assertEqual((json.loads(plan)["lock"], json.loads(plan)["clients"]), (SOUND, 8))
        plan = (PROGRAM, "plan", "generated", "--lock", SOUND, "--only")
        self.refused("has no plan yet", *plan, f"{SOUND}/pause_granted_after_token")

    def test_impossible_cell_is_refused_at_once(self):
        for pattern, words in (
            ("crwd", f"did you mean '{SOUND}/crowd'"),
            ("reenter", "it cannot run: the lock does not promise"),
            ("pause_granted_after_tokn", f"did you mean '{SOUND}/pause_granted_after_token'"),
        ):
            only = ("--lock", SOUND, "--only", f"{SOUND}/{pattern}")
            words = [f"--only {SOUND}/{pattern} matches no cell", words]
            self.refused(words, PROGRAM, "run", "generated", *only, "--out", self.out)
            self.refused(words, PROGRAM, "plan", "generated", *only)

    def test_first_stops_at_the_first_flaw(self):
        answer = self.generated(RACY, "--first")
        self.assertEqual(answer.returncode, 1, self.shown)
        verdict = self.verdict()
        self.assertIn("--first", verdict["stopped"])
        self.assertIn("unexpected", self.outcomes().values())

    # Two statements of a sound lock, each fault: all of it holds, and the moments were those that were meant.
    def test_sound_lock_passes(self):
        cells = ("pause_refused_before_acquire", "reply_lost_granted_after_token", "kill_granted_after_acquire", "none")
        answer = self.generated(SOUND, *(word for cell in cells for word in ("--only", f"{SOUND}/{cell}")))
        self.assertEqual(answer.returncode, 0, self.shown)
        self.assertEqual(set(self.outcomes()), {f"{SOUND}/{cell}" for cell in cells})
        left_out = {one["what"]: one["why"] for one in self.verdict()["not_tried"]}
        self.assertIn("does not promise", left_out["reenter"])
        trial = self.latest() / "cells" / SOUND / "reply_lost_granted_after_token" / "1"
        events = map(json.loads, (trial / "history.jsonl").read_text().splitlines()[1:])
        lost = [event for event in events if event.get("type") == "info" and event.get("f") == "acquire"]
        self.assertEqual({one["statements"][-1]["name"] for one in lost}, {"token"})

    # An adapter's cell strikes an attempt that is granted, and reports it.
    def test_faults_at_an_adapters_acquire_strike_grants(self):
        lock = "redis_token_py"
        cells = ("pause_acquire_request", "hold_acquire_request")
        only = (word for cell in cells for word in ("--only", f"{lock}/{cell}"))
        answer = self.generated(lock, "--adapter", SOURCE / "adapters" / lock, *only)
        self.assertEqual(answer.returncode, 0, self.shown)
        self.assertEqual(set(self.outcomes()), {f"{lock}/{cell}" for cell in cells}, "none is set apart")
        for cell in self.verdict()["cells"]:
            trial = self.latest() / "cells" / lock / cell["scenario"] / "1"
            events = [json.loads(line) for line in (trial / "history.jsonl").read_text().splitlines()[1:]]
            # A client that gave up waiting for what is held does not hear that it is granted.
            may_be = {"ok"} if cell["scenario"] == "pause_acquire_request" else {"ok", "info"}
            self.assertTrue(may_be & set(self.struck_attempts(events)), cell["scenario"])
            (proof,) = cell["trials"][0]["faults"]
            self.assertGreater(proof["struck"]["granted"] + proof["struck"]["unanswered"], 0)
        self.assertIn(", while the lock was free", self.shown)

    def struck_attempts(self, events):
        """The results of the acquires that were open when a fault began."""
        ends = []
        for at, fault in enumerate(events):
            if fault.get("step") != "begin":
                continue
            own = [one for one in events[at:] if one.get("client") in fault["clients"] and one.get("f") == "acquire"]
            ends += [one["type"] for one in own if one["type"] != "invoke"][:1]
        return ends

    # A holder that sleeps past its lease passes with a visible mark, also in its replay and the table.
    def test_allowed_lapse_has_its_own_mark(self):
        answer = self.generated(PLAIN, "--only", f"{PLAIN}/pause_critical_section")
        self.assertEqual(answer.returncode, 0, self.shown)
        self.assertEqual(set(self.outcomes().values()), {"allowed"})
        for words in ("1 with allowed violations", "(x) violated in an allowed way",
                      f"{PLAIN} is not known: it kept every promise"):  # fmt: skip
            self.assertIn(words, answer.stdout)
        folder = self.latest()
        self.assertIn("1 with allowed violations", self.call(PROGRAM, "table", folder).stdout)
        again = self.call(PROGRAM, "replay", folder, f"{PLAIN}/pause_critical_section", "--out", self.out)
        self.assertEqual(again.returncode, 0, self.shown)
        self.assertIn("(x)", again.stdout)

    def test_lock_option_replaces_a_suites_locks(self):
        only = ("--only", f"{PLAIN}/server_pause")
        answer = self.run_suite("scenarios/server", "--lock", PLAIN, "-q", *only)
        self.assertEqual(answer.returncode, 0, self.shown)
        self.assertEqual(set(self.outcomes()), {f"{PLAIN}/server_pause"})
        answer = self.run_suite("scenarios/server", "--lock", "redis_token", "-q", "--only", "redis_token/server_pause")
        self.assertEqual(answer.returncode, 0, self.shown)
        left_out = {one["what"]: one["why"] for one in self.verdict()["not_tried"]}
        self.assertIn("a different kind", left_out["server_kill_lost"])

    def test_resumed_run_makes_the_same_suite(self):
        only = ("--only", f"{SOUND}/none", "--only", f"{SOUND}/crowd")
        self.generated(SOUND, *only, "--time-budget", "1s")
        before = self.verdict()
        self.assertNotEqual(before["stopped"], "")
        folder = self.latest()
        answer = self.call(PROGRAM, "run", "--resume", folder, "-q")
        self.assertEqual(answer.returncode, 0, self.shown)
        self.assertEqual(set(self.outcomes()), {f"{SOUND}/none", f"{SOUND}/crowd"})


class Whole(ProgramTest):
    """Slow: the whole suite of a sound lock and of a flawed one."""

    def test_whole_suite_of_a_sound_lock_passes(self):
        answer = self.run_suite("generated", "--lock", SOUND, "-q")
        self.assertEqual(answer.returncode, 0, self.shown)
        names = {name.split("/")[1] for name in self.outcomes()}
        for name in ("lapses", "none", "crowd", "own_leases", "pause_critical_section", "kill_granted_after_acquire"):
            self.assertIn(name, names)


if __name__ == "__main__":
    unittest.main()
