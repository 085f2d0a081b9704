"""Measures a lookup: by a clustered key and by an ordinary index (document 000), and in a table that has grown
(document 002); for claims.py.

Keys are MD5 sums of 1, 2, 3, ..., so that they lie in no order. Each figure is a ratio of two batches that took turns.
"""

import hashlib
import pathlib
import random
import re
import time

import claims_figures as figures
from claims_server import Server

SQL = pathlib.Path(__file__).resolve().parents[1] / "sql"
FILL_S = 30  # a larger table is left out if the next smaller one says that it takes longer than this to fill

# The document's table, and the same with the key in an ordinary index. Both are called `lease`, each in a database.
COLUMNS = "lock_value VARCHAR(64) NOT NULL, expire_time TIMESTAMP NOT NULL"
TABLES = {
    "clustered": f"CREATE TABLE lease (lock_key VARCHAR(64) PRIMARY KEY, {COLUMNS}) ENGINE = InnoDB",
    "ordinary": "CREATE TABLE lease (id BIGINT AUTO_INCREMENT PRIMARY KEY, lock_key VARCHAR(64) NOT NULL, "
    f"{COLUMNS}, UNIQUE KEY (lock_key)) ENGINE = InnoDB",
}
FILL = "INSERT INTO lease (lock_key, lock_value, expire_time) SELECT MD5(seq), UUID(), NOW() FROM seq_1_to_{rows}"
POINT = "SELECT lock_value FROM lease WHERE lock_key = {key}"
POINT_INSIDE = "SELECT lock_value INTO found FROM lease WHERE lock_key = wanted"


def sized(sizes, fill):
    """Fills a table of each size: those sizes that are worth the time."""
    done, took = [], 0.0
    for before, size in zip([None, *sizes], sizes):
        if size > 100_000 and took * size / before > FILL_S:
            break
        began = time.monotonic()
        fill(size)
        took = time.monotonic() - began
        done.append(size)
    return done


def keys(rows, number):
    return [hashlib.md5(str(random.randint(1, rows)).encode()).hexdigest() for _ in range(number)]


def clustered(_, options):
    with Server() as server:
        return clustered_on(server, options)


def clustered_on(server, options):
    """{rows: ([ordinary / clustered, as a client has it], [in the server], [clustered / itself])}"""

    def fill(rows):
        for name, table in TABLES.items():
            server.run(f"CREATE DATABASE {name}_{rows}; USE {name}_{rows}; {table}; {FILL.format(rows=rows)}")

    out = {}
    for rows in sized(options.table_rows, fill):
        batch = [POINT.format(key=f"'{key}'") for key in keys(rows, options.lookups)]
        turns = [one_turn(server, rows, batch, turn) for turn in range(options.repeat + 1)][1:]  # the first warms
        out[rows] = tuple(list(column) for column in zip(*turns))
    return out


def one_turn(server, rows, batch, turn):
    names = ["clustered", "ordinary"] if turn % 2 else ["ordinary", "clustered"]
    client = {name: server.seconds_in_client(f"{name}_{rows}", batch) for name in names}

    def alone(name):
        return server.seconds_in_server(f"{name}_{rows}", POINT_INSIDE, rows, 5 * len(batch))

    inside = {name: alone(name) for name in names}
    again = alone("clustered")
    return (
        client["ordinary"] / client["clustered"],
        inside["ordinary"] / inside["clustered"],
        again / inside["clustered"],
    )


def unique_row(what):
    """A statement of sql/unique_row.sql, without its `-- name:` line."""
    found = re.search(rf"-- name: {what}\n(?:--[^\n]*\n)*(.*?);\n", (SQL / "unique_row.sql").read_text(), re.DOTALL)
    return found.group(1)


def grown(_, options):
    with Server() as server:
        return grown_on(server, options)


def grown_on(server, options):
    """{rows: ([time for each of the smallest table's, as a client has it], [in the server])}"""

    def fill(rows):
        insert = f"INSERT INTO unique_row SELECT seq, MD5(seq) FROM seq_1_to_{rows}"
        server.run(f"CREATE DATABASE grown_{rows}; USE grown_{rows}; {unique_row('schema')}; {insert}")

    sizes = sized([100, 10_000, *[n for n in options.table_rows if n > 10_000]], fill)
    select = unique_row("select")
    inside = select.replace("*", "order_no INTO found").replace("@key", "wanted")
    batches = {r: [select.replace("@key", f"'{key}'") for key in keys(r, options.lookups)] for r in sizes}

    def turn():
        """Time of client and server for each size, and for the smallest once more."""
        order = [*((r, r) for r in sizes), ("again", sizes[0])]
        client = {name: server.seconds_in_client(f"grown_{r}", batches[r]) for name, r in order}
        return client, {n: server.seconds_in_server(f"grown_{r}", inside, r, 5 * options.lookups) for n, r in order}

    turn()  # warms
    turns = [turn() for _ in range(options.repeat)]
    return {r: tuple([t[k][r] / t[k][sizes[0]] for t in turns] for k in (0, 1)) for r in [*sizes[1:], "again"]}


def clustered_part(ratios):
    rows = [
        (
            number(n),
            *map(figures.spread, (client, inside)),
            figures.verdict(inside, 1.05) if figures.steady(again) else "too unsteady",
        )
        for n, (client, inside, again) in ratios.items()
    ]
    return (
        "## Document 000: the primary key is clustered, so a lookup is faster than by an ordinary index\n\n"
        f"`{POINT.format(key='...')}`, all keys present, in a table with the primary key `lock_key` and in one with "
        "a unique index on it instead. Times with the index relative to the primary key, for the command-line client "
        "and in the server alone:\n\n"
        + figures.table(["rows", "client", "server alone", "5 % faster in the server?"], rows)
        + "All tables fit in memory.\n\n"
    )


def grown_part(ratios):
    sizes = [rows for rows in ratios if rows != "again"]
    rows = [(number(n), *map(figures.spread, ratios[n])) for n in sizes]

    def says(kind):
        return (
            figures.verdict(ratios[sizes[-1]][kind], 1.2)
            if figures.steady(ratios["again"][kind])
            else "too unsteady"
        )

    return (
        "## Document 002: when the table has grown, queries get slower\n\n"
        f"`{unique_row('select').replace('@key', '...')}` on `unique_row`'s table, autocommitted, one client, the key "
        "present. Time relative to 100 rows:\n\n"
        + figures.table(["rows", "client", "server alone"], rows)
        + f"It takes at least a fifth longer with {number(sizes[-1])} rows: for a client, {says(0)}; for the server "
        f"alone, {says(1)}. The table fits in memory.\n\n"
    )


def number(n):
    return f"{n:,}".replace(",", " ")
