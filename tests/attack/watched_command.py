"""Runs one command of the program under limits, and lists what no command may do, whatever its input.

    watcher = Watcher(program, folder)                       # in the folder: output, TMPDIR, reports of sanitizers
    seen = watcher.run(["check", "x.jsonl"], cwd=place)      # Seen: exit code, output, seconds, memory, leftovers
    for find in failings(seen): print(find)                  # "killed by signal 11", "hangs", "leaves a process", ...

The process that makes a Watcher becomes the parent of every orphan below it, so it sees processes that outlive their
command. It recognises a program with sanitizers, which gets more time and memory and no limit of its address space;
the sanitizers' reports count wherever in the program's processes they arise.
"""

import contextlib
import ctypes
import dataclasses
import mmap
import os
import pathlib
import re
import resource
import select
import shutil
import signal
import subprocess
import time

PR_SET_CHILD_SUBREAPER = 36
DOCUMENTED = (0, 1, 2, 3, 4, 5, 130)
GONE_S = 5  # until what a command started has ended, too
MOST_OUTPUT = 64 << 20
MOST_FILE = 1 << 30
ADDRESS_SPACE = 4 << 30
# The explorer's fibers: a warning that a sanitizer prints at the first one, and no error.
FIBERS = re.compile(rb"==\d+==WARNING: ASan doesn't fully support makecontext/swapcontext[^\n]*\n")
SANITIZER = re.compile(rb"(Address|Leak|Thread|UndefinedBehavior|Memory)Sanitizer|runtime error: ")
CRASH = re.compile(
    rb"terminate called|Assertion .* failed|std::(bad_alloc|out_of_range|length_error)|_M_\w+|stack smashing"
)
# Controls of a terminal and characters that turn the direction of text, which no output for people may have.
COMMANDING = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


@dataclasses.dataclass
class Seen:
    command: list
    code: int = 0
    out: bytes = b""
    err: bytes = b""
    seconds: float = 0.0
    peak_kb: int = 0
    hung: str = ""  # its state when its time was over
    left: list = dataclasses.field(default_factory=list)  # processes, and files for a while
    reports: bytes = b""  # sanitizer reports
    most_kb: int = 0


def is_sanitized(program):
    """True if the compiler has built a sanitizer into it."""
    with open(program, "rb") as file:
        if os.fstat(file.fileno()).st_size == 0:
            return False
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
            return content.find(b"__asan_init") >= 0 or content.find(b"__tsan_init") >= 0


class Watcher:
    def __init__(self, program, folder, seconds=20, most_mb=300, address_space=ADDRESS_SPACE):
        self.program = str(pathlib.Path(program).resolve())
        self.sanitized = is_sanitized(self.program)
        self.address_space = None if self.sanitized else address_space
        self.seconds = seconds * (4 if self.sanitized else 1)
        self.most_kb = most_mb * 1024 * (4 if self.sanitized else 1)
        self.folder = pathlib.Path(folder).resolve()
        self.temporary = self.folder / "tmp"
        self.reports = self.folder / "reports"
        for place in (self.temporary, self.reports):
            place.mkdir(parents=True, exist_ok=True)
            place.chmod(0o1777)
        self.own = set()
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        self.environment = {**os.environ, "TMPDIR": str(self.temporary), "LC_ALL": "C.UTF-8", "COLUMNS": "120"}
        if self.sanitized:
            self.report_into(self.reports)

    def report_into(self, place):
        shared = f"log_path={place}/report:exitcode=66"
        self.environment["HOLDFAST_REPORTS"] = str(place)  # a lab leaves it writable
        self.environment["ASAN_OPTIONS"] = f"{shared}:detect_leaks=1:allocator_may_return_null=1"
        self.environment["UBSAN_OPTIONS"] = f"{shared}:print_stacktrace=1:halt_on_error=1"
        self.environment["TSAN_OPTIONS"] = f"{shared}:halt_on_error=1"

    def not_left(self, pids):
        """Children of this process that are no command's."""
        self.own = set(pids)

    def limits(self):
        if self.address_space:
            resource.setrlimit(resource.RLIMIT_AS, (self.address_space, self.address_space))
        resource.setrlimit(resource.RLIMIT_FSIZE, (MOST_FILE, MOST_FILE))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)

    def start(self, command, cwd, environment=None):
        """The process, in a session of its own; `finish` ends it."""
        place = self.folder
        with (place / "out").open("wb") as out, (place / "err").open("wb") as err:
            return subprocess.Popen(
                [self.program, *command], cwd=cwd, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                start_new_session=True, preexec_fn=self.limits, env={**self.environment, **(environment or {})},
            )  # fmt: skip

    def run(self, command, cwd, environment=None, seconds=None):
        process = self.start(command, cwd, environment)
        return self.finish(process, command, seconds)

    def finish(self, process, command, seconds=None):
        seen = Seen(command, most_kb=self.most_kb)
        begun = time.monotonic()
        ended = select.poll()
        pidfd = os.pidfd_open(process.pid)
        ended.register(pidfd, select.POLLIN)
        if not ended.poll((seconds or self.seconds) * 1000):
            seen.hung = doing(process.pid)
            kill_all_below(process.pid)
        os.close(pidfd)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = seen.code = os.waitstatus_to_exitcode(status)
        seen.seconds, seen.peak_kb = time.monotonic() - begun, usage.ru_maxrss
        seen.left = self.leftovers()
        seen.out, seen.err = (read_some(self.folder / name) for name in ("out", "err"))
        seen.reports = self.taken_reports()
        return seen

    def leftovers(self):
        """Processes and temporary files that outlive the command; both are removed."""
        limit = time.monotonic() + GONE_S
        while (found := children(self.own)) and time.monotonic() < limit:
            time.sleep(0.01)
        out = [f"process {line}" for line in found.values()]
        for pid in found:
            kill_all_below(pid)
        children(self.own)
        for path in sorted(self.temporary.iterdir()):
            out.append(f"temporary file {path.name}")
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
        return out

    def taken_reports(self):
        out = b""
        for path in sorted(self.reports.iterdir()):
            out += FIBERS.sub(b"", path.read_bytes()[:20_000])
            path.unlink()
        return out


