"""Measures a build from scratch, as ./run makes it: processor time, time, and the largest memory of a compiler.

    python3 bench/build_time.py [TREE] [--jobs N] [--option -DNAME=VALUE]...

Builds in a temporary folder. Processor time is that of all processes of the build: compilers, linkers, CMake, Ninja.
"""

import argparse
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

LAUNCHED = "--compile"
SHOWN = 12
SOURCE = pathlib.Path(__file__).resolve().parent.parent


def compile_one(log, command):
    """Runs a compiler and notes what it took: seconds, MiB, and what it made."""
    child = os.posix_spawnp(command[0], command, os.environ)
    _, status, used = os.wait4(child, 0)
    made = command[command.index("-o") + 1] if "-o" in command else "?"
    with open(log, "a", encoding="utf-8") as out:
        out.write(f"{used.ru_utime + used.ru_stime:.2f} {used.ru_maxrss // 1024} {made}\n")
    return os.waitstatus_to_exitcode(status)


def build(tree, folder, jobs, options):
    log = folder / "compiled.txt"
    launcher = f"{sys.executable};{pathlib.Path(__file__).resolve()};{LAUNCHED};{log}"
    as_run = ["-DCMAKE_BUILD_TYPE=Release", "-DHOLDFAST_UNITY=ON", "-DHOLDFAST_TESTS=OFF"]
    launched = f"-DCMAKE_CXX_COMPILER_LAUNCHER={launcher}"
    configure = ["cmake", "-S", tree, "-B", folder / "build", "-G", "Ninja", *as_run, launched, *options]
    subprocess.run(configure, check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", folder / "build", "--target", "holdfast", "--", "-j", str(jobs)],
                   check=True, stdout=subprocess.DEVNULL)
    lines = [line.split(maxsplit=2) for line in log.read_text().splitlines()]
    return [(float(seconds), int(mib), made) for seconds, mib, made in lines]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tree", nargs="?", type=pathlib.Path, default=SOURCE)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--option", action="append", default=[])
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="holdfast-build-") as folder:
        begin = time.monotonic()
        compiled = build(asked.tree.resolve(), pathlib.Path(folder), asked.jobs, asked.option)
        took = time.monotonic() - begin
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    total = used.ru_utime + used.ru_stime
    compilers = sum(seconds for seconds, _, _ in compiled)
    print(f"{total:.0f} s of processor time ({compilers:.0f} s in {len(compiled)} compilers)")
    largest = max(mib for _, mib, _ in compiled)
    print(f"{took:.0f} s of time with {asked.jobs} jobs; the largest compiler took {largest} MiB")
    for seconds, mib, made in sorted(compiled, reverse=True)[:SHOWN]:
        print(f"{seconds:7.1f} s {mib:5} MiB  {made}")


if __name__ == "__main__":
    if sys.argv[1:2] == [LAUNCHED]:
        sys.exit(compile_one(sys.argv[2], sys.argv[3:]))
    main()
