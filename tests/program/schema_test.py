"""The JSON Schema of scenarios and the loader agree: what the schema refuses the loader refuses, and what it lets pass
the loader refuses only for reasons that no schema can state."""

import copy
import itertools
import json
import os
import unittest

import jsonschema

from program import PROGRAM, SOURCE, ProgramTest, quick

# Reasons that lie between keys, or in the catalogues.
BEYOND = [
    "least first",
    "'why' is missing",
    "clients are numbered 0 to",
    "unknown statement of",
    "has no such server",
    "unknown lock",
    "must be from 0 to",
    "is after the end of the load",
    "does not renew",
    "does not release",
    "comes to a",
    "comes to before_acquire",
    "comes to refused",
    "comes to granted",
    "comes to critical_section",
    "remedy: leave out `of`",
    "strikes the client that reaches this point",
    "needs an injection point such as",
    "before the load",
    "ends by itself",
    "is not in 'keys'",
    "keys_at_once is",
    "clients times threads",
    "unknown placeholder",
]
EVERY = int(os.environ.get("HOLDFAST_SCHEMA_EVERY", "1"))  # a share: each fifth meets every place and every value
WRONG = [None, True, -1, 0, 10**12, 1.5, "", "x", [], [1, 2, 3], {}, {"x": 1}]


def places(node, path=()):
    yield path
    if isinstance(node, dict):
        for key in node:
            yield from places(node[key], path + (key,))
    if isinstance(node, list):
        for index, item in enumerate(node):
            yield from places(item, path + (index,))


def changed(scenario, path, value):
    out = copy.deepcopy(scenario)
    node = out
    for step in path[:-1]:
        node = node[step]
    node[path[-1]] = value
    return out


def mutants(scenario):
    """One thing wrong, or at least different, in each."""
    for path in places(scenario):
        node = scenario
        for step in path:
            node = node[step]
        if isinstance(node, dict):
            yield changed({"root": scenario}, ("root",) + path, {**node, "unknown": 1})["root"]
            for key in node:
                yield changed({"root": scenario}, ("root",) + path, {k: v for k, v in node.items() if k != key})["root"]
        if path:
            for value in WRONG:
                yield changed(scenario, path, value)


FULL = quick(
    about="every key",
    locks=["fenced_lease", "insert_lease"],
    faults=[
        {"fault": "client_skew", "target": "client:1", "at": {"time_ms": 10}, "for_ms": 100, "step_ms": 5},
        {"fault": "partition", "target": "holder", "at": {"phase": "granted", "nth": 2, "client": 0}, "cut": "all"},
        {"fault": "reply_lost", "at": {"statement": "acquire", "when": "after"}},
        {"fault": "server_clock", "target": "server:0", "at": {"time_ms": 9}, "step_ms": -7, "heal": "keep"},
        {"fault": "clock_drift", "target": "waiter", "at": {"phase": "refused"}, "percent": 5},
        {"fault": "pause", "at": {"phase": "granted"}, "until": {"phase": "granted", "client": 1, "nth": 2}},
    ],
    per_lock={"insert_lease": {"hold_ms": 5, "coverage": {"grants": 1}}},
    control={"*": {"removes": "the fault", "faults": []}, "insert_lease": {"removes": "x", "lock": "fenced_lease"}},
    after_info="retry",
    server_id="per_node",
    value="with_own_id",
    reenter=True,
    server={"redis_persistence": "aof_always"},
    topology="single",
    keys=["k", "K ", None],
    keys_of=[["k", None], ["K ", "k"]],
    keys_at_once=2,
    lease_ms=[900, 1000],
    owners=["job {uuid}", "Job"],
    values="v",
    threads=2,
    align_ms=0,
    time_zone=["+00:00", "+08:00"],
    program_zone=["+08:00"],
    tick_ms=1000,
    isolation="read_committed",
    reads=["primary", "primary"],
    connects=["in_turn", "server:0"],
    expect={"*": {"progress": "violated:stuck"}},
    why={"*": "because"},
)


class Schema(ProgramTest):
    def setUp(self):
        super().setUp()
        self.schema = json.loads(self.call(PROGRAM, "schema").stdout)

    def test_schema_file_matches_the_program(self):
        self.assertEqual(json.loads((SOURCE / "docs" / "scenario.schema.json").read_text()), self.schema)

    def test_key_tables_match_the_program(self):
        tables = self.call(PROGRAM, "schema", "--keys").stdout
        page = (SOURCE / "docs" / "scenario.md").read_text()
        self.assertTrue(page.endswith(tables), "its end, from '## All keys' on, is: holdfast schema --keys")
        for key in self.schema["properties"]:
            self.assertIn(f"\n| `{key}` |", tables)
        self.assertEqual(self.call(PROGRAM, "schema", "trial", "--keys").returncode, 2)

    def test_defaults_match_the_schema(self):
        given = {key: value["default"] for key, value in self.schema["properties"].items() if "default" in value}
        self.assertIn("clients", given)
        bare = {"locks": ["insert_lease"], "expect": {"*": {}}}
        plans = []
        for number, scenario in enumerate((bare, {**bare, **given})):
            folder = self.folder / str(number)
            folder.mkdir()
            (folder / "same.json").write_text(json.dumps(scenario))
            answer = self.call(PROGRAM, "plan", folder / "same.json", "--seed", "1")
            self.assertEqual(answer.returncode, 0, self.shown)
            plans.append(answer.stdout)
        self.assertEqual(*plans)

    def test_every_scenario_follows_the_schema(self):
        jsonschema.Draft7Validator.check_schema(self.schema)
        found = list((SOURCE / "scenarios").glob("*/*.json"))
        self.assertGreater(len(found), 4)
        for path in found:
            jsonschema.validate(json.loads(path.read_text()), self.schema)

    def test_schema_and_loader_refuse_the_same_mistakes(self):
        validator = jsonschema.Draft7Validator(self.schema)
        agreed = {True: 0, False: 0}
        for mutant in itertools.islice(mutants(FULL), 0, None, EVERY):
            valid = validator.is_valid(mutant)
            answer = self.call(PROGRAM, "plan", self.scenario("mutant", mutant))
            self.assertIn(answer.returncode, (0, 2), self.shown)
            accepted = answer.returncode == 0
            if valid != accepted and not (valid and any(reason in answer.stderr for reason in BEYOND)):
                self.fail(f"schema says {valid}, loader says {accepted}: {json.dumps(mutant)}\n{self.shown}")
            agreed[accepted] += 1
        self.assertGreater(agreed[True], 10 // EVERY)
        self.assertGreater(agreed[False], 300 // EVERY)


if __name__ == "__main__":
    unittest.main()
