"""Clang's warnings and clang-tidy (.clang-tidy) on all of src/, checker/ and reports/: `lint.py SOURCE_FOLDER`.

The files of a folder are read together, as in the unity build, so that headers, which cost most, are read once a group.
`--analyzer` asks the path-sensitive analyzer instead, which takes minutes. Exit: 0 nothing found, 1 findings, all of
them printed.
"""

import argparse
import concurrent.futures
import itertools
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

FOLDERS = ["src", "checker", "reports"]
MOST = 20  # files a group
WARNINGS = ["-Wall", "-Wextra", "-Wshadow", "-Wthread-safety", "-Wnon-virtual-dtor", "-Woverloaded-virtual"]
DECLARED = re.compile(r"^optional_server\(.*\)", re.M)
OPTIONAL = re.compile(
    r"optional_server\((\w+) (PACKAGE \S+?|LIBRARY \S+ HEADER \S+?)(?: LATE \S+?)?(?: WITHOUT ([^)]*))?\)"
)
FINDING = re.compile(r"^\S+:\d+:\d+: (?:warning|error|fatal error): .*", re.M)


def optional_parts(source):
    """{folder: (what it needs: a package of pkg-config or a header, the sources that need none)}"""
    found = {
        source / "src" / "disk" / "fuse": ("fuse3", set()),
        source / "src" / "relay" / "protocols" / "grpc" / "nghttp2": ("libnghttp2", set()),
    }
    for file in (source / "src" / "servers").glob("*/server.cmake"):
        for declared in DECLARED.findall(file.read_text(encoding="utf-8")):
            understood = OPTIONAL.fullmatch(declared)
            if not understood:
                sys.exit(f"lint: {file}: cannot tell what this needs: {declared}")
            name, needs, without = understood.groups()
            found[file.parent] = needs.split()[-1], {f"{name}.cpp", *(without or "").split()}
    return found


def is_installed(needs):
    if needs.endswith(".h"):
        return pathlib.Path("/usr/include", needs).is_file()
    return subprocess.run(["pkg-config", "--exists", needs], check=False).returncode == 0


def compiler_flags(source):
    packages = [needs for needs, _ in optional_parts(source).values() if not needs.endswith(".h")]
    optional = filter(is_installed, packages)
    ask = ["pkg-config", "--cflags", "libmariadb", "openssl", *optional]
    packages = subprocess.run(ask, capture_output=True, text=True, check=True)
    here = ["-std=c++20", f"-I{source}", f"-I{source}/src", '-DHOLDFAST_VERSION="0"']
    return [*here, *packages.stdout.split(), *WARNINGS]


def groups_of(source, folders):
    optional = optional_parts(source)
    missing = {at: kept for at, (needs, kept) in optional.items() if at.is_dir() and not is_installed(needs)}
    files = sorted(
        (path.parent, path)
        for folder in folders
        for path in (source / folder).rglob("*.cpp")
        if path.parent not in missing or path.name in missing[path.parent]
    )
    for folder in missing:
        print(f"lint: {folder.relative_to(source)} is not read whole: {optional[folder][0]} is missing")
    if not files:
        sys.exit(f"lint: no source below {source} in {', '.join(folders)}")
    groups = []
    for _, in_folder in itertools.groupby(files, key=lambda file: file[0]):
        paths = [str(path) for _, path in in_folder]
        groups += [paths[at : at + MOST] for at in range(0, len(paths), MOST)]
    return groups


def lint(number, group, command, flags, folder):
    together = pathlib.Path(group[0])
    if len(group) > 1:
        # The analyzer follows paths of what a file includes only if it has this name.
        together = pathlib.Path(folder, f"UnifiedSource_{number}.cpp")
        together.write_text("".join(f'#include "{path}"\n' for path in group), encoding="utf-8")
    answer = subprocess.run([*command, str(together), "--", *flags], capture_output=True, text=True, check=False)
    if answer.returncode != 0 and not FINDING.search(answer.stdout):
        return [f"clang-tidy failed on {len(group)} files, {group[0]} first:\n{answer.stdout}{answer.stderr}"]
    return FINDING.findall(answer.stdout)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("--analyzer", action="store_true")
    options = parser.parse_args()
    source = options.source.resolve()
    tidy = shutil.which("clang-tidy")
    if not tidy:
        sys.exit("lint: clang-tidy is not installed; remedy: apt-get install clang-tidy")
    config = pathlib.Path(__file__).resolve().parents[2] / ".clang-tidy"
    checks = "-bugprone-suspicious-include"
    if options.analyzer:
        checks = "-*,clang-diagnostic-*,clang-analyzer-*"
    command = [tidy, "--quiet", f"--config-file={config}", f"--checks={checks}"]
    flags, groups = compiler_flags(source), groups_of(source, FOLDERS)
    with tempfile.TemporaryDirectory(prefix="holdfast-lint-") as folder:
        with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            jobs = [pool.submit(lint, n, group, command, flags, folder) for n, group in enumerate(groups)]
            findings = sorted({finding for job in jobs for finding in job.result()})
    print("\n".join(findings) or f"{sum(map(len, groups))} files in {len(groups)} groups: nothing found")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
