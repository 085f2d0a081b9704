"""Protects the machine from root's attack: everything but the attack's own folders is read-only.

    code = own_world.ended([work, kept])     # None: continue here; a number: all is done, exit with it

As root it runs the program again in a mount namespace, waits for it and returns its exit code. A normal user's rights
are protection enough. Root without the right to make such a namespace is refused.
"""

import os
import pathlib
import subprocess
import sys

ENTERED = "HOLDFAST_ATTACK_WORLD"


def mounts():
    lines = pathlib.Path("/proc/self/mounts").read_text().splitlines()
    return [line.split(" ")[1].replace("\\040", " ") for line in lines]


def is_read_only(place):
    return bool(os.statvfs(place).f_flag & os.ST_RDONLY)


def mount(*words):
    return subprocess.run(["mount", *words], stderr=subprocess.DEVNULL, check=False).returncode == 0


def close(own):
    """Makes every mount read-only, except these folders and the kernel's own."""
    for place in own:
        mount("--bind", place, place)
    for place in mounts():
        if place not in own and not place.startswith(("/proc", "/sys", "/dev/shm")):
            mount("-o", "remount,bind,ro", place)
    still = [place for place in ("/", "/dev", "/etc") if not is_read_only(place)]
    if still or any(map(is_read_only, own)):
        sys.exit(f"{sys.argv[0]}: {still or own} cannot be made read-only or kept open; remedy: not as root")


def ended(own):
    own = [str(pathlib.Path(place).resolve()) for place in own]
    if os.geteuid() != 0:
        return None
    if ENTERED not in os.environ:
        environment = {**os.environ, ENTERED: "1"}
        command = ["unshare", "-m", "--kill-child", "-f", sys.executable, "-B", *sys.argv]
        return subprocess.run(command, env=environment, check=False).returncode
    close(own)
    return None
