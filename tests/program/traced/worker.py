"""A lock of real programs, traced by the OpenTelemetry SDK for Python: each worker is a process that writes its spans
with the SDK's file exporter, as OTLP/JSON lines.

    python3 worker.py FOLDER sound|broken ROUNDS NAME

`sound` is flock of a file, without waiting. `broken` looks for a file and then makes it, which two workers can do at
once.
"""

import fcntl
import os
import pathlib
import random
import sys
import time

from opentelemetry.exporter.otlp.json.file import FileSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import Status, StatusCode

HOLD_S = 0.02


class Sound:
    def __init__(self, path):
        self.file = path.open("a")

    def acquire(self):
        try:
            fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def release(self):
        fcntl.flock(self.file, fcntl.LOCK_UN)


class Broken:
    def __init__(self, path):
        self.path = path

    def acquire(self):
        if self.path.exists():
            return False
        time.sleep(0.01)
        self.path.touch()
        return True

    def release(self):
        self.path.unlink(missing_ok=True)


def main():
    folder, kind, rounds, name = pathlib.Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4]
    provider = TracerProvider(resource=Resource.create({"service.name": "orders", "service.instance.id": name}))
    exporter = FileSpanExporter(str(folder / f"{name}.jsonl"))
    provider.add_span_processor(BatchSpanProcessor(exporter, schedule_delay_millis=200))
    tracer = provider.get_tracer("traced_locks")
    lock = {"sound": Sound, "broken": Broken}[kind](folder / "lock")
    draw = random.Random(os.getpid())
    for _ in range(rounds):
        with tracer.start_as_current_span("handle order"):  # another span, around those of the lock
            with tracer.start_as_current_span("lock.acquire", attributes={"lock.key": "orders"}) as span:
                got = lock.acquire()
                if not got:
                    span.set_attribute("lock.outcome", "busy")
                    span.set_status(Status(StatusCode.ERROR, "busy"))
            if got:
                time.sleep(HOLD_S)
                with tracer.start_as_current_span("lock.release", attributes={"lock.key": "orders"}):
                    lock.release()
        time.sleep(draw.uniform(0, HOLD_S))
    provider.shutdown()


main()
