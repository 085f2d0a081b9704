"""Every file of zookeeper/ can be typed into zkCli.sh as it stands: the real one, and a real server of our own."""

import os
import pathlib
import re
import shutil
import socket
import subprocess
import unittest

from program import SOURCE, ProgramTest, wait_until

JAR = pathlib.Path("/usr/share/java/zookeeper.jar")
CLIENT = pathlib.Path("/usr/share/zookeeper/bin/zkCli.sh")
JAVA = shutil.which("java")
THERE = JAVA and JAR.exists() and CLIENT.exists()
OPTIONS = ["-Xmx128m", "-XX:+UseSerialGC", "-XX:-UsePerfData"]


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as one:
        return one.getsockname()[1]


@unittest.skipUnless(THERE, "needs ZooKeeper, not installed; remedy: ./run setup zookeeper")
class ZooKeeperFiles(ProgramTest):
    def setUp(self):
        super().setUp()
        self.port = free_port()
        settings = self.folder / "zoo.cfg"
        settings.write_text(
            f"dataDir={self.folder}/data\nclientPort={self.port}\nclientPortAddress=127.0.0.1\n"
            "tickTime=500\nadmin.enableServer=false\n4lw.commands.whitelist=srvr\n"
        )
        main = ["-cp", str(JAR), "org.apache.zookeeper.server.quorum.QuorumPeerMain", str(settings)]
        log = (self.folder / "server.log").open("w")
        self.server = subprocess.Popen([JAVA, *OPTIONS, *main], stdout=log, stderr=log)
        self.addCleanup(log.close)
        self.addCleanup(self.server.wait)
        self.addCleanup(self.server.kill)
        ready = wait_until(lambda: self.answers() or self.server.poll() is not None, 60)
        self.assertTrue(ready and self.server.poll() is None, (self.folder / "server.log").read_text()[-2000:])
        self.typed(["create /locks x", "create /locks/my_lock x"])

    def answers(self):
        try:
            with socket.create_connection(("127.0.0.1", self.port), 5) as server:
                server.sendall(b"srvr")
                return server.recv(16).startswith(b"Zookeeper versio")
        except OSError:
            return False

    def typed(self, lines, session_ms="3000"):
        command = ["bash", CLIENT, "-timeout", session_ms, "-server", f"127.0.0.1:{self.port}"]
        environment = {**os.environ, "CLIENT_JVMFLAGS": " ".join(OPTIONS)}
        text = "".join(line + "\n" for line in [*lines, "quit"])
        answer = subprocess.run(command, input=text, capture_output=True, text=True, timeout=60, env=environment)
        return answer.stdout + answer.stderr

    def test_each_file_can_be_typed(self):
        files = sorted(pathlib.Path(SOURCE, "zookeeper").glob("*.zookeeper"))
        self.assertGreaterEqual(len(files), 3)
        for path in files:
            with self.subTest(file=path.name):
                self.typed(["deleteall /locks/my_lock"])
                text = path.read_text()
                values = dict(re.findall(r"(\w+)=(\S+)", text.split("# name:")[0]))
                names = re.findall(r"^# name: (\w+)", text, re.M)
                lines = [line for line in text.split("# name:", 1)[1].splitlines()[1:] if line and line[0] != "#"]
                self.assertEqual(len(lines), len(names), "each name has one command")
                lines = [re.sub(r"\$(\w+)", lambda found: values[found.group(1)], line) for line in lines]
                begin = re.fullmatch(r'zkCli\.sh -timeout "(\d+)"', lines[0])
                self.assertTrue(begin, lines[0])
                lines = [line for line, name in zip(lines[1:], names[1:]) if name != "withdraw"]
                said = self.typed(lines, begin.group(1))
                self.assertIn("Created /locks/my_lock", said)
                self.assertNotRegex(said, "Command not found|does not exist|Exception|already exists|insufficient")
                left = self.typed(["ls -R /locks"])
                self.assertNotIn("/locks/my_lock/", left, "the release took it away")

    def test_mistakes_are_found(self):
        self.assertIn("Command not found", self.typed(["creat /locks/a x"]))
        self.assertIn("does not exist", self.typed(["delete /locks/nobody"]))
        self.assertIn("Created /locks/my_lock/n-", self.typed(["create -s -e /locks/my_lock/n- x"]))


if __name__ == "__main__":
    unittest.main()
