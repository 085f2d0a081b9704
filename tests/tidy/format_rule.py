"""Layout as .clang-format says. Other versions of clang-format lay out otherwise, so only Debian 12's (14) is asked."""

import functools
import re
import shutil
import subprocess

VERSION = "14"


@functools.cache
def formatter():
    for name in (f"clang-format-{VERSION}", "clang-format"):
        program = shutil.which(name)
        if not program:
            continue
        answer = subprocess.run([program, "--version"], capture_output=True, text=True).stdout
        if f"version {VERSION}." in answer:
            return program
    return None


def formatted(tree):
    program, files = formatter(), tree.having(".hpp", ".cpp")
    if not program or not files or ".clang-format" not in tree.paths:
        return []
    command = [program, "--dry-run", "--Werror", "--ferror-limit=1", *files]
    answer = subprocess.run(command, cwd=tree.root, capture_output=True, text=True).stderr
    spots = re.findall(r"^(\S[^:\n]*):(\d+):\d+: error: code should be clang-formatted", answer, re.MULTILINE)
    first = {path: int(line) for path, line in reversed(spots)}
    return [(path, line, "format", f"run clang-format -i {path}") for path, line in sorted(first.items())]


RULES = [formatted]
