"""House style of everything a person reads: string literals of the product, hand-written pages, openings of comments.

Every pattern has a rewrite, which the breach shows. A word is refused by its role ("nobody" as an actor, not the Unix
account), so the patterns exclude the roles that are fine; EXCEPTIONS has the rest, each with its reason.
"""

import re

import cpp_text

PRODUCT = ("src/", "checker/", "reports/")
PAGES = re.compile(r"^(README|ARCHITECTURE|CONTRIBUTING)\.md$|^docs/[a-z_]+\.md$|^src/lock/algorithms/\w+\.md$")
# The program or a script writes these from texts that are checked where they are written.
GENERATED = {"docs/locks.md", "docs/libraries_table.md", "docs/table.md"}
NOT_YET = ()
MOST_WORDS = 35  # in a sentence
MOST_OPENINGS = 0  # of comments in C++; may only fall

ACTOR = "name the component: the client, the server, the relay, the user"
WORDS = [
    (r"(?<![`'\"])\bnobody\b(?![`'\"]|, uid| \(uid|'s)(?<!user nobody)", ACTOR + "; or 'no client'"),
    (r"\b([Ss]omebody|[Ww]hoever|[Aa]nybody|[Ee]verybody)\b", ACTOR),
    (r"\btold\b(?! apart)", "reported, notified, learned, answered"),
    (r"\banew\b", "again"),
    (r"\b(mend|mends|mended|spoilt)\b", "fix; invalid"),
    (r"\b(comes?|came|coming) to\b(?! mind| life)", "reaches, happens, results in, finishes"),
    (r"\b(goes|went|going) on\b", "continues, happens"),
    (r"\b(becomes?|became|come) of\b", "happens to"),
    (r"\b(stands|stood)\b(?! for| in for)", "is, remains, was blocked"),
    (r"\b(says?|said|speaks?) of\b", "reports about, describes"),
    (r"\bbut for\b", "except for"),
    (r"\b(is|are) none\b", "is not one; there are none"),
    (r"\bwho comes\b", "whichever client arrives"),
]
OPENING = r"(What|Whether|Who|ClientRole|Whose|Of|How)\b"
WHY_NO_OPENING = "begin with a subject or a verb: 'Waits for ...', 'The number of ...'"

# (path, a piece of the text): why it stays.
EXCEPTIONS = {
    ("src/lock/lock_texts.cpp", "What it does"): "a heading of the format in which locks are described",
}

WORDS = [(re.compile(pattern), rewrite) for pattern, rewrite in WORDS]


def is_excepted(path, text):
    return any(path == place and piece in text for place, piece in EXCEPTIONS)


def blemishes(text):
    """(name, message) of each word in it that is to be replaced."""
    text = re.sub(r"\s+", " ", text)
    return [("word", f"'{found[0]}': {rewrite}") for pattern, rewrite in WORDS
            if (found := pattern.search(text))]  # fmt: skip


def opens_without_verb(sentence):
    """A question may begin so: it has a verb."""
    return re.match(OPENING, sentence) and not sentence.rstrip(" \"'`)").endswith("?")


def sentences(text):
    """Of running text: each ends with . ! or ? and a blank; an abbreviation such as "e.g." does not end one."""
    return [one.strip() for one in re.split(r"(?<=[.!?])(?<!e\.g\.)(?<!i\.e\.)[\"')]*\s+(?=[A-Z`*\[(])", text)]


def breaches_of(path, number, text, parts):
    """Of a text at a line of a file; `parts`: its sentences."""
    if is_excepted(path, text):
        return []
    found = [(path, number, name, message) for name, message in blemishes(text)]
    for sentence in parts:
        words = len(re.findall(r"[\w'-]*[A-Za-z][\w'-]*", sentence))
        if opens_without_verb(sentence):
            found.append((path, number, "opening", f"'{sentence[:30]}': {WHY_NO_OPENING}"))
        if words > MOST_WORDS:
            found.append((path, number, "long-sentence", f"{words} words, at most {MOST_WORDS}: '{sentence[:40]}'"))
    return found


# Statements, instructions of a processor, a manual page and a schema are no running text.
CODE = re.compile(r'\bSELECT\b|\bmov[a-z]+\b|^\.SH |"enum"', re.M)


def message_parts(text):
    """A message is a problem and a remedy, or lines of a text."""
    if CODE.search(text):
        return []
    lines = re.split(r"\\n\s*|;? ?remedy: |; ", text)
    return [one for line in lines for one in sentences(line)]


def messages(tree):
    found = []
    for path in tree.having(".cpp", ".hpp"):
        if path.startswith(PRODUCT) and not path.startswith(NOT_YET):
            for number, text in cpp_text.literals(tree.text(path)):
                if " " in text:
                    found += breaches_of(path, number, text, message_parts(text))
    return found


FENCE = re.compile(r"^\s*(```|~~~)")


def blocks(lines):
    """(line number, text) of each paragraph, item, heading and cell of a page, without code, addresses and marks."""
    out, begun, inside = [], None, False

    def close():
        nonlocal begun
        begun = None

    for number, line in enumerate(lines, 1):
        if FENCE.match(line):
            inside = not inside
            close()
        elif inside or line.startswith(("    ", "\t", "<")) and begun is None:
            continue
        elif line.lstrip().startswith("|"):
            close()
            # A cell lists its parts between semicolons.
            cells = re.split(r"(?<!\\)\|", line)
            out += [(number, part) for cell in cells for part in cell.split("; ")]
        elif not line.strip():
            close()
        else:
            item = re.match(r"\s*([-*+]|\d+\.)\s|#|>", line)
            if begun is None or item:
                out.append([number, line])
                begun = None if line.startswith("#") else out[-1]
            else:
                begun[1] += "\n" + line
    return out


def plain(text):
    """A block as it is read: a piece of code counts as one word, of a link its text remains."""
    text = re.sub(r"<!--.*?-->", " ", text, flags=re.S)
    text = re.sub(r"(`+).*?\1", "`code`", text, flags=re.S)
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"^\s*([-*+]|\d+\.|>|#+)\s+", "", text)
    return re.sub(r"\s+", " ", text.replace("**", "").replace("*", "")).strip()


def pages(tree):
    found = []
    for path in tree.having(".md"):
        if not PAGES.match(path) or path in GENERATED or path.startswith(NOT_YET):
            continue
        for number, text in blocks(tree.lines(path)):
            if text.lstrip().startswith("#"):
                found += [(path, number, name, message) for name, message in blemishes(plain(text))]
            else:
                found += breaches_of(path, number, plain(text), sentences(plain(text)))
    return found


def comment_openings(tree, most=MOST_OPENINGS):
    """Counted, not refused one by one: the number may only fall."""
    found = []
    for path in tree.having(".cpp", ".hpp"):
        found += [(path, number) for number, text in cpp_text.comments(tree.text(path)) if re.match(OPENING, text)]
    if len(found) <= most:
        return []
    path, number = found[-1]
    message = f"{len(found)} comments open with What, Whether, Who, Of or How, at most {most}: {WHY_NO_OPENING}"
    return [(path, number, "comment-openings", message)]


RULES = [messages, pages, comment_openings]
