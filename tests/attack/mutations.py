"""Changes of a file's bytes that test how far a reader trusts it.

    data, done = mutated(random.Random(7), data, "json")     # the bytes, and a description of the change

`kind` is json (one document), lines (a JSON value a line), text or bytes. JSON is changed in its structure or as any
bytes. Equal generators and data give equal changes.
"""

import json

MARK = "<xyzzy onload=1>"  # must never appear unescaped in a page or an XML file
LONG = 70_000
HUGE = 1_200_000  # more than the 1 MiB that one text may have
NAMES = ["k0", "k1", "insert_lease", "get_lock", "none", "quick", "overrun", "algorithm", "holds", "violated", "1"]
EVIL_TEXTS = [
    "", " ", "\0", "a\0b", "\x1b[2J\x1b]0;t\x07", "\u202egnp", "\u2066x", "\x9b2J", "\r\n::error::x", "\n", "\t",
    "../../../../etc/passwd", "/etc/passwd", "/dev/zero", ".", "..", "a/b", "-", "--out", "%s%n%d{}{0}", "$(id)",
    "`id`",
    MARK, f'"{MARK}', f"]]>{MARK}", "&#0;", "'; DROP TABLE x; --", "\ufeff", "\U0001f600", "e\u0301" * 40, "\ud800",
    "NaN", "Infinity", "1e999", "0x10", "01", "+1", "1_000", "18446744073709551616", "-9223372036854775809", "null",
]  # fmt: skip
EVIL_NUMBERS = [
    "0", "-0", "-1", "1", "2", "1.5", "-1.5", "1e5", "1E-400", "1e308", "1e309", "-1e999", "2147483647", "2147483648",
    "4294967295", "4294967296", "9007199254740993", "9223372036854775807", "9223372036854775808",
    "-9223372036854775808", "-9223372036854775809", "18446744073709551615", "18446744073709551616", "1" * 400,
    "0." + "3" * 400, "1e" + "9" * 30, "1000000", "86400000", "4000000000000000000",
]  # fmt: skip
NOT_JSON = [
    b"NaN", b"-Infinity", b"'a'", b"01", b".5", b"+1", b"tru", b"undefined", b"//x\n1", b"1,", b"\xff\xfe",
    b'"\xc3\x28"',
    b'"\xed\xa0\x80"', b'"\\ud800"', b'"\\u12"', b'"\\x41"', b'"\n"', b'"', b"{", b"[", b"}", b"]", b"{1:2}", b'{"a"}',
    b"", b"\0",
]  # fmt: skip


class Members(list):
    """A JSON object as a list of [key, value], so that a key may be there twice."""


class Raw(bytes):
    """Writes the value unchanged."""


def parsed(data):
    """Numbers stay as they are written."""
    as_raw = lambda text: Raw(text.encode())  # noqa: E731
    pairs = lambda found: Members([list(one) for one in found])  # noqa: E731
    return json.loads(data, object_pairs_hook=pairs, parse_int=as_raw, parse_float=as_raw, parse_constant=as_raw)


def written(value, indent=None, depth=0):
    if isinstance(value, Raw):
        return bytes(value)
    if isinstance(value, str):
        return json.dumps(value).encode()
    if not isinstance(value, list):
        return json.dumps(value).encode()
    opened, closed = (b"{", b"}") if isinstance(value, Members) else (b"[", b"]")
    if isinstance(value, Members):
        parts = [written(key, None) + b": " + written(one, indent, depth + 1) for key, one in value]
    else:
        parts = [written(one, indent, depth + 1) for one in value]
    if indent is None or not parts:
        return opened + b", ".join(parts) + closed
    gap = b"\n" + b" " * indent * (depth + 1)
    return opened + gap + (b"," + gap).join(parts) + b"\n" + b" " * indent * depth + closed


def slots(root):
    """Every place for a value: (its container, its index there), the root's too."""
    out, todo = [], [root]
    while todo:
        container = todo.pop()
        for i, one in enumerate(container):
            if isinstance(container, Members):
                out.append((one, 1))
                one = one[1]
            else:
                out.append((container, i))
            if isinstance(one, list):
                todo.append(one)
    return out


