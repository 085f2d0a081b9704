"""Started by serve.sh: seekdb as a server that speaks MySQL's protocol, until this process is ended."""

import os
import signal
import sys

import pylibseekdb

folder, port = sys.argv[1], int(sys.argv[2])
pylibseekdb.open_with_service(folder, port)
with_root = pylibseekdb.connect(database="test", autocommit=True)
statements = with_root.cursor()
statements.execute("CREATE DATABASE IF NOT EXISTS holdfast")
password = os.environ["HOLDFAST_TARGET_PASSWORD"].replace("\\", "\\\\").replace("'", "\\'")
statements.execute(f"ALTER USER root IDENTIFIED BY '{password}'")
print(f"ready: --target mysql://root@127.0.0.1:{port}/holdfast", flush=True)
while True:
    signal.pause()
