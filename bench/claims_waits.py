"""Finds the statements that waited; for claims.py.

A statement waited if it took longer than 10 times the median of the same statement with one client of the same lock,
and more than 2 ms. That counts waits for a row, but also those for a processor. START TRANSACTION and a SELECT that
locks nothing can only wait for a processor: their number shows how much of the rest is blocking.
"""

from claims_figures import median

TIMES, AT_LEAST_S = 10, 0.002
NO_TABLE = ("begin", "commit", "rollback")  # statements that look at no row
DEFINITION = (
    f"A statement *waited* if it took more than {TIMES} times its median with one client, and more than "
    f"{1000 * AT_LEAST_S:.0f} ms. This includes waits for a processor."
)


def took(statement):
    return (statement["return"] - statement["call"]) / 1e9


def usual(histories):
    """{name: the median time} of trials with one client."""
    times = {}
    for statement in (s for h in histories for s in h.begun()):
        times.setdefault(statement["name"], []).append(took(statement))
    return {name: median(values) for name, values in times.items()}


def counts(history, usually):
    """{name: how many were sent, waited, ended in a deadlock, in a time-out} of one trial."""
    out = {}
    for s in history.begun():
        sent = out.setdefault(s["name"], {"sent": 0, "waited": 0, "deadlocks": 0, "time_outs": 0})
        sent["sent"] += 1
        # A statement that one client alone never sent has no usual time; the 2 ms decide.
        sent["waited"] += took(s) > max(AT_LEAST_S, TIMES * usually.get(s["name"], 0))
        sent["deadlocks"] += s["error"] == 1213
        sent["time_outs"] += s["error"] == 1205
    return out


def total(trials, names=None):
    """The counts of several trials added up: of these statements, or of all that look at a row."""
    out = {"sent": 0, "waited": 0, "deadlocks": 0, "time_outs": 0}
    for counted in trials:
        for name, one in counted.items():
            if name in names if names else name not in NO_TABLE:
                out = {what: n + one[what] for what, n in out.items()}
    return out


def share(counted, what="waited"):
    return counted[what] / max(1, counted["sent"])


def percent(part):
    return f"{bare(part)} %"


def bare(part):
    """Formats a share for a column of percentages."""
    return f"{100 * part:.2f}"


def blocked(counted, control):
    """True if statements waited for a row, beside `control`, which can only wait for a processor."""
    if counted["time_outs"] or (share(counted) > 0.01 and share(counted) > 3 * share(control)):
        return "true here"
    return "not concluded" if share(counted) > 0.01 else "not seen here"
