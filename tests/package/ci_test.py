"""Compares docs/ci.md, the action and the compose file with the program: the flags that they name are the program's,
and the program accepts every command line in them."""

import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import tempfile
import unittest

import yaml

import needs
from lock_texts import OWN_TOKEN
from program import PROGRAM, quick

SOURCE = pathlib.Path(os.environ["HOLDFAST_SOURCE"])
FLAGS = "--security-opt seccomp=unconfined --security-opt systempaths=unconfined"


def text_of(name):
    return (SOURCE / name).read_text()


def indexed_job():
    parts = yaml.safe_load_all(text_of("docs/ci/kubernetes.yaml"))
    return next(part for part in parts if part["kind"] == "Job")["spec"]


STAND_IN_PACKAGE = """#!/bin/bash
echo "package.sh $(basename "$1")" >>"$NOTES"
echo built >"$1"
"""
# apt-get notes how it was called, and whether the package was there; curl knows one release; dpkg-query has what
# apt-get installed, which of MariaDB is nothing where a MySQL is in its way.
STAND_INS = {
    "apt-get": 'echo "apt-get $*" | sed "s|$RUNNER_TEMP|TEMP|" >>"$NOTES"; [[ $* != *holdfast.deb || -s ${@: -1} ]]',
    "dpkg-query": """status=0
for name in "${@:4}"; do
  if [[ $name == mariadb-* && -n ${MYSQL_IN_THE_WAY:-} ]]; then status=1; else echo "$name installed"; fi
done
exit $status""",
    "sudo": 'exec "$@"',
    "curl": 'echo "curl ${@: -1}" >>"$NOTES"; [[ ${@: -1} == */v1.0/* ]] && echo released >"$5"',
}


class Action:
    """action.yml's steps as GitHub starts them, one after the other; the outputs of other steps are provided."""

    def __init__(self, folder, inputs, cache_hit=False, action_ref="main", environment=None):
        self.folder, self.cache_hit = folder, cache_hit
        self.action = yaml.safe_load(text_of("action.yml"))
        self.values = {f"inputs.{name}": str(i["default"]) for name, i in self.action["inputs"].items()}
        self.values |= {f"inputs.{name}": str(value) for name, value in inputs.items()}
        self.values |= {"github.action_repository": "somebody/holdfast", "github.action_ref": action_ref}
        self.notes, self.texts, self.used = folder / "notes", [], []
        self.notes.write_text("")
        self.environment = {
            **os.environ, "NOTES": self.notes, "RUNNER_TEMP": folder / "temp", "GITHUB_ACTION_PATH": folder / "action",
            "PATH": f"{folder / 'bin'}:{os.environ['PATH']}",
        }  # fmt: skip
        self.environment.pop("GITHUB_STEP_SUMMARY", None)
        self.environment |= {"RUNNER_ENVIRONMENT": "self-hosted", **(environment or {})}
        self.prepare()

    def prepare(self):
        for name in ("bin", "temp", "work"):
            (self.folder / name).mkdir(parents=True)
        shutil.copytree(SOURCE / "setup", self.folder / "action/setup")
        (self.folder / "action/setup/package.sh").write_text(STAND_IN_PACKAGE)
        for name, text in STAND_INS.items():
            self.program(name, text)
        self.program("holdfast", f'echo "holdfast $*" >>"$NOTES"; exec {shlex.quote(PROGRAM)} "$@"')

    def program(self, name, text):
        path = self.folder / "bin" / name
        path.write_text(f"#!/bin/bash\n{text}\n")
        path.chmod(0o755)

    def value(self, text):
        """An expression as GitHub puts it in; one that is not there is empty."""
        return re.sub(r"\$\{\{ *([\w.-]+) *\}\}", lambda match: self.values.get(match[1], ""), str(text))

    def wanted(self, condition):
        """Evaluates the conditions in use: A == 'b' && C != 'd'."""
        for part in condition.split(" && "):
            name, how, word = re.fullmatch(r"([\w.-]+) (==|!=) '(\w*)'", part).groups()
            if (self.values.get(name, "") == word) != (how == "=="):
                return False
        return True

    def run(self):
        """The last step's exit code; those that GitHub's own actions do are noted."""
        for step in self.action["runs"]["steps"]:
            condition = str(step.get("if", ""))
            if "cancelled()" not in condition and condition and not self.wanted(condition):
                continue
            if "uses" in step:
                self.use(step)
                continue
            code = self.shell(step)
            if code:
                return code
        return 0

    def use(self, step):
        self.used.append((step["uses"], {name: self.value(value) for name, value in step["with"].items()}))
        if step["uses"].startswith("actions/cache@") and self.cache_hit:
            self.values["steps.cache.outputs.cache-hit"] = "true"
            (pathlib.Path(self.value(step["with"]["path"])) / "holdfast.deb").write_text("cached")

    def shell(self, step):
        self.texts.append(step["run"])
        outputs = self.folder / "outputs"
        outputs.write_text("")
        own = {name: self.value(text) for name, text in step.get("env", {}).items()}
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
        environment = {**self.environment, **own, "GITHUB_OUTPUT": outputs}
        self.answer = subprocess.run(
            command, capture_output=True, text=True, env=environment, cwd=self.folder / "work", timeout=200
        )
        for line in outputs.read_text().splitlines():
            name, _, value = line.partition("=")
            self.values[f"steps.{step.get('id')}.outputs.{name}"] = value
        return self.answer.returncode

    def outputs(self):
        return {name: self.value(output["value"]) for name, output in self.action["outputs"].items()}


