"""Time from starting a lab to the first client that is connected: namespaces, network, an empty MariaDB, the tables and
the first answers lie before it.

    python3 bench/lab_start.py PROGRAM [TIMES]
"""

import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

SCENARIO = '{"locks": ["insert_lease"], "clients": 1, "duration_ms": 300, "expect": {}}'


def planned(program, folder):
    """A trial's plan.json, made by a short run."""
    (folder / "none.json").write_text(SCENARIO)
    subprocess.run([program, "run", folder / "none.json", "--out", folder / "runs"], capture_output=True, check=False)
    return next(folder.glob("runs/latest/cells/*/*/1/plan.json")).read_text()


def start_once(program, folder, plan, look=lambda lab: None):
    """Seconds until the first client is connected, and what `look` says of the lab's process then."""
    folder.mkdir()
    (folder / "plan.json").write_text(plan)
    journal = folder / "client-0.journal"
    with (folder / "lab.log").open("w") as log:
        begin = time.monotonic()
        command = [program, "lab", "--folder", folder]
        lab = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=log, stderr=log)
        while not journal.exists() and lab.poll() is None:
            time.sleep(0.001)
        took = time.monotonic() - begin
        seen = look(lab.pid) if journal.exists() else None
        lab.stdin.close()
        lab.wait()
    if not journal.exists():
        sys.exit((folder / "lab.log").read_text())
    return took, seen


def main():
    program, times = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 20
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        plan = planned(program, folder)
        took = [start_once(program, folder / str(number), plan)[0] for number in range(times)]
    print(f"median {statistics.median(took):.3f} s, longest {max(took):.3f} s, of {times}")


if __name__ == "__main__":
    main()
