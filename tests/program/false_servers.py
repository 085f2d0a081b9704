"""False servers: they speak just enough of MySQL's and of Redis's protocol to ask for a password in clear text, for a
file, or to answer without end. They keep what a client sent, so that a test can search it for secrets.
"""

import socket
import struct
import threading

CLIENT_PROTOCOL_41, CLIENT_SECURE, CLIENT_PLUGIN_AUTH, CLIENT_SSL, CLIENT_WITH_DB = 0x200, 0x8000, 0x80000, 0x800, 0x8
CLIENT_LOCAL_FILES, CLIENT_MULTI_STATEMENTS, CLIENT_MULTI_RESULTS = 0x80, 0x10000, 0x20000
CLIENT_MULTI = CLIENT_MULTI_STATEMENTS | CLIENT_MULTI_RESULTS
CAPABILITIES = (
    CLIENT_PROTOCOL_41 | CLIENT_SECURE | CLIENT_PLUGIN_AUTH | CLIENT_WITH_DB | CLIENT_LOCAL_FILES | CLIENT_MULTI | 1
)
MORE_RESULTS = 8
OK = b"\0\0\0\x02\0\0\0"
# Another party keeps the private half.
PUBLIC_KEY = b"""-----BEGIN PUBLIC KEY-----
MFwwDQYJKoZIhvcNAQEBBQADSwAwSAJBALwBpkqnmpPbsTrYgXCGmHf3v7tTh1bn
hYZ7FyZ0A5UPpkLBmjJvxnnoX2hUS3nQkGBBNFXSxJkUZLPtYu1kRkMCAwEAAQ==
-----END PUBLIC KEY-----
"""


class FalseServer:
    """Takes connections on `port` until `stop`; `serve(connection)` is the liar."""

    def __init__(self, host="127.0.0.1"):
        self.received = b""
        self.door = socket.create_server((host, 0))
        self.port = self.door.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                connection, _ = self.door.accept()
            except OSError:
                return
            threading.Thread(target=self.talk, args=(connection,), daemon=True).start()

    def talk(self, connection):
        with connection:
            connection.settimeout(30)
            try:
                self.serve(connection)
            except (OSError, EOFError):
                pass  # the client has had enough

    def serve(self, connection):
        raise NotImplementedError

    def take(self, connection, count):
        out = b""
        while len(out) < count:
            part = connection.recv(count - len(out))
            if not part:
                raise EOFError
            self.received += part
            out += part
        return out

    def stop(self):
        self.door.close()


def packet(number, payload):
    return struct.pack("<I", len(payload))[:3] + bytes([number % 256]) + payload


def text(value):
    return bytes([len(value)]) + value


def column(name=b"n"):
    parts = [b"def", b"app", b"t", b"t", name, name]
    return b"".join(map(text, parts)) + b"\x0c" + struct.pack("<HIBHB", 45, 1000, 253, 0, 0) + b"\0\0"


