"""Usage errors: exit 2, the right words on standard error, nothing on standard output, nothing started."""

import json
import os
import re
import unittest

from program import PROGRAM, SOURCE, ProgramTest, quick


class Usage(ProgramTest):
    def refused_run(self, words, *arguments):
        self.refused(words, *self.run_command(*arguments))

    def refused_scenario(self, words, content):
        self.refused_run(["scenarios/x.json:", *words], self.scenario("x", content))

    def test_commands_and_flags(self):
        scenario = self.scenario("none", quick())
        self.refused("no command given; remedy: holdfast --help", PROGRAM)
        self.refused("unknown flag '-x'; known: --help, --version", PROGRAM, "-x")
        self.refused("which shell? remedy: holdfast completion bash", PROGRAM, "completion")
        self.refused("holdfast: --jobs: ", PROGRAM, "run", scenario, "--jobs", "0")
        self.refused("; remedy: holdfast run --help", PROGRAM, "run", scenario, "--jobs", "0")
        self.refused("suite", PROGRAM, "run")
        self.refused_run("--repeat", scenario, "--repeat", "0")
        self.refused_run("--repeat", scenario, "--repeat", "many")
        self.refused_run("--jobs", scenario, "--jobs", "0")
        self.refused_run("--color", scenario, "--color", "blue")
        self.refused("--seed", PROGRAM, "run", scenario, "--seed", "x", "--out", self.out)
        for command in (("run", scenario), ("plan", scenario), ("explore", "ip_lease")):
            self.refused("--seed", PROGRAM, *command, "--seed", "-1")

    def test_plan_prints_one_line_per_cell(self):
        scenario = self.scenario("none", quick(locks=["insert_lease", "get_lock"]))
        both = self.call(PROGRAM, "plan", scenario, "--only", "*").stdout.splitlines()
        self.assertEqual([json.loads(line)["lock"] for line in both], ["insert_lease", "get_lock"])
        one = self.call(PROGRAM, "plan", scenario, "--only", "get_lock/none").stdout
        self.assertGreater(len(one.splitlines()), 10)
        self.assertEqual(json.loads(one)["lock"], "get_lock")

    def test_missing_paths_are_refused(self):
        """A link to itself, and a name that no file can have: the input is wrong, not the harness."""
        link = self.folder / "round.json"
        link.symlink_to(link.name)
        scenario = self.scenario("none", quick())
        for path, why in ((link, "Too many levels of symbolic links"), ("x" * 300, "File name too long")):
            for command in (
                ("plan", path), ("run", path, "--out", self.out), ("check", path), ("report", path), ("replay", path),
                ("merge", path), ("table", path), ("explore", path), ("compare", "get_lock", "--scenario", path),
                ("merge", path, "--baseline", path), ("plan", scenario, "--lock-file", path), ("run", "--resume", path),
            ):  # fmt: skip
                with self.subTest(command=command[0], why=why):
                    self.refused("holdfast: ", PROGRAM, *command)
                    self.assertNotIn("filesystem error", self.shown)
                    self.assertTrue(str(path)[:20] in self.shown or why in self.shown, self.shown)

    def test_only_accepts_a_file(self):
        scenario = self.scenario("none", quick(locks=["insert_lease", "get_lock"]))
        chosen = self.folder / "cells.txt"
        chosen.write_text("# two\n\n  get_lock/*  # by its lock\r\ninsert_lease/none\n")
        both = self.call(PROGRAM, "plan", scenario, "--only", f"@{chosen}").stdout.splitlines()
        self.assertEqual([json.loads(line)["lock"] for line in both], ["insert_lease", "get_lock"])
        for text, words in (
            ("# none\nget_lok/none\n", "cells.txt:2: get_lok/none matches no cell (did you mean 'get_lock/none'?)"),
            ("get_lock/none insert_lease/none\n", "cells.txt:1: 'get_lock/none insert_lease/none' is not a pattern"),
            ("get_lock/none\n@more.txt\n", "cells.txt:2: a file of patterns cannot name another file"),
            ("# nothing\n", "cells.txt: has no pattern"),
        ):
            chosen.write_text(text)
            for command in ("run", scenario, "--out", self.out), ("plan", scenario), ("soak", scenario):
                self.refused(words, PROGRAM, *command, "--only", f"@{chosen}")
        self.refused("nowhere.txt: cannot be read", PROGRAM, "plan", scenario, "--only", "@nowhere.txt")
        self.refused("the file's name is missing; remedy: --only @FILE", PROGRAM, "plan", scenario, "--only", "@")

    def test_commands_with_progress_have_quiet(self):
        for command in "run", "try", "compare", "curve", "explore", "soak", "replay", "doctor", "libraries run":
            self.assertIn("--quiet", self.call(PROGRAM, *command.split(), "--help").stdout, command)

    def test_help_is_a_command(self):
        for words, flags in [(("help",), ("--help",)), (("help", "check"), ("check", "--help"))]:
            shown = self.call(PROGRAM, *words)
            self.assertEqual(shown.returncode, 0, self.shown)
            self.assertEqual(shown.stdout, self.call(PROGRAM, *flags).stdout)
        self.refused("unknown subcommand 'chek'", PROGRAM, "help", "chek")

    def test_folder_without_a_scenario_hides_no_suite(self):
        own = self.folder / "quick"
        own.mkdir()
        (own / "notes.txt").write_text("not a scenario")
        answer = self.call(PROGRAM, "plan", "quick")
        self.assertEqual((answer.returncode, answer.stdout.count("fenced_lease") > 0), (0, True), self.shown)
        self.assertIn("no scenario", self.call(PROGRAM, "plan", ".").stderr)
        (own / "mine.json").write_text("{}")
        self.assertIn("quick/mine.json", self.call(PROGRAM, "plan", "quick").stderr)

    def test_usage_errors_get_the_nearest_word(self):
        scenario = self.scenario("none", quick())
        for words, command in [
            ("unknown subcommand 'nonsense'; known: run, try, compare, curve, explore, soak, replay,", ["nonsense"]),
            ("unknown subcommand 'chek' (did you mean 'check'?)", ["chek"]),
            ("unknown flag '--nonsense'; known:", ["run", scenario, "--nonsense"]),
            ("unknown flag '--sed' (did you mean '--seed'?)", ["run", scenario, "--sed", "7"]),
            ("unknown flag '--job' (did you mean '--jobs'?)", ["run", scenario, "--job=7"]),
            ("unknown flag '--jsn' (did you mean '--json'?)", ["list", "--jsn"]),
            ("WHAT: unknown value 'more'; known: locks,", ["list", "more"]),
            ("WHAT: unknown value 'lock' (did you mean 'locks'?)", ["list", "lock"]),
            ("NAME: unknown value 'scenaro' (did you mean 'scenario'?)", ["schema", "scenaro"]),
            ("--format: unknown value 'junt' (did you mean 'junit'?)", ["report", "--format", "junt"]),
            ("--color: unknown value 'blue'; known: auto, always, never", ["run", scenario, "--color", "blue"]),
            ("--repeat: must be a number from 1 to 100000, not '0'", ["run", scenario, "--repeat", "0"]),
            ("--repeat: must be a number from 1 to 100000, not 'many'", ["run", scenario, "--repeat", "many"]),
            ("--jobs: the value is missing; remedy: holdfast run --help", ["run", scenario, "--jobs"]),
            ("RUN is missing; remedy: holdfast replay --help", ["replay"]),
            ("a subcommand is missing; remedy: holdfast adapter --help", ["adapter"]),
            ("--out: the value is empty; remedy: give a value, or leave the option out",
             ["run", scenario, "--out", ""]),
            ("--write-baseline: the value is empty; remedy: give a value", ["run", scenario, "--write-baseline="]),
            ("argument 2: the value is empty; remedy: give a value, or leave the option out", ["merge", ""]),
            ("--write-baseline: . is a folder; remedy: name a file", ["run", scenario, "--write-baseline", "."]),
            ("--out: . is a folder; remedy: name a file", ["report", "--out", "."]),
        ]:
            with self.subTest(command=command):
                self.refused(words, PROGRAM, *command)
                self.assertEqual(len(self.shown.split("\n\n")[1].strip().splitlines()), 1, self.shown)
                self.assertNotIn("sabotage", self.shown)
                self.assertNotIn("client", self.shown, "hidden commands stay hidden")

    def test_too_large_loads_are_refused(self):
        self.refused_scenario(["x.json:1: clients: must be from 1 to 500"], quick(clients=501))
        self.refused_scenario(["x.json:1: keys: must be from 1 to 64"], quick(keys=65))
        fault = {"fault": "pause", "at": {"phase": "granted"}, "for_ms": 1}
        self.refused_scenario(["x.json:1: faults[16]: at most 16 faults"], quick(faults=[fault] * 17))

    def test_paths(self):
        empty = self.folder / "empty"
        empty.mkdir()
        self.refused_run("nowhere.json: cannot be read", "nowhere.json")
        self.refused_run("quik: no such folder or scenario (did you mean 'quick'?)", "quik")
        self.refused_run("(did you mean 'scenarios/quick'?)", "scenarios/quik")
        self.refused_run("this is a lock; remedy: holdfast run generated --lock redis_token", "redis_token")
        self.refused_run("one of the built-in folders: cluster", "nothing_like_it")
        meant = "unknown key 'lease' (did you mean 'lease_ms'?)"
        self.refused(meant, PROGRAM, "compare", "ip_lease", "--set", "lease=1")
        self.refused("(did you mean 'lease_ms'?)", PROGRAM, "compare", "ip_lease", "--set", "lease=")
        self.refused_run("no scenario (*.json)", empty)
        self.refused("nowhere.jsonl", PROGRAM, "check", "nowhere.jsonl")
        for words, file in [
            ("has no verdict.json, so it is not a run's folder; "
             "remedy: give a run's folder, or start a run with holdfast run", None),
            ("is a comparison's folder; its page is compare.html; remedy:", "compare.json"),
            ("is an envelope's folder; its page is envelope.html; remedy:", "envelope.json"),
            ("is a curve's folder; its page is curve.html; remedy:", "curve.json"),
        ]:
            if file:
                (empty / file).write_text("{}")
            self.refused(words, PROGRAM, "report", empty)
            self.refused(words, PROGRAM, "replay", empty, "get_lock/none")
            if file:
                (empty / file).unlink()
        (empty / "run.json").write_text("{}")
        self.refused(f"did not finish; remedy: holdfast run --resume {empty}", PROGRAM, "report", empty)
        for command in ["report", "nowhere"], ["replay", "nowhere", "get_lock/none"]:
            self.refused("nowhere: no such folder; remedy:", PROGRAM, *command)
        scenario = self.scenario("none", quick())
        self.refused("remedy: --out", PROGRAM, "run", scenario, "--out", "/proc/nowhere")

    def test_scenarios_by_name(self):
        for named in ("quick/kill", "scenarios/quick/kill", SOURCE / "scenarios" / "quick" / "kill"):
            answer = self.call(PROGRAM, "plan", named)
            self.assertEqual(answer.returncode, 0, self.shown)
            self.assertIn("insert_lease/kill", answer.stdout.splitlines())

    def test_filters_that_match_nothing(self):
        scenario = self.scenario("none", quick())
        self.refused_run("--only get_lock/none matches no cell", scenario, "--only", "get_lock/none")
        self.refused_run("no cell (did you mean 'insert_lease'?)", scenario, "--only", "insert_leese")
        self.refused_run("no cell (did you mean 'insert_lease/none'?)", scenario, "--only", "insert_lease/non")
        self.refused_run("--only */nun matches no cell", scenario, "--only", "insert_lease/none", "--only", "*/nun")

    def test_scenarios_in_docs_are_valid(self):
        page = (SOURCE / "docs" / "scenario.md").read_text()
        printed = re.findall(r"^```json\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
        self.assertEqual(len(printed), 1)
        for number, text in enumerate(printed):
            path = self.folder / f"printed{number}.json"
            path.write_text(text)
            self.assertEqual(self.call(PROGRAM, "plan", path).returncode, 0, self.shown)

    def test_names_in_scenarios(self):
        without = {key: value for key, value in quick().items() if key != "locks"}
        words = ["x.json:1: 'locks' is missing (did you mean it by 'lock'?)"]
        self.refused_scenario(words, json.dumps({**without, "lock": ["get_lock"]}))
        words = ["locks[0]", "unknown lock 'get_lok' (did you mean 'get_lock'?)"]
        self.refused_scenario(words, quick(locks=["get_lok"]))
        self.refused_scenario(["unknown variant 'fond_rows'"], quick(locks=["get_lock+fond_rows"]))
        self.refused_scenario(["unknown key 'lease_mss' (did you mean 'lease_ms'?)"], quick(lease_mss=1))
        fault = {"fault": "puase", "at": {"time_ms": 0}}
        self.refused_scenario(["unknown fault 'puase' (did you mean 'pause'?)"], quick(faults=[fault]))
        fault = {"fault": "pause", "at": {"phase": "grantd"}}
        self.refused_scenario(["unknown phase 'grantd' (did you mean 'granted'?)"], quick(faults=[fault]))
        fault = {"fault": "client_skew", "at": {"time_ms": 0}}
        self.refused_scenario(["faults[0]: 'step_ms' is missing"], quick(faults=[fault]))

    def commands(self):
        listed = self.call(PROGRAM, "--help").stdout.split("Subcommands:")[1].split("Examples:")[0]
        return re.findall(r"^  ([a-z]+)", listed, re.MULTILINE)

    def test_help_fits_the_terminal_width(self):
        narrow = {**os.environ, "COLUMNS": "80"}
        for command in self.commands():
            text = self.call(PROGRAM, command, "--help", env=narrow).stdout
            self.assertNotRegex(text, r"INT|UINT|TEXT|Excludes|\{|\[\d", command)
            wide = [line for line in text.splitlines() if len(line) > 80 and " " in line.strip()]
            self.assertEqual(wide, [], command)
        text = self.call(PROGRAM, "try", "--help", env=narrow).stdout
        self.assertIn("  --for TIME                Time limit, from 20s to 24h: 90s, 5m;", text)
        self.assertIn("running finish (default: 90s)", " ".join(text.split()))
        self.assertIn("--color auto|always|never\n", text)

    def test_help_examples_exist(self):
        for command in self.commands():
            text = self.call(PROGRAM, command, "--help").stdout
            examples = re.findall(rf"^  holdfast {command}( .*)?$", text.split("Examples:")[1], re.MULTILINE)
            self.assertGreater(len(examples), 0, command)
            for flag in re.findall(r"--[a-z-]+", " ".join(examples)):
                self.assertIn(f"  {flag}", text.split("Examples:")[0], command)


if __name__ == "__main__":
    unittest.main()