def evil_value(choose):
    """A value of some other type or size."""
    way = choose.randrange(12)
    if way < 3:
        return choose.choice(EVIL_TEXTS)
    if way < 6:
        return Raw(choose.choice(EVIL_NUMBERS).encode())
    if way == 6:
        return Raw(choose.choice(NOT_JSON))
    if way == 7:
        return choose.choice([None, True, False, [], Members(), [[]], [None], Members([["", None]])])
    if way == 8:
        return choose.choice(NAMES)
    if way == 9:
        depth = choose.choice([5, 63, 64, 65, 66, 5000, 60_000])
        opened, closed = choose.choice([(b"[", b"]"), (b'{"a":', b"}")])
        return Raw(opened * depth + b"1" + closed * depth)
    if way == 10:
        return choose.choice(["x", "\u202e", "\0", MARK, "a/"]) * choose.choice([10, 300, LONG, HUGE])
    return [choose.choice([Raw(b"0"), "", None, []])] * choose.choice([2, 100, LONG])


def changed_key(choose, members):
    """Changes an object: a key that is missing, duplicate, misspelt, or unknown."""
    at = choose.randrange(len(members))
    way = choose.randrange(5)
    if way == 0:
        del members[at]
        return "a key is gone"
    if way == 1:
        again = list(members[at]) if choose.random() < 0.5 else [members[at][0], evil_value(choose)]
        members.insert(choose.randrange(len(members) + 1), again)
        return "a key is there twice"
    if way == 2:
        members[at][0] = choose.choice([members[at][0] + "s", members[at][0][:-1], members[at][0].upper(), ""])
        return "a key is another"
    if way == 3:
        members.insert(at, [choose.choice(EVIL_TEXTS), evil_value(choose)])
        return "a key is new"
    choose.shuffle(members)
    return "the keys are in another order"


