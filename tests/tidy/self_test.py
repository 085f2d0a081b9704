"""The tidy test tested: a small good house is silent; each rule fires on the thing made bad, and no other."""

import subprocess
import sys
import tempfile
import unittest
import unittest.mock
from pathlib import Path

import component_table
import format_rule
import includes
import sizes
import tidy
import words

AT_THE_TOP = {"checker", "reports", "tests", "bench"}
ROWS = {
    name if name in AT_THE_TOP else f"src/{name}": component_table.cell_of(allowed) or "nothing"
    for name, allowed in includes.MAY_INCLUDE.items()
}
MAP = "| folder | what it does | may include |\n|---|---|---|\n" + "".join(
    f"| `{folder}` | works | {allowed} |\n" for folder, allowed in ROWS.items()
)

GOOD = {
    "src/artifact/plan.hpp": '// A plan.\n#pragma once\n\n#include "artifact/event.hpp"\n',
    "src/artifact/event.hpp": "// An event.\n#pragma once\n",
    "src/store/session.hpp": "// The seam.\n#pragma once\n\nnamespace a {\n\nclass Seam {};\n\n}  // namespace a\n",
    "src/store/hidden.cpp": "namespace a {\nnamespace {\n\nclass Hidden {};\n\n}  // namespace\n}  // namespace a\n",
    "src/store/show.hpp": "// Shows.\n#pragma once\n\nnamespace a {\n\nint show(int b);\n\n}  // namespace a\n",
    "src/store/show.cpp": "namespace a {\nnamespace {\n\nint own() { return 1; }\n\n}  // namespace\n\n"
    "int show(int b) { return b; }\n\nint Seam::part() { return 2; }\n\n}  // namespace a\n",
    "src/lock/lock.hpp": '// A lock.\n#pragma once\n\n#include "store/session.hpp"\n',
    "src/lock/algorithms/row.cpp": '#include "lock/lock.hpp"\n\nconst LockType lock_row{};\n',
    "src/lock/algorithms/row.md": "# row\n",
    "src/lock/algorithms/redis_token.cpp": "const LockType lock_redis_token{};\n",
    "src/suite/suite.cpp": '#include "checker/checker.hpp"\n\nconst char* sql = "resource";\n',
    "src/servers/dove/server.cmake": "optional_server(dove PACKAGE libdove WITHOUT dove_file.cpp)\n",
    "src/servers/dove/dove.cpp": "const ServerType server_dove{};\n",
    "src/servers/dove/dove_file.hpp": "// Its statements.\n#pragma once\n",
    "src/servers/dove/dove_wire.hpp": "// Its library.\n#pragma once\n",
    "src/servers/dove/dove_store.cpp": '#include "servers/dove/dove_wire.hpp"\n',
    "tests/servers/dove_wire_test.cpp": '#include "servers/dove/dove_wire.hpp"\n',
    "tests/store/statements_test.cpp": '#include "servers/dove/dove_file.hpp"\n',
    "checker/checker.hpp": '// The judge.\n#pragma once\n\n#include "artifact/event.hpp"\n',
    "checker/properties/turn_taking.hpp": "// Turns.\n#pragma once\n",
    "checker/properties/turn_taking.cpp": "const PropertyType property_turn_taking{};\n",
    "checker/properties/order.hpp": "// Order.\n#pragma once\n",
    "checker/properties/order.cpp": "const PropertyType property_order{};\n",
    "reports/words.cpp": "// \"order\" is not meant.\nconst char* text = \"in order\";\n",
    "sql/row.sql": "-- name: acquire\n",
    "redis/redis_token.redis": "# name: acquire\n",
    "sql/resource.sql": "-- name: read\n",
    "ARCHITECTURE.md": MAP,
    "docs/long.md": "Words here. " * 20 + "End.\n",
    "build/bad.cpp": "\t\n",
    "reports/vendor/plot.js": "\t// TO" + "DO \n",
    "adapters/go_lock/main.go": "package main\n\nfunc main() {\n\trun()\n}\n",
    "adapters/go_lock/go.mod": "module a\n\nrequire (\n\tb v1\n)\n",
    "adapters/go_lock/go.sum": "b v1 h1:" + "a" * 120 + "\n",
    "adapters/node_lock/node_modules/a/a.js": "\ta \n",
    "adapters/java_lock/target/a.txt": "\ta \n",
    ".clang-format": "BasedOnStyle: Google\n",
}

LONG_BODY = "  step();\n" * 60
ARRAY = "const int many[] = {\n" + "    1,\n" * 60 + "};\n"
SPLIT = "".join(f"void part_{n}() {{\n" + "  step();\n" * 50 + "}\n\n" for n in range(2))

