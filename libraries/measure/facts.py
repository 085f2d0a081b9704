"""What histories of the suite of all libraries say of a lock, beside what was broken: for record.py and table.py."""

import collections
import json

ASKED_AFTER_A_LOSS = ["pause", "partition", "pause_release", "partition_release", "renewal_held"]


def events_of(folder):
    with open(folder / "history.jsonl") as lines:
        return [json.loads(line) for line in lines][1:]


def token(folders):
    """Whether grants carry one; None: nothing was granted."""
    for folder in folders:
        grants = [one for one in events_of(folder) if one.get("f") == "acquire" and one["type"] == "ok"]
        if grants:
            return any("token" in one for one in grants)
    return None


def told(trials):
    """How many of those that were holders past their lease were told, of how many, and how late at most, in seconds."""
    measures = [trial["verdict"]["measures"] for trial in trials]
    all_of = sum(one["former_holders"] for one in measures)
    never = sum(one["never_told"] for one in measures)
    return [all_of - never, all_of, round(max((one["loss_notice_max_ns"] for one in measures), default=0) / 1e9, 3)]


def late_releases(events):
    """How releases ended that were called when somebody else had been granted the lock since."""
    out = collections.Counter()
    overtaken = {}  # of a key: {who holds it: whether another was granted it since}
    asking = {}
    for one in events:
        who, key = one.get("process"), one.get("key")
        if one.get("f") == "acquire" and one["type"] == "ok":
            holders = overtaken.setdefault(key, {})
            for other in holders:
                holders[other] = True
            holders[who] = False
        elif one.get("f") == "release" and one["type"] == "invoke":
            asking[who] = overtaken.get(key, {}).pop(who, False)
        elif one.get("f") == "release" and asking.pop(who, False):
            out[{"ok": "success", "info": "unknown"}.get(one["type"], one.get("reason", "other"))] += 1
    return out


def recoveries(events):
    """Seconds from the kill of a client that held a key to the next grant of it."""
    out, holder, dead = [], {}, {}
    for one in events:
        who, key = one.get("client"), one.get("key")
        if one.get("f") == "kill" and one.get("step") == "begin":
            dead.update({key: one["time"] for key, held in holder.items() if held in one["clients"]})
        elif one.get("f") == "acquire" and one["type"] == "ok":
            if key in dead:
                out.append((one["time"] - dead.pop(key)) / 1e9)
            holder[key] = who
        elif one.get("f") == "release" and one["type"] == "ok" and holder.get(key) == who:
            del holder[key]
    return out


def of_cell(scenario, trials, folders):
    """What its record keeps; what there is nothing to say of is left out."""
    out = {}
    if scenario == "none" and (found := token(folders)) is not None:
        out["token"] = found
    if (notices := told(trials))[1]:
        out["told"] = notices
    if scenario in ASKED_AFTER_A_LOSS:
        ends = sum((late_releases(events_of(folder)) for folder in folders), collections.Counter())
        if ends:
            out["late_releases"] = dict(ends)
    if scenario == "kill" and (times := [time for folder in folders for time in recoveries(events_of(folder))]):
        out["recovery"] = [round(min(times), 3), round(max(times), 3)]
    return out


# The words of a lock's row, from the records of its cells, {scenario: record}.


def token_of(cells):
    known = cells.get("none", {}).get("token")
    return "?" if known is None else "yes" if known else "no"


def told_of(cells):
    found = [cell["told"] for cell in cells.values() if "told" in cell]
    if not found:
        return "-"
    latest = max(late for _, _, late in found)
    heard = f"{sum(one for one, _, _ in found)} of {sum(one for _, one, _ in found)}"
    return heard + (f", {latest:.1f} s later at most" if latest else "")


def late_releases_of(cells):
    ends = collections.Counter()
    for cell in cells.values():
        ends.update(cell.get("late_releases", {}))
    return ", ".join(f"{word} {count}" for word, count in ends.most_common()) or "-"


def recovery_of(cells):
    if "recovery" not in cells.get("kill", {}):
        return "-"
    least, most = (f"{time:.1f}" for time in cells["kill"]["recovery"])
    return f"{least} s" if least == most else f"{least} to {most} s"
