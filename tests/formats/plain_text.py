"""Formats that are text with marks in it: what comes from outside must not become a mark."""
import html.parser
import re
import subprocess

MAY_STAND = {"h1", "h2", "h3", "p", "br", "table", "thead", "tbody", "tr", "th", "td", "code", "pre", "blockquote", "a",
             "ul", "li"}  # fmt: skip
ANNOTATION = re.compile(
    r"::(error|warning|notice) (file=[^:,\r\n]+,line=[1-9]\d*,)?"
    r"title=(?P<title>[^:,\r\n]*)::(?P<text>[^\r\n]*)"
)
STATE = re.compile(
    r"(✓ ok|\(✗\) allowed|✗ caught"
    r"|– unavailable|… not run|○ nothing judged|\? undecided|E error|! missed|✗! unexpected)( \d+/\d+)?"
)
ENDS_BADLY = ("unexpected", "missed", "harness_error", "undecided", "nothing_judged", "not_run", "unavailable")


def annotations(text, run):
    """At most ten, one for each cell that is not as expected, the last of them saying how many more."""
    lines = text.splitlines()
    badly = sum(cell["outcome"] in ENDS_BADLY for cell in run["cells"])
    if len(lines) != min(10, badly):
        yield f"{len(lines)} lines, of {badly} cells that are not as expected"
    for line in lines:
        if not ANNOTATION.fullmatch(line):
            yield f"no annotation: {line[:200]!r}"
        if re.search(r"%(?!25|0D|0A|3A|2C)", line):
            yield f"not escaped: {line[:200]!r}"


OUTPUTS = {  # name: the outcomes that it counts
    "as_expected": {"as_expected", "allowed", "caught"}, "flaws_caught": {"caught"},
    "not_as_expected": {"missed", "unexpected"}, "undecided": {"undecided", "nothing_judged"},
    "errors": {"harness_error"}, "not_run": {"unavailable", "not_run"},
}  # fmt: skip
GRADES = ("broken", "not_known", "as_safe_as_a_lease", "safe")  # the worst first
VERDICTS = {0: "passed", 1: "failed", 3: "undecided", 4: "unavailable", 5: "error", 130: "interrupted"}


def outputs(text, run):
    """Lines of NAME=WORD, and each count is that of the verdict's cells."""
    lines = [line.split("=") for line in text.splitlines()]
    if any(len(line) != 2 or not re.fullmatch("[a-z0-9_]+", line[0] + line[1]) for line in lines):
        yield f"no NAME=VALUE lines: {text[:200]!r}"
        return
    outcomes = [cell["outcome"] for cell in run["cells"]]
    expected = {name: str(sum(outcome in of for outcome in outcomes)) for name, of in OUTPUTS.items()}
    expected |= {"cells": str(len(outcomes)), "exit_code": str(run["exit_code"])}
    expected["verdict"] = VERDICTS[run["exit_code"]]
    expected["grade"] = min((one["grade"] for one in run.get("grades", [])), key=GRADES.index, default="none")
    if dict(lines) != expected:
        yield f"says {dict(lines)}, and the verdict {expected}"


class Rendered(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.wrong, self.rows, self.links, self.text, self.in_cell, self.items = [], [], [], "", False, 0

    def handle_starttag(self, tag, attributes):
        allowed = {"a": {"href"}, "code": {"class"}, "th": set(), "td": set()}.get(tag, set())
        if tag not in MAY_STAND or any(name not in allowed for name, _ in attributes):
            self.wrong.append(f"<{tag} {attributes}> has no place in a summary")
        self.items += tag == "li"
        if tag == "tr":
            self.rows.append([])
        if tag in ("th", "td"):
            self.rows[-1].append("")
            self.in_cell = True
        if tag == "a":
            self.links.append(dict(attributes)["href"])

    def handle_endtag(self, tag):
        self.in_cell = self.in_cell and tag not in ("th", "td")

    def handle_data(self, data):
        self.text += data
        if self.in_cell:
            self.rows[-1][-1] += data


def rendered(text):
    """As GitHub renders it, with raw HTML let through, so that it is seen here if there is any."""
    extensions = [word for name in ("table", "autolink", "strikethrough") for word in ("-e", name)]
    command = ["cmark-gfm", "--unsafe", *extensions]
    done = subprocess.run(command, input=text.replace("<!-- -->", ""), capture_output=True, text=True, check=True)
    out = Rendered()
    out.feed(done.stdout)
    out.close()
    return out


def outside_code(text):
    """The Markdown without its code and without escapes, which the renderer here does not report."""
    out, at = "", 0
    while at < len(text):
        ticks = re.match(r"`+", text[at:])
        if ticks:
            close = re.search(rf"(?<!`){ticks[0]}(?!`)", text[at + len(ticks[0]) :])
            at += len(ticks[0]) + (close.end() if close else 0)
            continue
        out += "" if text[at] == "\\" else text[at]
        at += 2 if text[at] == "\\" else 1
    return out


def markdown(text, run):
    page = rendered(text)
    yield from page.wrong
    searched = sum(cell["scenario"] == "explore" and not cell["suite"] and cell["why"] != "" for cell in run["cells"])
    if page.items != searched + len({one["why"] for one in run["not_tried"]}):
        yield f"{page.items} items of lists: one of them is not ours"
    if "$" in outside_code(text):
        yield "GitHub would read a formula"
    yield from (f"a link to elsewhere: {link[:200]}" for link in page.links if not link.startswith("./"))
    if run["cells"]:
        matrix = page.rows[: len(run["locks"]) + 1]
        if {len(row) for row in matrix} != {len(run["scenarios"]) + 1}:
            yield f"the matrix has not a column for each of {len(run['scenarios'])} scenarios: {matrix}"
        # A row with too many columns would lose the last ones without a word.
        told = [word for row in matrix[1:] for word in row[1:] if word]
        if len(told) != len(run["cells"]) or not all(STATE.fullmatch(word) for word in told):
            yield f"the matrix does not tell of every cell: {told}"
    for cell in run["cells"]:
        if cell["outcome"] in ("unexpected", "missed") and "Not as expected" not in page.text:
            yield "nothing is said of what was not as expected"
            break