# rule: the files, each of which must bring exactly this rule up
BAD = {
    "file-size": [("src/lab/lab.cpp", "// word\n" * 401), ("reports/page/page.js", "f();\n" * 401)],
    "function-size": [
        ("src/lab/lab.cpp", "void f() {\n" + LONG_BODY + "}\n"),
        ("src/lab/lab.cpp", "struct Lab {\n  int f(int a) const noexcept {\n" + LONG_BODY + "  }\n};\n"),
        ("src/lab/lab.cpp", "const LabType lab{[](int a) {\n" + LONG_BODY + "}};\n"),
        ("src/lab/lab.cpp", "Lab::Lab(int a) : a_(a) {\n" + LONG_BODY + "}\n"),
        ("src/lab/lab.cpp", 'char b = \'{\';\nconst char* t = R"({{)";\n\nvoid f() {\n' + LONG_BODY + "}\n"),
        ("bench/plot.py", "def f():\n" + "    step()\n" * 60),
    ],
    "include": [
        ("src/artifact/verdict.cpp", '#include "store/session.hpp"\n'),
        ("src/store/store.cpp", '#include "lock/lock.hpp"\n'),
        ("src/plan/make.cpp", '#include "lock/lock.hpp"\n'),
        ("src/runner/runner.cpp", '#include "checker/checker.hpp"\n'),
        ("checker/judge.cpp", '#include "lock/lock.hpp"\n'),
        ("reports/page.cpp", '#include "checker/checker.hpp"\n'),
        ("src/lock/lock.cpp", '#include "lock.hpp"\n'),
        ("src/lock/lock.cpp", '#include "src/lock/lock.hpp"\n'),
        ("src/attic/attic.cpp", '#include "artifact/plan.hpp"\n'),
    ],
    "optional-header": [
        ("tests/store/statements_test.cpp", '#include "servers/dove/dove_wire.hpp"\n'),
        ("src/lock/lock.cpp", '#include "servers/dove/dove_wire.hpp"\n'),
    ],
    "map": [
        ("ARCHITECTURE.md", MAP.replace("`adapter`, `history`, `lock`, `store`", "`history`, `lock`, `store`")),
        ("ARCHITECTURE.md", MAP.replace("any component", "`lock`", 1)),
        ("ARCHITECTURE.md", MAP.replace("| `reports` | works | `history` |\n", "")),
        ("ARCHITECTURE.md", MAP + "| `src/attic` | works | `history` |\n"),
    ],
    "server-name": [
        ("src/runner/runner.cpp", "const bool cluster = topology == \"galera\";\n"),
        ("src/servers/choice.cpp", "int redis_port = 6379;\n"),
    ],
    "property-name": [
        ("reports/page.cpp", "bool f(const char* a) { return is(a, \"order\"); }\n"),
        ("src/cli/run.cpp", "const char* text = \"of turn_taking, not judged\";\n"),
        ("reports/page/page.js", "const order = \"order\";\n"),
        ("src/history/line.cpp", "const char* actor = \"turn_taking\";\n"),
    ],
    "json-reader": [
        ("src/cli/run.cpp", "auto a = nlohmann::json::parse(text);\n"),
        ("checker/judge.cpp", "bool a = json::accept(text);\n"),
    ],
    "json-text": [("src/cli/run.cpp", "auto a = json.dump(1);\n")],
    "open-file": [
        ("src/cli/run.cpp", "std::ifstream in(path);\n"),
        ("reports/page.cpp", 'std::ofstream out(folder + "/proc/page.html");\n'),
    ],
    "terminal": [
        ("src/cli/run.cpp", 'void f() { std::printf("a"); }\n'),
        ("reports/page.cpp", 'void f() { fmt::print("a"); }\n'),
    ],
    "made-visible": [("src/cli/run.cpp", "auto a = visible(name);\n"), ("reports/page.cpp", "f(visible_lines(b));\n")],
    "html": [("reports/page.cpp", 'auto a = "&lt;b";\n')],
    "markdown": [("src/cli/run.cpp", 'auto a = c == \'|\' ? "\\\\|" : b;\n')],
    "workflow-command": [("src/cli/run.cpp", 'auto a = "::error::" + b;\n'), ("reports/page.cpp", 'auto a = "%0A";\n')],
    "shell": [
        ("src/cli/run.cpp", 'auto a = "\'\\\\\'\'";\n'),
        ("src/cli/run.cpp", 'auto a = program_as_typed() + " run";\n'),
    ],
    "page-script": [("reports/page/page.js", "a.innerHTML = b;\n")],
    "empty-name": [("src/lab/util.cpp", "int a;\n"), ("tests/helpers/words.txt", "a\n")],
    "file-name": [("src/lab/LabHost.cpp", "int a;\n")],
    "header-comment": [("src/lab/lab.hpp", "#pragma once\n"), ("src/lab/lab.hpp", "//\n#pragma once\n")],
    "header-guard": [("src/lab/lab.hpp", "// A lab.\n")],
    "type-twice": [("src/lock/seam.cpp", "namespace a {\n\nclass Seam {};\n\n}  // namespace a\n")],
    "namespace-twice": [
        ("src/lock/seam.cpp", "namespace a {\nnamespace {\n\nint b;\n\n}  // namespace\n\n" +
         "namespace {\n\nint c;\n\n}  // namespace\n}  // namespace a\n"),
    ],
    "undeclared": [
        ("src/lock/seam.cpp", "namespace a {\n\nint tell(int b) { return b; }\n\n}  // namespace a\n"),
        ("checker/judge.cpp",
         "namespace a {\n\nstd::function<int()> tell(\n    int b) {\n  return {};\n}\n\n}  // namespace a\n"),
        ("reports/page.cpp",
         "namespace a {\n\nbool operator<(const B& b, const B& c) { return true; }\n\n}  // namespace a\n"),
    ],
    "join-header": [("src/cli/run.cpp", "#include <fmt/format.h>\n\nauto a = fmt::join(b, c);\n")],
    "tab": [("docs/a.md", "a\tb\n"), ("run", "\techo\n"), ("adapters/a/go.sum", "a\tb\n"), ("target/a.md", "a\tb\n")],
    "trailing-blank": [("docs/a.md", "a \n")],
    "last-line": [("docs/a.md", "a")],
    "left-undone": [("docs/a.md", "TO" + "DO: all\n"), ("setup/a.sh", "# FIX" + "ME\n")],
    "machine-path": [("docs/a.md", "see /wo" + "rk/here\n"), ("run", "cd /fa" + "rm/x\n")],
    "wide": [("setup/a.sh", "# " + "a" * 120 + "\n"), ("adapters/a/main.go", "// " + "a" * 120 + "\n")],
    "entry": [
        ("src/lock/algorithms/shared.hpp", "// Shared.\n#pragma once\n"),
        ("src/lock/algorithms/orphan.md", "# orphan\n"),
        ("src/nemesis/faults/pause.cpp", "const FaultType fault_paused{};\n"),
        ("src/nemesis/faults/pause.cpp", "extern const FaultType fault_pause;\n"),
        ("checker/properties/deep/order.cpp", "const PropertyType property_order{};\n"),
        ("checker/properties/shared.hpp", "// Shared.\n#pragma once\n"),
        ("src/servers/row/other.cpp", "int a;\n"),
        ("src/servers/row/row.cpp", "const ServerType server_other{};\n"),
    ],
    "sql": [("src/lock/algorithms/table.cpp", "const LockType lock_table{};\n"), ("sql/orphan.sql", "-- name: a\n")],
    "redis": [
        ("src/lock/algorithms/redis_setnx.cpp", "const LockType lock_redis_setnx{};\n"),
        ("redis/redis_orphan.redis", "# name: a\n"),
    ],
    "etcd": [
        ("src/lock/algorithms/etcd_txn.cpp", "const LockType lock_etcd_txn{};\n"),
        ("etcd/etcd_orphan.etcd", "# name: a\n"),
    ],
    "zookeeper": [
        ("src/lock/algorithms/zookeeper_node.cpp", "const LockType lock_zookeeper_node{};\n"),
        ("zookeeper/zookeeper_orphan.zookeeper", "# name: a\n"),
    ],
    "s3": [
        ("src/lock/algorithms/s3_put.cpp", "const LockType lock_s3_put{};\n"),
        ("s3/s3_orphan.s3", "# name: a\n"),
    ],
    "postgres": [
        ("src/lock/algorithms/postgres_setnx.cpp", "const LockType lock_postgres_setnx{};\n"),
        ("postgres/postgres_orphan.postgres", "# name: a\n"),
    ],
    "format": [("src/lab/lab.cpp", "int  f( int a );\n")],
    "word": [
        ("src/lab/lab.cpp", 'const char* a = "nobody holds the lock";\n'),
        ("src/lab/lab.cpp", 'const char* a =\n    "the client is "\n    "told";\n'),
        ("src/lab/lab.cpp", 'const char* a = R"(It comes to\nthe same.)";\n'),
        ("docs/a.md", "# Title\n\nThe run went\non.\n"),
        ("docs/a.md", "| name | what becomes of it |\n"),
        ("README.md", "- Ask somebody.\n"),
    ],
    "opening": [
        ("src/lab/lab.cpp", 'const char* a = "Whether it holds.";\n'),
        ("docs/a.md", "It is so. What it does is this.\n"),
    ],
    "long-sentence": [
        ("docs/a.md", "word" + " word" * 35 + "\n"),
        ("src/lab/lab.cpp", "const char* a =\n" + '    "word word word word word word "\n' * 6 + ";\n"),
    ],
}