def read_some(path):
    with path.open("rb") as file:
        return file.read(MOST_OUTPUT)


def has_ended(pid):
    """Takes note of the end of a child that has."""
    with contextlib.suppress(ChildProcessError):
        return os.waitpid(pid, os.WNOHANG)[0] == pid
    return True


def children(own):
    """{pid: command line} of what is left below this process, without its own and those that have ended."""
    found = {}
    for task in os.listdir("/proc/self/task"):
        with contextlib.suppress(OSError):
            pids = {int(word) for word in pathlib.Path(f"/proc/self/task/{task}/children").read_text().split()}
            for pid in pids - own:
                if not has_ended(pid):
                    line = pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ")[:200]
                    found[pid] = line.decode(errors="replace")
    return found


def doing(pid):
    """The time use of a process that does not end."""
    try:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        ticks = os.sysconf("SC_CLK_TCK")
        used = (int(fields[11]) + int(fields[12])) / ticks
        return f"state {fields[0]}, {used:.1f} s on a processor"
    except OSError:
        return "gone meanwhile"


def kill_all_below(pid):
    """The process's session and, below it, what has left that."""
    for end in (lambda: os.killpg(pid, signal.SIGKILL), lambda: os.kill(pid, signal.SIGKILL)):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            end()


def text_of(data):
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None


def failings(seen):
    """Behaviour forbidden to every command, for any input."""
    if seen.hung:
        yield f"hangs: no end after {seen.seconds:.0f} s ({seen.hung})"
        return
    if seen.code < 0:
        yield f"killed by signal {-seen.code}"
    elif seen.code not in DOCUMENTED:
        yield f"exit code {seen.code}, which is not documented"
    if SANITIZER.search(seen.err) or SANITIZER.search(seen.out) or seen.reports:
        yield "a sanitizer reports: " + first_line(seen.reports or seen.err)
    elif word := CRASH.search(seen.err):
        yield f"words of a crash: {word[0].decode(errors='replace')}"
    if seen.peak_kb > seen.most_kb:
        yield f"takes {seen.peak_kb // 1024} MB of memory"
    for one in seen.left:
        yield f"leaves a {one}"
    for name, data in (("standard output", seen.out), ("standard error", seen.err)):
        text = text_of(data)
        if text is None:
            yield f"{name} is not UTF-8"
        elif word := COMMANDING.search(text):
            yield f"{name} has the character U+{ord(word[0]):04X}"


def first_line(data):
    found = SANITIZER.search(data)
    begin = data.rfind(b"\n", 0, found.start()) + 1 if found else 0
    return data[begin:].split(b"\n")[0].decode(errors="replace")[:200]
