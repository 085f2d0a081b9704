"""For each kind of server and each way of running several: the time from starting a lab until its first client is
connected, and the memory of the servers at that moment (their proportional set size, so that what several share is
counted once).

    python3 bench/server_start.py PROGRAM [TIMES] [NAME...]      # NAME: a row below, such as postgres

Servers that are not installed are named, and left out.
"""

import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

from lab_start import start_once

# Servers, a lock that needs each, and its scenario's settings.
ROWS = {
    "MariaDB": ("insert_lease", {}),
    "MariaDB and a replica": ("insert_lease", {"topology": "replica"}),
    "Galera, three": ("insert_lease", {"topology": "galera"}),
    "Redis": ("redis_token", {}),
    "Redis Sentinel, three and three": ("redis_token", {"topology": "sentinel"}),
    "Redis Cluster, three and three": ("redis_token", {"topology": "cluster"}),
    "Redis, five independent": ("redis_quorum", {"topology": "quorum"}),
    "etcd": ("etcd_lease_txn", {}),
    "S3": ("s3_store_clock", {}),
    "etcd, three": ("etcd_lease_txn", {"topology": "cluster"}),
    "ZooKeeper": ("zookeeper_sequential", {}),
    "ZooKeeper, three": ("zookeeper_sequential", {"topology": "cluster"}),
    "PostgreSQL": ("postgres_insert_lease", {}),
    "PostgreSQL and a replica": ("postgres_insert_lease", {"topology": "replica"}),
    "PostgreSQL behind PgBouncer": ("postgres_advisory_lock+pgbouncer", {}),
}
# Servers by the names of their processes; the resource's own MariaDB is in each lab, and counted apart.
SERVERS = ("mariadbd", "mysqld", "redis-server", "etcd", "java", "postgres", "pgbouncer", "versitygw", "moto_server")


def planned(program, folder, lock, words):
    """A trial's plan.json, made by a short run; None: it cannot run here."""
    folder.mkdir()
    scenario = {"locks": [lock], "clients": 1, "duration_ms": 300, "expect": {}, **words}
    (folder / "none.json").write_text(json.dumps(scenario))
    command = [program, "run", folder / "none.json", "--out", folder / "runs", "--quiet"]
    subprocess.run(command, capture_output=True, check=False)
    return next((path.read_text() for path in folder.glob("runs/latest/cells/*/*/1/plan.json")), None)


def descendants(process):
    """All processes below one, by the children that each of their threads has."""
    for task in pathlib.Path(f"/proc/{process}/task").iterdir():
        for child in (task / "children").read_text().split():
            yield int(child)
            yield from descendants(int(child))


def memory_mib(lab):
    """For each server, by the name of its process."""
    found = {}
    for process in descendants(lab):
        try:
            name = pathlib.Path(f"/proc/{process}/comm").read_text().strip()
            sizes = pathlib.Path(f"/proc/{process}/smaps_rollup").read_text()
        except OSError:  # it has ended meanwhile
            continue
        if name in SERVERS:
            pss = next(int(line.split()[1]) for line in sizes.splitlines() if line.startswith("Pss:"))
            found[name] = found.get(name, 0) + pss / 1024
    return found


def main():
    program, times = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 5
    for name, (lock, words) in ROWS.items():
        if len(sys.argv) > 3 and name not in sys.argv[3:]:
            continue
        with tempfile.TemporaryDirectory() as folder_name:
            folder = pathlib.Path(folder_name)
            plan = planned(program, folder / "plan", lock, words)
            if plan is None:
                print(f"| {name} | not here | |", flush=True)
                continue
            starts = [start_once(program, folder / str(number), plan, memory_mib) for number in range(times)]
        middle = statistics.median(took for took, _ in starts)
        memory = starts[-1][1]
        told = ", ".join(f"{server} {memory[server]:.0f}" for server in sorted(memory))
        print(f"| {name} | {middle:.2f} s | {told} |", flush=True)


if __name__ == "__main__":
    main()