# What the rules of words leave alone.
PLAIN = {
    "src/lab/lab.cpp": "// Nobody is told.\n"
    'const char* a = "the user nobody, or uid 65534; two requests that cannot be told apart";\n'
    'const char* b = "nobody";\n'
    'const char* c = "What is wrong with it?";\n'
    'const char* d = "' + "word " * 20 + "; remedy: " + "word " * 20 + '";\n',
    "docs/a.md": "What is it?\n\n# How it works\n\nSee `nobody is told`.\n\n```\nnobody is told\n```\n\n"
    + "word " * 20 + "is\nit. Word" + " word" * 20 + "\n",
    "docs/locks.md": "Whoever is told.\n",
    "adapters/a.md": "Whoever is told.\n",
    "tests/lab/lab_test.cpp": 'const char* a = "nobody is told";\n',
}  # fmt: skip


def write(root, files):
    for path, content in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(content)


def rules_broken(extra, not_yet=()):
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder), {**GOOD, **extra})
        with unittest.mock.patch.object(words, "NOT_YET", not_yet):
            return {name for _, _, name, _ in tidy.breaches(folder)}


class TidyTest(unittest.TestCase):
    def test_sound_tree_passes(self):
        self.assertEqual(rules_broken({}), set())

    def test_each_rule_fires_alone(self):
        for rule, examples in BAD.items():
            for path, content in examples:
                with self.subTest(rule=rule, path=path, content=content[:40]):
                    if rule == "format" and not format_rule.formatter():
                        self.skipTest(f"needs clang-format {format_rule.VERSION}, not installed")
                    broken = rules_broken({path: content})
                    self.assertEqual(broken - {"format"} | {rule}, {rule})
                    self.assertIn(rule, broken)

    def test_plain_words_are_left_alone(self):
        self.assertEqual(rules_broken(PLAIN) - {"format", "wide"}, set())

    def test_pages_and_folders_in_the_old_style_are_left_alone(self):
        for path, content in BAD["word"][:5]:
            self.assertEqual(rules_broken({path: content}, ("docs/a", "src/lab/")) - {"format"}, set(), path)

    def test_an_exception_is_of_one_file_and_one_text(self):
        with unittest.mock.patch.object(words, "EXCEPTIONS", {("src/lab/lab.cpp", "nobody holds"): "as a test"}):
            bad = BAD["word"][0][1]
            self.assertEqual(rules_broken({"src/lab/lab.cpp": bad}) - {"format"}, set())
            self.assertIn("word", rules_broken({"src/lab/attic.cpp": bad}))
            self.assertIn("word", rules_broken({"src/lab/lab.cpp": bad.replace("holds", "has")}))

    def test_openings_of_comments_are_counted(self):
        code = "// What it is.\n// Whether it is.\nint a;  // of it\n\n// How it is.\nint b;\n\n// Of it.\n"
        with tempfile.TemporaryDirectory() as folder:
            write(Path(folder), {"src/lab/lab.cpp": code})
            tree = tidy.Tree(folder)
            self.assertEqual(words.comment_openings(tree, 3), [])
            found = words.comment_openings(tree, 2)
            self.assertEqual([one[2] for one in found], ["comment-openings"])
            self.assertTrue(found[0][3].startswith("3 comments"), found)

    def test_long_data_is_not_a_long_function(self):
        for code in (ARRAY, SPLIT, "namespace a {\n" + SPLIT + "}\n", "class A {\n" + SPLIT + "};\n"):
            self.assertEqual([s for s in sizes.functions(code) if s[1] - s[0] >= sizes.MAX_FUNCTION], [])

    def test_exit_code_follows_the_breaches(self):
        program = [sys.executable, str(Path(__file__).with_name("tidy.py"))]
        with tempfile.TemporaryDirectory() as folder:
            write(Path(folder), GOOD)
            sound = 0 if format_rule.formatter() else 77  # the rule of layout was left out
            self.assertEqual(subprocess.run([*program, folder], capture_output=True).returncode, sound)
            write(Path(folder), {"docs/a.md": "a\tb\n"})
            answer = subprocess.run([*program, folder], capture_output=True, text=True)
            self.assertEqual(answer.returncode, 1)
            self.assertIn("docs/a.md:1: tab:", answer.stdout)

    def test_empty_tree_fails(self):
        with tempfile.TemporaryDirectory() as folder:
            program = [sys.executable, str(Path(__file__).with_name("tidy.py")), folder]
            self.assertNotEqual(subprocess.run(program, capture_output=True).returncode, 0)


if __name__ == "__main__":
    unittest.main()
