"""Requirements of a test that not every machine meets. Without one the test is skipped, neither failed nor passed, and
`./test` ends with its name and the reason.

    @needs.root("only root can become another user")
    @needs.programs("groff", "groff")  # a Debian package, and its programs that are used
    needs.lab()                        # in a test or in setUp: namespaces, and the networks and filters in them
    needs.registry("PyPI")             # the same: a registry of packages that are not Debian's

Each is tried without holdfast, so that a fault of the program does not look like a machine that lacks something.
"""

import functools
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

SKIPPED = 77  # exit code of a skipped test that is not one of unittest's
FOLDERS = os.environ.get("PATH", "") + ":/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin"
LONGEST_S = 120  # limit of an answer
SHOWN = 240  # characters of a reason

PIP = "/usr/bin/python3 -m pip --disable-pip-version-check --retries 1 --timeout 20 --no-cache-dir"
NPM = "npm --fetch-retries=0 --fetch-timeout=20000 --cache=cache --logs-max=0"
GO = "go mod download -modcacherw"
POM = """<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<parent><groupId>org.sonatype.oss</groupId><artifactId>oss-parent</artifactId><version>7</version></parent>
<artifactId>reached</artifactId><packaging>pom</packaging></project>
"""
CRATE = """[package]
name = "reached"
version = "0.1.0"
[lib]
path = "lib.rs"
[dependencies]
cfg-if = "1"
"""
# Each with the program of its ordinary client, that one's Debian package, and a command that gets something small from
# it into an empty folder: as the user has set the client up (mirror, proxy, certificates), but not from its cache. Then
# the files and the environment of the command.
REGISTRIES = {
    "PyPI": ("pip3", "python3-pip", f"{PIP} download --no-deps redis", {}, {}),
    "npm": ("npm", "npm", f"{NPM} pack ms", {}, {}),
    "Go": ("go", "golang-go", f"{GO} rsc.io/quote@v1.5.2", {}, {"GONOSUMDB": "*", "GOMODCACHE": "FOLDER/m"}),
    "Maven": ("mvn", "maven", "mvn -B -q -Dmaven.repo.local=m validate", {"pom.xml": POM}, {}),
    "crates.io": ("cargo", "cargo", "cargo fetch", {"Cargo.toml": CRATE, "lib.rs": ""}, {"CARGO_NET_RETRY": "0"}),
}


def root(why):
    return unittest.skipIf(os.geteuid() != 0, f"needs root: {why}")


def absent(package, *names):
    """Nothing, or why programs cannot be used."""
    missing = [name for name in names if shutil.which(name, path=FOLDERS) is None]
    return f"needs {', '.join(missing)}, not installed; remedy: apt-get install {package}" if missing else ""


def programs(package, *names):
    why = absent(package, *names)
    return unittest.skipIf(why, why)


def complaint(command, folder="/", **more):
    """Nothing, or what a command that failed complained of: the end of its longest line."""
    environment = {**os.environ, "PATH": FOLDERS, **more}
    how = {"stdin": subprocess.DEVNULL, "capture_output": True, "text": True, "timeout": LONGEST_S}
    try:
        answer = subprocess.run(command, cwd=folder, env=environment, **how)
    except OSError as error:
        return str(error)
    except subprocess.TimeoutExpired:
        return f"no answer within {LONGEST_S} s"
    lines = [" ".join(line.split()) for line in (answer.stdout + answer.stderr).splitlines()]
    longest = max(lines, key=len, default="") or f"exit code {answer.returncode}"
    return "" if answer.returncode == 0 else longest[-SHOWN:]


def skip_if(why):
    if why:
        raise unittest.SkipTest(why)


@functools.cache
def refused_lab():
    why = complaint(["sh", str(pathlib.Path(__file__).parents[1] / "lab_here.sh")])
    return f"needs what a lab is made of, which this machine refuses: {why}" if why else ""


def lab():
    skip_if(refused_lab())


@functools.cache
def unreachable(name):
    """Nothing, or why nothing can be had from a registry."""
    client, package, command, files, environment = REGISTRIES[name]
    if why := absent(package, client):
        return f"needs {name}: {why}"
    with tempfile.TemporaryDirectory(prefix="holdfast-needs-", ignore_cleanup_errors=True) as folder:
        for file, text in files.items():
            (pathlib.Path(folder) / file).write_text(text)
        there = {key: text.replace("FOLDER", folder) for key, text in environment.items()}
        why = complaint(command.split(), folder, **there)
    return f"needs {name}, which cannot be reached: {why}" if why else ""


def registry(name):
    skip_if(unreachable(name))