class FalseMySql(FalseServer):
    """`lie`: how it authenticates (`asks: PLUGIN`, `greets: PLUGIN`; not at all: `refuses: ERROR`), or what it answers
    to each SELECT."""

    def __init__(self, lie):
        self.lie = lie
        self.wanted = []  # by each client: its capabilities
        super().__init__()

    def read(self, connection):
        head = self.take(connection, 4)
        return head[3], self.take(connection, int.from_bytes(head[:3], "little"))

    def greeting(self):
        plugin = self.lie.split(": ")[1].encode() if self.lie.startswith("greets") else b"mysql_native_password"
        scramble = b"12345678" + b"\0" + struct.pack("<HBHH", CAPABILITIES & 0xFFFF, 45, 2, CAPABILITIES >> 16)
        rest = b"\x15" + b"\0" * 10 + b"123456789012" + b"\0" + plugin + b"\0"
        return b"\x0a" + b"8.0.99\0" + struct.pack("<I", 7) + scramble + rest

    def serve(self, connection):
        if self.lie.startswith("refuses"):  # with an error of this number, in the place of a greeting
            said = packet(0, b"\xff" + struct.pack("<H", int(self.lie.split(": ")[1])) + b"#08004Too many connections")
            for i in range(len(said)):  # a byte at a time
                connection.sendall(said[i : i + 1])
            return
        connection.sendall(packet(0, self.greeting()))
        number, hello = self.read(connection)
        self.wanted.append(int.from_bytes(hello[:4], "little"))
        if self.lie.startswith("asks"):
            plugin = self.lie.split(": ")[1].encode()
            connection.sendall(packet(number + 1, b"\xfe" + plugin + b"\0" + b"\x04Password: \0"))
            number, _ = self.read(connection)
        if self.lie.endswith("caching_sha2_password"):
            connection.sendall(packet(number + 1, b"\x01\x04"))
            number, answer = self.read(connection)
            if answer == b"\x02":
                connection.sendall(packet(number + 1, b"\x01" + PUBLIC_KEY))
                number, _ = self.read(connection)
        connection.sendall(packet(number + 1, OK))
        while True:
            _, command = self.read(connection)
            if command[1:].lstrip().upper().startswith(b"SELECT"):
                self.answer(connection)
            else:
                connection.sendall(packet(1, OK))

    def answer(self, connection):
        if self.lie == "malformed":
            connection.sendall(packet(1, b"\xfc\xff"))
        elif self.lie == "infile":
            connection.sendall(packet(1, b"\xfb/etc/passwd"))
            self.read(connection)
            connection.sendall(packet(3, OK))
        elif self.lie == "columns":
            connection.sendall(packet(1, b"\xfd\xff\xff\xff"))
            self.flood(connection, column(b"n" * 200))
        elif self.lie == "results":
            one = packet(1, b"\0\0\0" + struct.pack("<HH", 2 | MORE_RESULTS, 0))
            while True:
                connection.sendall(one * 1000)
        else:
            self.rows(connection)

    def rows(self, connection):
        count = 2000 if self.lie == "nulls" else 1
        head = [bytes([count])] if count < 251 else [b"\xfc" + struct.pack("<H", count)]
        head += [column()] * count + [b"\xfe\0\0\x02\0"]
        connection.sendall(b"".join(packet(i + 1, part) for i, part in enumerate(head)))
        if self.lie == "few columns":
            connection.sendall(packet(len(head) + 1, text(b"holdfast_x")) + packet(len(head) + 2, b"\xfe\0\0\x02\0"))
        elif self.lie == "one long row":
            self.flood(connection, b"x" * 0xFFFFFF)
        else:
            self.flood(connection, b"\xfb" * count if self.lie == "nulls" else text(b"x" * 200), len(head) + 1)

    @staticmethod
    def flood(connection, payload, number=2):
        while True:
            at_once = max(1, 100_000 // len(payload))
            connection.sendall(b"".join(packet(number + i, payload) for i in range(at_once)))
            number += at_once


class FalseRedis(FalseServer):
    """Answers a command of `word` with `begin`, then `again` for ever; all else as a server would."""

    def __init__(self, word, begin, again=b""):
        self.word, self.begin, self.again = word, begin, again
        super().__init__()

    def line(self, connection):
        out = b""
        while not out.endswith(b"\r\n"):
            out += self.take(connection, 1)
        return out

    def command(self, connection):
        count = int(self.line(connection)[1:])
        out = []
        for _ in range(count):
            out.append(self.take(connection, int(self.line(connection)[1:]) + 2)[:-2])
        return out

    def serve(self, connection):
        while True:
            command = self.command(connection)
            if command[0] != self.word:
                connection.sendall(b":1\r\n")
                continue
            connection.sendall(self.begin)
            while self.again:
                connection.sendall(self.again * max(1, 100_000 // len(self.again)))