class Ci(unittest.TestCase):
    def test_ci_examples_use_the_same_flags(self):
        for name in ("src/lab/confinement.hpp", "docs/ci.md", "docker/Dockerfile"):
            self.assertIn(FLAGS, text_of(name), name)

    def test_ci_examples_use_existing_flags(self):
        names = ["docs/ci.md", "action.yml", "setup/action/doctor.sh", "setup/action/run.sh", "docker/Dockerfile"]
        names.append("docker/compose.yaml")
        ready = [f"docs/ci/{path.name}" for path in sorted((SOURCE / "docs/ci").iterdir())]
        self.assertEqual(len(ready), 5)
        for name in [*names, *ready, "docs/shards.md", ".github/workflows/package.yml"]:
            for command, rest in re.findall(r"\bholdfast\"? (run|doctor|merge)\b([^\n&|'`]*)", text_of(name)):
                help_text = subprocess.run([PROGRAM, command, "--help"], capture_output=True, text=True).stdout
                for flag in re.findall(r"--[a-z][a-z-]*", rest):
                    self.assertIn(flag, help_text, f"{name}: holdfast {command}{rest}")

    def acted(self, scenario, inputs=None, files=None, **how):
        needs.lab()
        folder = pathlib.Path(tempfile.mkdtemp(prefix="holdfast-action-"))
        folder.chmod(0o755)
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        (folder / "my suite.json").write_text(json.dumps(scenario))
        given = {"suite": folder / "my suite.json", "arguments": "--seed 42  --repeat 2", **(inputs or {})}
        action = Action(folder, given, **how)
        for name, text in (files or {}).items():
            (folder / "work" / name).write_text(text)
        action.code = action.run()
        return action

    def test_action_builds_runs_and_reports(self):
        action = self.acted(quick())
        self.assertEqual(action.code, 0, action.answer)
        for text in action.texts:
            self.assertNotIn("${{", text, "what a user gives comes by the environment, never as shell text")
        report = action.folder / "work/runs/latest/report.html"
        counts = {"cells": "1", "as_expected": "1", "flaws_caught": "0", "not_as_expected": "0", "undecided": "0"}
        counts |= {"errors": "0", "not_run": "0"}
        told = {"verdict": "passed", "grade": "none", "exit_code": "0", "report": str(report.resolve())}
        self.assertEqual(action.outputs(), counts | told)
        self.assertTrue(report.exists())
        called = [line for line in action.notes.read_text().splitlines() if "--version" not in line]
        installed = "apt-get install -q -y --no-remove TEMP/holdfast-package/holdfast.deb"
        self.assertEqual(called[:3], ["package.sh holdfast.deb", "apt-get update -q", installed])
        suite = action.folder / "my suite.json"
        self.assertEqual(called[3], f"holdfast doctor {suite} --needed")
        self.assertEqual(called[4], f"holdfast run {suite} --seed 42 --repeat 2 --out runs")
        (cache, cached), (kept, results) = action.used
        self.assertEqual((cache, kept), ("actions/cache@v4", "actions/upload-artifact@v4"))
        self.assertEqual(results["path"].splitlines(), ["runs", "!runs/latest", "!runs/latest/**"], "nothing twice")
        self.assertRegex(cached["key"], r"^holdfast-package-[a-z]+[a-z0-9.]+-[a-z0-9]+-[0-9a-f]{32}$")

    def test_action_examines_the_machine_for_the_suites_own_lock(self):
        for how in ("--lock-file own_token.redis --seed 42", "--seed=42 --lock-file=own_token.redis"):
            with self.subTest(how):
                inputs = {"suite": "my_suite.json", "arguments": how}
                own = {"own_token.redis": OWN_TOKEN, "my_suite.json": json.dumps(quick(locks=["own_token"]))}
                action = self.acted(quick(), inputs, own)
                self.assertEqual(action.code, 0, action.answer)
                named = how.replace("--seed 42", "").replace("--seed=42", "").strip()
                self.assertIn(f"holdfast doctor my_suite.json --needed {named}\n", action.notes.read_text())

    def test_action_uses_an_existing_package(self):
        cached = self.acted(quick(), cache_hit=True)
        self.assertEqual((cached.code, "package.sh" in cached.notes.read_text()), (0, False), cached.answer)
        released = self.acted(quick(), action_ref="v1.0")
        self.assertEqual(released.code, 0, released.answer)
        address = "https://github.com/somebody/holdfast/releases/download/v1.0/"
        command = ["bash", "-c", ". setup/release.sh && package_name"]
        name = subprocess.run(command, cwd=SOURCE, capture_output=True, text=True, check=True).stdout.strip()
        self.assertRegex(name, r"^holdfast_[a-z]+[0-9a-z.]+_[a-z0-9]+\.deb$")
        self.assertIn(f"curl {address}{name}\n", released.notes.read_text())
        self.assertNotIn("package.sh", released.notes.read_text())
        other = self.acted(quick(), action_ref="v2.0")
        self.assertIn("package.sh", other.notes.read_text(), "a release without a package")
        deb = cached.folder / "mine.deb"
        deb.write_text("given")
        given = self.acted(quick(), {"package": deb})
        self.assertEqual((given.code, [used for used, _ in given.used]), (0, ["actions/upload-artifact@v4"]))

    def test_package_of_another_release_is_refused(self):
        built = pathlib.Path(tempfile.mkdtemp(prefix="holdfast-built-"))
        self.addCleanup(shutil.rmtree, built, ignore_errors=True)
        (built / "deb/DEBIAN").mkdir(parents=True)
        fields = {"Package": "holdfast", "Version": "0.1.0~debian99", "Architecture": "all"}
        fields["Maintainer"] = "a test"
        control = "".join(f"{name}: {value}\n" for name, value in {**fields, "Description": "a test"}.items())
        (built / "deb/DEBIAN/control").write_text(control)
        subprocess.run(["dpkg-deb", "--build", built / "deb", built / "other.deb"], check=True, capture_output=True)
        action = self.acted(quick(), {"package": built / "other.deb"})
        self.assertEqual(action.code, 4, action.answer)
        self.assertIn("this package was built for debian99, but this system is ", action.answer.stderr)
        self.assertNotIn("apt-get", action.notes.read_text())

    def test_mysql_is_removed_only_on_github_hosted_runners(self):
        """GitHub's own Ubuntu has a MySQL, which keeps MariaDB out; it is thrown away after the job, others are not."""
        for where, makes_room in (("github-hosted", True), ("self-hosted", False)):
            environment = {"MYSQL_IN_THE_WAY": "1", "RUNNER_ENVIRONMENT": where}
            action = self.acted(quick(), environment=environment)
            self.assertEqual(action.code, 0, action.answer)
            calls = [line for line in action.notes.read_text().splitlines() if line.startswith("apt-get install")]
            self.assertIn("--no-remove", calls[0])
            more = ["apt-get install -q -y --no-install-recommends mariadb-server-core mariadb-client-core"]
            self.assertEqual(calls[1:], more if makes_room else [], where)

    def test_action_exits_with_the_runs_code(self):
        wrong = quick(expect={"*": {"mutual_exclusion": "violated"}}, why={"*": "a test"})
        action = self.acted(wrong)
        self.assertEqual((action.code, action.outputs()["verdict"]), (1, "failed"), action.answer)
        self.assertEqual(action.outputs()["not_as_expected"], "1")
        broken = self.acted({"locks": ["no_lock"]})
        self.assertEqual((broken.code, broken.outputs()["cells"]), (2, ""), "the doctor refuses it")

    def test_action_merges_shards(self):
        """Each shard's job keeps its runs, and the action makes one of them; of a lost one the cells are not run."""
        suite = quick(locks=["insert_lease", "get_lock"], duration_ms=500)
        artifacts = pathlib.Path(tempfile.mkdtemp(prefix="holdfast-artifacts-"))
        checkout = pathlib.Path(tempfile.mkdtemp(prefix="holdfast-checkout-"))
        for folder in (artifacts, checkout):
            self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        path = checkout / "my suite.json"  # at the same place for each job
        path.write_text(json.dumps(suite))
        for number in (1, 2):
            shard = self.acted(suite, {"suite": path, "arguments": f"--shard {number}/2 --seed 42"})
            self.assertIn(shard.code, (0, 3), shard.answer)
            # As in an artifact: runs/latest is a copy, not a link.
            shutil.copytree(shard.folder / "work/runs", artifacts / f"holdfast-shard-{number}")
        whole = self.acted(suite, {"merge": artifacts, "arguments": ""})
        self.assertIn(whole.code, (0, 3), whole.answer)
        self.assertEqual((whole.outputs()["cells"], whole.outputs()["not_run"]), ("2", "0"), whole.answer)
        self.assertNotIn("holdfast doctor", whole.notes.read_text())
        shutil.rmtree(artifacts / "holdfast-shard-2")
        part = self.acted(suite, {"merge": artifacts, "arguments": ""})
        self.assertEqual((part.code, part.outputs()["not_run"]), (3, "1"), part.answer)

    def test_ready_files_are_consistent(self):
        shards = yaml.safe_load(text_of("docs/ci/github.yml"))["jobs"]["shard"]
        numbers = shards["strategy"]["matrix"]["shard"]
        self.assertEqual(numbers, list(range(1, len(numbers) + 1)))
        self.assertIn(f"--shard ${{{{ matrix.shard }}}}/{len(numbers)} ", shards["steps"][1]["with"]["arguments"])
        inputs = yaml.safe_load(text_of("action.yml"))["inputs"]
        for job in yaml.safe_load(text_of("docs/ci/github.yml"))["jobs"].values():
            for step in job["steps"]:
                if "holdfast@" in step["uses"]:
                    self.assertLessEqual(set(step["with"]), set(inputs))
        job = indexed_job()
        told = job["template"]["spec"]["containers"][0]["env"][0]
        self.assertEqual(told, {"name": "JOB_COMPLETIONS", "value": str(job["completions"])})

    def test_pod_fails_only_if_its_run_did_not_finish(self):
        job = indexed_job()
        container = job["template"]["spec"]["containers"][0]
        folder = pathlib.Path(tempfile.mkdtemp(prefix="holdfast-pod-"))
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        script = container["args"][0].replace("/runs/", f"{folder}/runs/")
        (folder / "holdfast").write_text('#!/bin/sh\necho "$*" >>"$0.notes"\nexit "$CODE"\n')
        (folder / "holdfast").chmod(0o755)
        left = folder / "runs/shard-2/left"
        for code in (0, 1, 2, 3, 4, 5, 130, 137):
            left.parent.mkdir(parents=True, exist_ok=True)
            left.write_text("by a pod that was lost")
            environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "CODE": str(code),
                           "JOB_COMPLETION_INDEX": "2"}  # fmt: skip
            answer = subprocess.run([*container["command"], script], env=environment)
            self.assertEqual(answer.returncode, 1 if code in (2, 130, 137) else 0, code)
            self.assertFalse(left.exists())
        called = (folder / "holdfast.notes").read_text()
        self.assertIn(f"run /suite --shard auto --seed 42 --out {folder}/runs/shard-2", called)

    def test_action_judges_a_users_lock(self):
        lock = re.search(r"^```sql\n(.*?)^```$", text_of("docs/lock_file.md"), re.DOTALL | re.MULTILINE)[1]
        only = "--lock-file my_lock.sql --only my_lock/none --seed 1"
        action = self.acted(quick(), {"suite": "generated", "arguments": only}, {"my_lock.sql": lock})
        self.assertEqual((action.code, action.outputs()["verdict"]), (0, "passed"), action.answer)
        self.assertEqual(action.outputs()["cells"], "1")

    def test_untested_files_say_so(self):
        for name in ("docs/ci/kubernetes.yaml", "docs/ci/kubernetes_merge.yaml"):
            self.assertRegex(text_of(name), r"(?i)not run\s[#\s]*on any cluster yet", name)
        for name in ("docs/ci.md", "docker/compose.yaml"):
            text = text_of(name)
            self.assertRegex(text, r"(?i)oceanbase[^\n]*(\n[^\n]*)?not\W{0,3}tried|never tried", name)


class Compose(unittest.TestCase):
    @needs.programs("docker-compose", "docker-compose")
    def test_compose_file_is_valid(self):
        profiles = ["mysql", "mariadb", "redis", "oceanbase"]
        chosen = [word for profile in profiles for word in ("--profile", profile)]
        command = ["docker-compose", "-f", SOURCE / "docker/compose.yaml", *chosen, "config", "--services"]
        answer = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual(answer.returncode, 0, answer.stderr)
        self.assertEqual(sorted(answer.stdout.split()), ["mariadb", "mysql", "oceanbase_not_tried", "redis"])


if __name__ == "__main__":
    unittest.main()
