"""docs/ci/slurm.sh on a real Slurm of one node, which the test starts and stops: a suite as an array of jobs, and the
job that merges it."""

import json
import os
import pathlib
import shutil
import socket
import subprocess
import unittest

import needs
from program import PROGRAM, SOURCE, ProgramTest, quick, wait_until

NEEDED = ("slurmctld", "slurmd", "sbatch", "scontrol", "munged")
PACKAGES = "slurmctld slurmd slurm-client munge"
PATH = f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"
SCRIPT = SOURCE / "docs/ci/slurm.sh"
STARTS_S = 60


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def configuration(folder, user):
    node = socket.gethostname().split(".")[0]
    (folder / "cgroup.conf").write_text("CgroupPlugin=cgroup/v1\nIgnoreSystemd=yes\n")
    return f"""
ClusterName=holdfast
SlurmctldHost={node}(127.0.0.1)
SlurmctldPort={free_port()}
SlurmdPort={free_port()}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge/socket
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
ReturnToService=2
SlurmdParameters=config_overrides
NodeName={node} NodeAddr=127.0.0.1 CPUs=2 RealMemory=500 State=UNKNOWN
PartitionName=all Nodes={node} Default=YES MaxTime=INFINITE State=UP
"""


class Slurm:
    """Daemons of the test's own, in a folder of its own, on the loopback."""

    def __init__(self, folder):
        self.folder = folder
        self.running = []
        self.environment = {**os.environ, "PATH": PATH, "SLURM_CONF": str(folder / "slurm.conf")}
        user = subprocess.run(["id", "-un"], capture_output=True, text=True, check=True).stdout.strip()
        for name in ("munge", "state", "spool"):
            (folder / name).mkdir(mode=0o755)
        (folder / "slurm.conf").write_text(configuration(folder, user))
        key = folder / "munge/key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o400)

    def start(self):
        munge = self.folder / "munge"
        self.daemon("munged", "--foreground", "--force", f"--key-file={munge}/key", f"--socket={munge}/socket",
                    f"--pid-file={munge}/pid", f"--log-file={munge}/log", f"--seed-file={munge}/seed")  # fmt: skip
        if not wait_until((munge / "socket").exists, STARTS_S):
            raise AssertionError(f"munged did not start: {self.said()}")
        self.daemon("slurmctld", "-D")
        self.daemon("slurmd", "-D")
        if not wait_until(self.is_idle, STARTS_S):
            raise AssertionError(f"Slurm did not start: {self.said()}")

    def daemon(self, *command):
        log = (self.folder / f"{command[0]}.out").open("w")
        process = subprocess.Popen(command, stdout=log, stderr=log, env=self.environment)
        self.running.append(process)
        log.close()

    def is_idle(self):
        answer = subprocess.run(["sinfo", "-h", "-o", "%t"], capture_output=True, text=True, env=self.environment)
        return answer.stdout.strip() == "idle"

    def said(self):
        logs = [*self.folder.glob("*.log"), *self.folder.glob("*.out"), self.folder / "munge/log"]
        return "\n".join(f"{log.name}: {log.read_text()[-1500:]}" for log in logs if log.exists())

    def stop(self):
        for process in reversed(self.running):
            process.terminate()
        for process in self.running:
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


@needs.programs(PACKAGES, *NEEDED)
class SlurmArray(ProgramTest):
    def test_suite_runs_as_a_job_array(self):
        sound = {"ownership": "not_exercised", "resource": "not_exercised"}
        expect = {lock: sound for lock in ("insert_lease", "get_lock")}
        for name, clients in (("few", 3), ("more", 4)):
            self.scenario(name, quick(locks=list(expect), expect=expect, clients=clients, duration_ms=1000))
        home = self.folder / "slurm"
        home.mkdir()
        slurm = Slurm(home)
        self.addCleanup(slurm.stop)
        slurm.start()
        environment = {**slurm.environment, "HOLDFAST": PROGRAM}
        out = self.folder / "out"
        answer = self.call(SCRIPT, self.folder / "scenarios", 7, 3, out, env=environment)
        told = f"{self.shown}\n{self.logs(out)}\n{slurm.said()}"
        whole = out / "merged/latest"
        self.assertTrue((whole / "verdict.json").exists(), told)
        run = json.loads((whole / "verdict.json").read_text())
        self.assertEqual(answer.returncode, run["exit_code"], told)
        self.assertEqual((len(run["cells"]), run["stopped"], run["seed"]), (4, "", "7"), told)
        self.assertNotIn("not_run", [cell["outcome"] for cell in run["cells"]], told)
        self.assertIn(run["sentence"].split("  ")[0], answer.stdout)
        self.a_shard_that_is_lost(out, environment)

    def a_shard_that_is_lost(self, out, environment):
        shutil.rmtree(out / "shard-2")
        again = self.call(PROGRAM, "merge", *sorted(out.glob("shard-?")), "--out", self.folder / "again")
        self.assertIn(again.returncode, (1, 3), self.shown)
        self.assertIn("shard 2 of 3 is missing", self.shown)

    def logs(self, out):
        return "\n".join(f"{log.name}: {log.read_text()[-1500:]}" for log in pathlib.Path(out).glob("*.log"))


if __name__ == "__main__":
    unittest.main()
