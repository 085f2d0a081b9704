"""Random command lines, of commands that only read, and random variables of the environment."""

import string

RUNS = ["run", "part1", "s.json", ".", "nothing", "h.jsonl", "run/latest"]
CELLS = ["ip_lease/short", "*/*", "zz/none", "@s.json", "@nothing", "ip_lease", "/", "*", "a/b/c"]
LOCKS = [
    "get_lock",
    "ip_lease",
    "upsert_lease+found_rows",
    "upsert_lease+",
    "+",
    "redis_token",
    "my_lock",
    "*",
    "s.json",
]
NUMBERS = ["0", "1", "-1", "7", "1.5", "99999999999999999999", "0x1", "1e3", "", " 1", "100000", "256", "a"]
URLS = [
    "mysql://a@127.0.0.1:1/b",
    "mysql://a:b@127.0.0.1:1/b?tls=required",
    "mysql://[::1]:1/b",
    "mysql://",
    "mysql:",
    "://",
    "redis://127.0.0.1:1/0",
    "redis://127.0.0.1:1/99999999999",
    "rediss://127.0.0.1:1?ca=s.json",
    "redis://127.0.0.1:0",
    "redis://127.0.0.1:65536",
    "redis://127.0.0.1:-1",
    "redis://a%00b@127.0.0.1:1",
    "redis://a%zz@127.0.0.1:1",
    "redis://@@@/",
    "postgres://a@127.0.0.1:1/b?tls=maybe",
    "postgres://a@127.0.0.1:1/b?x=y&&=&",
    "http://127.0.0.1/",
    "mysql://a@127.0.0.1:1/b?ca=/dev/zero&tls=required",
    "redis://127.0.0.1:1/0#x",
    "redis://127.0.0.1:1//0",
]
SETTINGS = ["lease_ms=1,2", "lease_ms=", "=1", "no_such=1", "clients=99999999999", "hold_ms=[1,2]", "faults=x", "a=b=c"]
TIMES = ["1s", "0s", "-1s", "1x", "99999999999999h", "1", "", "1.5m", "1s1m"]
COMMANDS = {
    "plan": (
        ["s.json"],
        {
            "--only": CELLS,
            "--seed": NUMBERS,
            "--lock": LOCKS,
            "--adapter": RUNS,
            "--lock-file": RUNS,
            "--adapter-command": ["a=b", "a@redis=true", "=", "a@=x", "a=' ", "a=\\"],
        },
    ),
    "check": (
        ["h.jsonl"],
        {
            "--model": ["owner", "semaphore:0", "semaphore:-1", "semaphore:99999999999", "semaphore:", "x"],
            "--merge": None,
            "--json": None,
            "--first": None,
            "--export": ["edn", "jsonl", "x"],
        },
    ),
    "report": (
        ["run"],
        {
            "--format": ["html", "junit", "trace", "x"],
            "--cell": CELLS,
            "--trial": NUMBERS,
            "--json": None,
            "--out": ["out.html", "nothing/x", ".", "run", "full", "link.html", ""],
            "--model": ["owner", "x"],
        },
    ),
    "table": (["run"], {"--json": None, "--markdown": None}),
    "list": (["runs"], {"--json": None, "--names": None}),
    "locks": ([], {"--scenarios": RUNS}),
    "schema": (["verdict"], {"--keys": None}),
    "completion": (["bash"], {}),
    "merge": (
        ["part1", "part2"],
        {
            "--out": ["out", "s.json", "", "nothing/x"],
            "--baseline": RUNS,
            "--json": None,
            "--write-baseline": ["b.json", ".", "nothing/b", "full", "link.html"],
        },
    ),
    "clean": (["--target", "redis://127.0.0.1:1"], {"--target": URLS}),
    "run": (
        ["s.json", "--only", "zz/none", "--quiet"],
        {
            "--seed": NUMBERS,
            "--seeds": ["1..5", "5..1", "1,1", "0..99999999", ",", "..", "1..", "-1..2"],
            "--repeat": NUMBERS,
            "--confidence": ["99%", "100%", "0%", "x", "1e9%"],
            "--rate": ["5%", "0%", "-1%", "%"],
            "--jobs": NUMBERS,
            "--time-budget": TIMES,
            "--shard": ["1/2", "0/0", "2/1", "/", "auto", "1/99999999999", "-1/2"],
            "--lock": LOCKS,
            "--server": ["mysqld=/nothing", "x=y", "=", "mysqld="],
            "--target": URLS,
            "--hosts": RUNS,
            "--baseline": RUNS,
            "--durations": RUNS,
            "--controls": None,
            "--first": None,
            "--color": ["always", "x"],
            "--json": None,
        },
    ),
    "soak": (
        ["s.json", "--only", "zz/none", "--for", "1s", "--quiet"],
        {"--for": TIMES, "--every": TIMES, "--seed": NUMBERS, "--jobs": NUMBERS, "--keep": NUMBERS},
    ),
    "compare": (
        ["get_lock", "--scenario", "nothing"],
        {
            "--set": SETTINGS,
            "--lease": NUMBERS,
            "--repeat": NUMBERS,
            "--envelope": ["pause", "pause.for_ms", "x", "."],
            "--most": NUMBERS,
            "--step": NUMBERS,
            "--property": ["x", "fencing"],
            "--baseline": RUNS,
            "--json": None,
        },
    ),
    "curve": (
        ["no_such_lock", "--quiet"],
        {
            "--fault": ["pause", "server_kill", "x", ""],
            "--for": NUMBERS,
            "--lease": NUMBERS,
            "--plans": NUMBERS,
            "--property": ["x", "fencing"],
            "--resume": RUNS,
            "--seed": NUMBERS,
            "--jobs": NUMBERS,
            "--json": None,
        },
    ),
    "replay": (
        ["run", "zz/none", "--quiet"],
        {"--trial": NUMBERS, "--repeat": NUMBERS, "--target": URLS, "--hosts": RUNS},
    ),
    "explore": (
        ["no_such_lock", "--quiet"],
        {
            "--clients": NUMBERS,
            "--rounds": NUMBERS,
            "--lease": NUMBERS,
            "--fraction": NUMBERS,
            "--budget": TIMES,
            "--except": RUNS,
            "--shard": ["1/2", "3/2", "x"],
            "--value": ["bare", "x"],
            "--jobs": NUMBERS,
        },
    ),
    "try": (["no_such_lock", "--quiet"], {"--for": NUMBERS, "--seed": NUMBERS, "--jobs": NUMBERS, "--target": URLS}),
    "adapter": (["check", "nothing"], {"--x": None}),
    "libraries": (["list"], {"--json": None}),
    "help": (["run"], {}),
}
VARIABLES = [
    "HOLDFAST_TARGET_PASSWORD",
    "SLURM_ARRAY_TASK_ID",
    "SLURM_ARRAY_TASK_COUNT",
    "SLURM_ARRAY_TASK_MIN",
    "CI_NODE_INDEX",
    "SLURM_ARRAY_TASK_MAX",
    "CI_NODE_TOTAL",
    "JOB_COMPLETION_INDEX",
    "JOB_COMPLETIONS",
    "HOLDFAST_COMMAND",
    "COLUMNS",
    "GITHUB_ACTIONS",
    "GITHUB_STEP_SUMMARY",
    "GITHUB_OUTPUT",
    "NO_COLOR",
    "TERM",
    "PATH",
    "HOME",
    "TMPDIR",
    "LANG",
    "LC_ALL",
]