def changed_number(choose, raw):
    try:
        number = int(raw)
    except ValueError:
        return Raw(choose.choice(EVIL_NUMBERS).encode())
    tried = [number + 1, number - 1, -number, number * 10, number * 1000, number // 2, number + 2**32, number + 2**64]
    text = str(choose.choice(tried))
    return choose.choice([Raw(text.encode()), Raw(text.encode()), text, Raw(text.encode() + b".0")])


def changed_text(choose, text):
    at = choose.randrange(len(text) + 1)
    way = choose.randrange(5)
    if way == 0:
        return text[:at]
    if way == 1:
        return text[:at] + choose.choice(EVIL_TEXTS) + text[at:]
    if way == 2:
        return text * choose.choice([2, 50, 3000])
    if way == 3:
        return text.swapcase()
    return text[:at] + choose.choice("abz019_-/+.@: ") + text[at + 1 :]


def changed_list(choose, values):
    at = choose.randrange(len(values))
    way = choose.randrange(4)
    if way == 0:
        del values[at]
        return "an entry is gone"
    if way == 1:
        values[at:at] = [values[at]] * choose.choice([1, 2, 40, 3000])
        return "an entry is there several times"
    if way == 2:
        choose.shuffle(values)
        return "the entries are in another order"
    values.insert(at, evil_value(choose))
    return "an entry is new"


def changed_tree(choose, holder):
    """Makes one change below `holder`, a list with the document as its only entry."""
    container, at = choose.choice(slots(holder))
    value = container[at]
    way = choose.random()
    if isinstance(value, Members) and value and way < 0.6:
        return changed_key(choose, value)
    if isinstance(value, list) and value and not isinstance(value, Members) and way < 0.6:
        return changed_list(choose, value)
    if isinstance(value, Raw) and way < 0.5:
        container[at] = changed_number(choose, value)
        return "a number is another"
    if isinstance(value, str) and way < 0.5:
        container[at] = changed_text(choose, value)
        return "a text is another"
    if way < 0.75:
        other, index = choose.choice(slots(holder))
        if not isinstance(other[index], list):
            container[at] = other[index]
            return "a value is that of another place"
    container[at] = evil_value(choose)
    return "a value is of another kind"


def changed_json(choose, data):
    try:
        holder = [parsed(data)]
    except (ValueError, RecursionError):
        return changed_bytes(choose, data)
    said = [changed_tree(choose, holder) for _ in range(choose.choice([1, 1, 1, 2, 3]))]
    try:
        return written(holder[0], choose.choice([None, 1])), ", ".join(said)
    except RecursionError:
        return changed_bytes(choose, data)


def changed_lines(choose, data):
    """A line is changed, or the lines are."""
    lines = data.split(b"\n")
    at = choose.randrange(len(lines))
    way = choose.randrange(10)
    if way == 0:
        del lines[at]
        said = f"line {at + 1} is gone"
    elif way == 1:
        lines[at:at] = [lines[at]] * choose.choice([1, 2, 500])
        said = f"line {at + 1} is there several times"
    elif way == 2:
        other = choose.randrange(len(lines))
        lines[at], lines[other] = lines[other], lines[at]
        said = f"lines {at + 1} and {other + 1} have changed places"
    elif way == 3:
        lines[at] = changed_bytes(choose, lines[at])[0]
        said = f"line {at + 1} has other bytes"
    else:
        lines[at], what = changed_json(choose, lines[at])
        said = f"line {at + 1}: {what}"
    return b"\n".join(lines), said


def changed_words(choose, data):
    """Changes a text: moves a word, replaces a number, inserts a hostile text."""
    words = data.split(b" ")
    at = choose.randrange(len(words))
    way = choose.randrange(5)
    if way == 0:
        del words[at]
    elif way == 1:
        words.insert(at, choose.choice(words))
    elif way == 2:
        words[at] = choose.choice(EVIL_TEXTS).encode("utf-8", "surrogatepass")
    elif way == 3:
        words[at] = choose.choice(EVIL_NUMBERS).encode()
    else:
        words[at] = changed_bytes(choose, words[at])[0]
    return b" ".join(words), f"word {at + 1}"


def changed_bytes(choose, data):
    """Damages a file as a disk, a bad copy or a text editor does."""
    at = choose.randrange(len(data) + 1)
    end = min(len(data), at + choose.choice([1, 1, 4, 64, 4096]))
    way = choose.randrange(10)
    if way == 0:
        return data[:at], f"cut off after {at} bytes"
    if way == 1:
        return data[:at] + data[end:], f"without bytes {at} to {end}"
    if way == 2:
        return data[:at] + data[at:end] * choose.choice([2, 100]) + data[end:], f"bytes {at} to {end} several times"
    if way == 3:
        return data[:at] + choose.randbytes(end - at) + data[end:], f"bytes {at} to {end} are others"
    if way == 4:
        return data[:at] + bytes(end - at) + data[end:], f"bytes {at} to {end} are 0"
    if way == 5:
        return b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n"), "a byte order mark, CRLF"
    if way == 6:
        return choose.choice([b"", b"\n", b" ", b"\0" * 4096, b"\xff" * 100, b"null", b"[]", b"{}", b"0"]), "replaced"
    if way == 7:
        return data + choose.choice([b"\0", b"}", b"\n\n", b"x", data[:4096], b"\xff"]), "with something behind it"
    flipped = bytearray(data)
    for _ in range(choose.choice([1, 1, 1, 5, 50]) if data else 0):
        flipped[choose.randrange(len(data))] ^= 1 << choose.randrange(8)
    return bytes(flipped), "bits are turned over"


def mutated(choose, data, kind):
    """The bytes with one change or a few, and what was done."""
    if choose.random() < 0.15:
        kind = "bytes"
    change = {"json": changed_json, "lines": changed_lines, "text": changed_words, "bytes": changed_bytes}[kind]
    done = []
    for _ in range(choose.choice([1, 1, 1, 2])):
        data, said = change(choose, data)
        done.append(said)
    return data, "; ".join(done)
