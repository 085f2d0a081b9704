"""The lint fires: one planted mistake a file, each of which must be found; and it is silent on a sound tree."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

LINT = pathlib.Path(__file__).with_name("lint.py")
SOUND = "#include <string>\n\nint length(const std::string& text) {\n  return static_cast<int>(text.size());\n}\n"
PLANTED = {
    "bugprone-use-after-move": "#include <string>\n#include <utility>\nstd::size_t f(std::string a) {\n"
    "  std::string b = std::move(a);\n  return a.size() + b.size();\n}\n",
    "modernize-use-override": "struct A {\n  virtual ~A() = default;\n  virtual int f() { return 0; }\n};\n"
    "struct B : A {\n  virtual int f() { return 1; }\n};\n",
    "clang-diagnostic-thread-safety": 'struct __attribute__((capability("mutex"))) M {};\nM m;\n'
    "int kept __attribute__((guarded_by(m)));\nint r() {\n  return kept;\n}\n",
    "clang-diagnostic-unused-variable": "void h() {\n  int unused = 1;\n}\n",
}
DEREFERENCE = "int k(bool no) {\n  int* p = nullptr;\n  if (no) return 0;\n  return *p;\n}\n"


class Lint(unittest.TestCase):
    def lint(self, files, *flags):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                path = pathlib.Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            command = [sys.executable, "-B", str(LINT), folder, *flags]
            return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)

    def test_sound_tree_passes(self):
        answer = self.lint({"src/sound.cpp": SOUND})
        self.assertEqual(answer.returncode, 0, answer.stdout + answer.stderr)

    def test_every_planted_mistake_is_found(self):
        planted = {f"src/planted_{n}.cpp": text for n, text in enumerate(PLANTED.values())}
        header = {"checker/wrong.hpp": "#pragma once\ninline int* nothing() {\n  return 0;\n}\n"}
        user = {"checker/user.cpp": '#include "checker/wrong.hpp"\n'}
        answer = self.lint({"src/sound.cpp": SOUND, **planted, **header, **user})
        self.assertEqual(answer.returncode, 1, answer.stdout + answer.stderr)
        for name in [*PLANTED, "modernize-use-nullptr"]:
            self.assertIn(name, answer.stdout)
        self.assertNotIn("sound.cpp", answer.stdout)

    def test_analyzer_finds_a_mistake_on_one_path(self):
        answer = self.lint({"src/planted.cpp": DEREFERENCE}, "--analyzer")
        self.assertEqual(answer.returncode, 1, answer.stdout + answer.stderr)
        self.assertIn("clang-analyzer-core.NullDereference", answer.stdout)

    def test_analyzer_finds_it_in_each_file_of_a_group(self):
        names = ["one", "two", "three"]
        files = {f"src/{name}.cpp": DEREFERENCE.replace("k(", f"{name}(") for name in names}
        answer = self.lint(files, "--analyzer")
        self.assertEqual(answer.returncode, 1, answer.stdout + answer.stderr)
        for name in names:
            self.assertIn(f"src/{name}.cpp", answer.stdout)

    def test_server_without_its_client_library_is_skipped(self):
        declared = "optional_server(there PACKAGE no-such-package LATE libthere4 WITHOUT sound.cpp)\n"
        files = {"src/servers/there/session.cpp": "#include <no_such_header.h>\n", "src/servers/there/sound.cpp": SOUND}
        answer = self.lint({**files, "src/servers/there/server.cmake": declared})
        self.assertEqual(answer.returncode, 0, answer.stdout + answer.stderr)
        self.assertIn("src/servers/there is not read whole: no-such-package is missing", answer.stdout)
        answer = self.lint({**files, "src/servers/there/server.cmake": declared.replace("LATE", "SOON")})
        self.assertIn("server.cmake: cannot tell what this needs: optional_server(there", answer.stderr)
        self.assertEqual(answer.returncode, 1)

    def test_broken_or_missing_source_fails(self):
        self.assertEqual(self.lint({"src/broken.cpp": "int f( {\n"}).returncode, 1)
        self.assertNotEqual(self.lint({"README": ""}).returncode, 0)


if __name__ == "__main__":
    unittest.main()