def clean(word):
    """A valid argument: without zero bytes."""
    return word.replace("\0", "").encode("utf-8", "surrogatepass")


def evil_word(choose, texts):
    way = choose.randrange(4)
    if way == 0:
        return choose.randbytes(choose.choice([1, 3, 40])).replace(b"\0", b"x")
    if way == 1:
        return clean(choose.choice(texts)) * choose.choice([1, 1, 200, 20_000 // 40])
    if way == 2:
        return "".join(choose.choices(string.printable, k=choose.choice([1, 5, 80]))).encode()
    return clean(choose.choice(texts))


def random_words(choose, texts):
    """A command with some of its flags, right or wrong; what would start trials names nothing that can run."""
    name, (fixed, flags) = choose.choice(list(COMMANDS.items()))
    words = [one.encode() for one in fixed]
    for flag in choose.sample(list(flags), min(len(flags), choose.choice([0, 1, 1, 2, 3]))):
        given = [] if flags[flag] is None else [choose.choice(flags[flag]).encode()]
        words += [flag.encode(), *given] if choose.random() < 0.8 else [b"=".join([flag.encode(), *given])]
    for _ in range(choose.choice([0, 0, 1, 1, 2])):
        at = choose.randrange(len(words) + 1)
        if name in ("run", "soak", "compare", "replay", "explore", "try", "adapter"):
            at = len(words)  # the names that match nothing stay
        words.insert(at, evil_word(choose, texts))
    return [name.encode(), *words]


def environment_words(choose, texts):
    found = {}
    for name in choose.sample(VARIABLES, choose.choice([1, 2, 4])):
        value = choose.choice(["1", "2", "0", "-1", "x", "1" * 400, *(one for one in texts if "\0" not in one)])
        found[name] = value.encode("utf-8", "surrogatepass")
    return found
