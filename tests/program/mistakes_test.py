"""Forty likely mistakes: each is refused with one line that says what to do, and never in a parser's words."""

import json
import unittest

from program import PROGRAM, ProgramTest, quick

STATEMENTS = """# lease: server

# name: acquire
# granted when: status OK
SET $key $owner NX PX $ttl_ms

# name: release
# done when: affected > 0
DEL $key
"""

# The command: words of its only line. `{RUN}` is a run's folder.
MISTAKES = {
    # names
    "rn quick": "unknown subcommand 'rn' (did you mean 'run'?)",
    "run qick": "qick: no such folder or scenario (did you mean 'quick'?)",
    "run quick --sed 4": "unknown flag '--sed' (did you mean '--seed'?)\n",
    "try fenced_leas": "--lock: unknown lock 'fenced_leas' (did you mean 'fenced_lease'?); remedy: --adapter FOLDER",
    "try xyzzyplugh": "--lock: unknown lock 'xyzzyplugh'; the nearest: get_lock, go_redsync, ip_lease; remedy: ",
    "explore insert_leas": "unknown lock 'insert_leas' (did you mean 'insert_lease'?); remedy: use a name from",
    "explore xyzzyplugh": "unknown lock 'xyzzyplugh'; the nearest: get_lock, go_redsync, ip_lease; remedy: use",
    "run quick --only ip_leas/pause": "matches no cell (did you mean 'ip_lease/pause'?)",
    "doctor quik": "quik: no such folder or scenario (did you mean 'quick'?)",
    "list lock": "unknown value 'lock' (did you mean 'locks'?)",
    "schema scenaro": "unknown value 'scenaro' (did you mean 'scenario'?)",
    "report --format junt": "unknown value 'junt' (did you mean 'junit'?)",
    "completion ksh": "unknown value 'ksh' (did you mean 'zsh'?)",
    "adapter new ruby x": "unknown language 'ruby'; known: go, java, node, python, shell",
    "libraries install redis-py": "unknown library 'redis-py' (did you mean 'redis_py'?)",
    "curve insert_lease --fault paus": "unknown fault 'paus' (did you mean 'pause'?)",
    "compare insert_lease --envelope paus": "unknown fault 'paus' (did you mean 'pause'?)",
    # numbers and times
    "run quick --seed -1": "--seed: must be a number from 0 up; remedy: holdfast run --help",
    "run quick --jobs 0": "--jobs: must be a number from 1 to 256, not '0'",
    "run quick --seeds 5..1": "the last is smaller than the first; remedy: --seeds 1..5",
    "run quick --shard 5/4": "shards are numbered from 1 to 4; remedy: --shard 2/4",
    "run quick --shard 1/2": "each shard would draw its own seed; remedy: add --seed N",
    "run quick --time-budget 10": "--time-budget 10: not a time; remedy: --time-budget 90s, 10m or 2h",
    "try fenced_lease --for 2": "--for 2: must be from 20s to 24h; remedy: --for 90s, or 5m",
    "try fenced_lease --for 2x": "--for 2x: not a time; remedy: --for 90s, 10m or 2h",
    "soak quick --for soon": "--for soon: not a time; remedy: --for 90s, 10m or 2h",
    # the wrong file
    "try log.jsonl": "log.jsonl: is a log of calls, not a lock; remedy: holdfast check log.jsonl",
    "run log.jsonl": "log.jsonl: is a log of calls, not a suite; remedy: holdfast check log.jsonl",
    "check my_lock.redis": "is a file of statements (a lock), not JSON; remedy: holdfast try my_lock.redis",
    "report my_lock.redis": "is a file of statements (a lock), not JSON; remedy: holdfast try my_lock.redis",
    "adapter check my_lock.redis": "is a file of statements (a lock), not JSON; remedy: holdfast try ",
    "run quick --baseline my_lock.redis": "not JSON; remedy: --baseline takes an earlier run's folder, or a file",
    "run {RUN}": "is a run's folder, not a suite; remedy: holdfast report {RUN}, or holdfast run --resume {RUN}",
    "try words.txt": "words.txt: is not a lock file; remedy: give a file such as my_lock.sql",
    "try ./empty": "./empty: has no lock.json; remedy: holdfast adapter new",
    # a missing file
    "try my_lok.redis": "my_lok.redis: cannot be read: No such file or directory (did you mean 'my_lock.redis'?)",
    "check no/log.jsonl": "No such file or directory; remedy: check the path, which is relative to the",
    "merge shard_1": "shard_1: no such folder; remedy: give the folders of holdfast run --shard I/N",
    "report nowhere": "nowhere: no such folder; remedy: give a run's folder, or start a run with holdfast run",
    "try ./no_such": "./no_such: no such file or folder; remedy: give a lock file, or an adapter's folder",
    # inside a file
    "plan scenarios/s.json": "unknown key 'leas_ms' (did you mean 'lease_ms'?)",
    "plan comma.json": "comma.json:2: not JSON: ",
    "adapter check key.json": "'command' is missing (did you mean it by 'comand'?)",
    "try fenced_lease --default-lease": "fenced_lease names no default lease; remedy: set default_lease_ms",
    "run quick --default-lease": "--default-lease: scenarios set their own leases; remedy: name the lock with --lock",
}
OF_PARSERS = ("parse error", "sax", "INT", "TEXT", "nlohmann", "std::", "terminate")


class Mistakes(ProgramTest):
    def test_each_gets_the_right_remedy(self):
        (self.folder / "log.jsonl").write_text('{"process": 0}\n')
        (self.folder / "words.txt").write_text("words\n")
        (self.folder / "my_lock.redis").write_text(STATEMENTS)
        (self.folder / "comma.json").write_text('{"name": "a"\n "locks": []}\n')
        (self.folder / "key.json").write_text(json.dumps({"name": "a", "comand": ["x"]}))
        (self.folder / "empty").mkdir()
        (self.folder / "earlier").mkdir()
        (self.folder / "earlier/run.json").write_text("{}")
        self.scenario("s", quick(leas_ms=1))
        self.assertGreaterEqual(len(MISTAKES), 40)
        for command, words in MISTAKES.items():
            with self.subTest(command):
                answer = self.call(PROGRAM, *command.replace("{RUN}", "earlier").split())
                self.assertEqual(answer.returncode, 2, self.shown)
                self.assertEqual(answer.stdout, "", self.shown)
                self.assertIn(words.replace("{RUN}", "earlier"), answer.stderr)
                self.assertEqual(len(answer.stderr.splitlines()), 1, self.shown)
                self.assertLess(len(answer.stderr), 700, "a list that hides the answer")
                for word in OF_PARSERS:
                    self.assertNotIn(word, answer.stderr)
        self.assertFalse((self.folder / "runs").exists(), "nothing was started")


if __name__ == "__main__":
    unittest.main()
