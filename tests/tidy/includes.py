"""Allowed includes between folders: dependencies are one-way. A quoted include names a path from the top or from
src/."""

import re

# Beside itself and artifact, which every stage may include. None: any, since these join the stages.
MAY_INCLUDE = {
    "artifact": set(),
    "adapter": set(),
    "history": set(),
    "plan": set(),
    "control": set(),
    "preload": set(),
    "lab": {"preload"},  # the page that it shares with a server whose clock it sets
    "disk": {"lab"},  # a process of the lab
    "virtual_time": {"lab"},
    "store": {"history"},
    "servers": {"lab", "store", "history"},  # lab: they are started there
    "hosts": {"adapter", "servers"},  # servers: whose password goes to no other host
    "lock": {"adapter", "servers", "store", "history"},  # servers: whose statements a lock's are
    "driver": {"adapter", "lock", "store", "history"},
    "client": {"driver", "lock", "control", "servers", "store", "history"},
    "relay": {"lab"},  # its sockets are of nodes
    "nemesis": {"lab", "servers", "history"},  # lab: rules for packets; servers: what one tells of itself
    # lock and store: it makes the lock's tables before the load, and reads the resource's log after it
    "runner": {
        *("adapter", "hosts", "relay", "lab", "virtual_time", "disk", "nemesis", "client"),
        *("control", "lock", "servers", "store", "history"),
    },
    "explore": {"driver", "lock", "servers", "store", "lab"},  # lab: processes of its own
    # relay: where requests are held; servers, lab, virtual_time: it has a lab of its own, and time moves by its words
    "request_explore": {
        *("explore", "adapter", "driver", "relay", "lab", "virtual_time"),
        *("lock", "servers", "store", "history"),
    },
    "checker": {"history"},
    "reports": {"history"},
    "generate": {"adapter", "lock", "servers", "history"},  # servers: what a lock's statements run on
    "suite": None,
    "doctor": None,
    "compare": None,
    "soak": None,
    "library": {"adapter"},
    "cli": None,
    "tests": None,
    "bench": None,
}
DUMMIES = "tests/tidy/dummies/"
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"')


def stage_of(path):
    parts = path.split("/")
    return parts[1] if parts[0] == "src" and len(parts) > 2 else parts[0]


def quoted_includes(tree):
    for path in tree.having(".hpp", ".cpp"):
        for number, line in enumerate(tree.lines(path), 1):
            match = INCLUDE.match(line)
            if match:
                yield path, number, match.group(1)


def one_way(tree):
    found = []
    for path, number, target in quoted_includes(tree):
        stage, other = stage_of(path), target.split("/")[0]
        if stage not in MAY_INCLUDE:
            found.append((path, number, "include", f"folder '{stage}' is new: say in includes.py what it may use"))
        elif path.startswith(DUMMIES) and DUMMIES + target.split("/")[-1] in tree.paths:
            continue  # its place, once it is added
        elif f"src/{target}" not in tree.paths and target not in tree.paths:
            found.append((path, number, "include", f'"{target}" is no path from the top or from src/'))
        elif MAY_INCLUDE[stage] is not None and other not in MAY_INCLUDE[stage] | {stage, "artifact"}:
            found.append((path, number, "include", f"'{stage}' must not know '{other}'"))
        elif target.startswith("src/"):
            found.append((path, number, "include", f'write "{target[4:]}"'))
    return found


# Servers are named in their own folder and by the locks that live on them; all others ask what a kind can do.
SERVER = re.compile(
    r"mysql|maria_?db|redis|galera|valkey|sentinel|etcd|postgres|libpq|pgbouncer|oceanbase|seekdb|zookeeper|versitygw"
    r"|moto_",
    re.IGNORECASE,
)
MAY_NAME = ("src/lock/", "src/relay/protocols/", "tests/", "bench/")  # protocols: a server's language is its own
COMMENT = re.compile(r"\s*//.*")


def servers_are_named_at_home(tree):
    found = []
    for path in tree.having(".hpp", ".cpp"):
        own = path.startswith("src/servers/") and path.count("/") > 2
        if own or path.startswith(MAY_NAME):
            continue
        for number, line in enumerate(tree.lines(path), 1):
            if SERVER.search(COMMENT.sub("", line)):
                found.append((path, number, "server-name", "ask what a kind can do (servers/server_type.hpp)"))
    return found


# Properties are named in their own files; all others ask what one concerns, or go through them all. A name of several
# words is found anywhere in a literal; one of a single word, which people use too, where the literal is nothing else.
NOT_THE_PROPERTY = {
    "resource": ("src/history/", "src/runner/", "src/nemesis/"),  # the client, or the node, so called
    "permits": ("src/adapter/",),  # a field of a message, and a word of what an adapter can
}


def property_names(tree):
    folder = "checker/properties/"
    return sorted(path[len(folder) : -4] for path in tree.having(".hpp") if path.startswith(folder))


def properties_are_named_at_home(tree):
    found = []
    for name in property_names(tree):
        literal = re.compile(rf'"[^"]*\b{name}\b[^"]*"' if "_" in name else rf'"{name}"')
        for path in tree.having(".hpp", ".cpp", ".js"):
            if not path.startswith(("src/", "checker/", "reports/")) or path.startswith("checker/properties/"):
                continue
            if path.startswith(NOT_THE_PROPERTY.get(name, ("-",))):
                continue
            for number, line in enumerate(tree.lines(path), 1):
                if literal.search(COMMENT.sub("", line)) and not INCLUDE.match(line):
                    found.append((path, number, "property-name", "ask what it concerns (property_words.hpp)"))
    return found


RULES = [one_way, servers_are_named_at_home, properties_are_named_at_home]
