"""Every file of etcd/ can be pasted into a shell as it stands: the real etcdctl, a real server of our own."""

import pathlib
import re
import shutil
import socket
import subprocess
import unittest

from program import SOURCE, ProgramTest, wait_until

FOLDERS = "/usr/local/sbin:/usr/sbin:/usr/local/bin:/usr/bin:/bin"
SERVER = shutil.which("etcd", path=FOLDERS)
CLIENT = shutil.which("etcdctl", path=FOLDERS)

TOKEN = "token=$(etcdctl get /locks/my_lock -w json | sed 's/.*create_revision.:\\([0-9]*\\).*/\\1/')\n"


def free_ports(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


@unittest.skipUnless(SERVER and CLIENT, "needs etcd and etcdctl, not installed; remedy: ./run setup etcd")
class EtcdFiles(ProgramTest):
    def setUp(self):
        super().setUp()
        self.port, peers = free_ports(2)
        client, peer = f"http://127.0.0.1:{self.port}", f"http://127.0.0.1:{peers}"
        command = [SERVER, "--name", "s0", "--data-dir", self.folder / "data", "--listen-client-urls", client]
        command += ["--advertise-client-urls", client, "--listen-peer-urls", peer]
        command += ["--initial-advertise-peer-urls", peer, "--initial-cluster", f"s0={peer}"]
        log = (self.folder / "server.log").open("w")
        self.server = subprocess.Popen(command, stdout=log, stderr=log)
        self.addCleanup(log.close)
        self.addCleanup(self.server.wait)
        self.addCleanup(self.server.kill)
        answers = lambda: self.pasted("etcdctl get a").returncode == 0
        ready = wait_until(lambda: answers() or self.server.poll() is not None, 30)
        self.assertTrue(ready and self.server.poll() is None, (self.folder / "server.log").read_text()[-2000:])

    def pasted(self, text):
        environment = {"PATH": FOLDERS, "ETCDCTL_API": "3", "ETCDCTL_ENDPOINTS": f"http://127.0.0.1:{self.port}"}
        command = ["bash", "-eu"]
        return subprocess.run(command, input=text, capture_output=True, text=True, timeout=30, env=environment)

    def test_each_file_can_be_pasted(self):
        files = sorted(pathlib.Path(SOURCE, "etcd").glob("*.etcd"))
        self.assertGreaterEqual(len(files), 3)
        for path in files:
            with self.subTest(file=path.name):
                text = path.read_text()
                text = text.replace("# name: release", TOKEN + "# name: release")  # as the harness gives it
                answer = self.pasted(text)
                self.assertEqual((answer.returncode, answer.stderr), (0, ""), answer.stdout)
                self.assertNotIn("FAILURE", answer.stdout)
                self.assertIn("SUCCESS", answer.stdout, "a txn takes the lock")
                self.assertEqual(len(re.findall(r"^# name:", text, re.M)), len(re.findall(r"^etcdctl ", text, re.M)))
                left = self.pasted('etcdctl get --prefix "/"').stdout
                self.assertEqual(left, "", "the release took it away")

    def test_mistakes_are_found(self):
        self.assertNotEqual(self.pasted("etcdctl gett a").returncode, 0)
        self.assertNotEqual(self.pasted('etcdctl put a "$nobody" ').returncode, 0)
        self.assertNotEqual(self.pasted('etcdctl txn <<EOF\nmade("a") = "0"\n\n\n\nEOF\n').returncode, 0)


if __name__ == "__main__":
    unittest.main()
