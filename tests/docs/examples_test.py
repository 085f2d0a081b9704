"""The C++ that the documents print compiles as it stands, with the warnings of the build as errors."""

import os
import pathlib
import re
import subprocess
import unittest

SOURCE = pathlib.Path(os.environ["HOLDFAST_SOURCE"])
FLAGS = os.environ["HOLDFAST_WARNINGS"].split()
BLOCK = re.compile(r"^```cpp\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def examples():
    """Whole files only: what begins with an include."""
    for page in sorted([*SOURCE.glob("*.md"), *SOURCE.glob("docs/*.md")]):
        for match in BLOCK.finditer(page.read_text()):
            line = page.read_text()[: match.start()].count("\n") + 2
            if match[1].startswith("#include"):
                yield page, line, match[1]


def compile_it(text):
    command = [os.environ["CXX"], "-std=c++20", "-fsyntax-only", "-Werror", *FLAGS, f"-I{SOURCE}", f"-I{SOURCE}/src"]
    return subprocess.run([*command, "-x", "c++", "-"], input=text, capture_output=True, text=True, check=False)


class Examples(unittest.TestCase):
    def test_examples_compile(self):
        found = list(examples())
        self.assertGreaterEqual(len(found), 2)
        for page, line, text in found:
            seen = compile_it(text)
            self.assertEqual(seen.returncode, 0, f"{page}:{line}: {seen.stderr[:2000]}")

    def test_broken_example_is_found(self):
        self.assertNotEqual(compile_it('#include "lock/lock.hpp"\nholdfast::NoSuchLock lock;\n').returncode, 0)


if __name__ == "__main__":
    unittest.main()
