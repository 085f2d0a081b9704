"""Text that is forbidden in any file. The words are put together here, or this file itself would breach the rule."""

import re

LEFT_UNDONE = re.compile(r"\b(" + "|".join(["TO" + "DO", "FIX" + "ME", "X" * 3]) + r")\b")
MACHINE_PATH = re.compile("/(" + "|".join(["wo" + "rk", "fa" + "rm", "home/[a-z]+/[a-z]+/src"]) + ")/")
MAX_COLUMN = 120
JOIN, JOIN_HEADER = "fmt::" + "join(", "#include <fmt/ranges.h>"
WIDE_OK = (".md", ".json", ".jsonl", ".svg", ".html", ".txt")
# Their own tools write these, or lay them out with tabs: gofmt, `go mod tidy`. go.mod and go.sum have a line a module,
# jars.sha256 a line a jar.
TABS_OK = re.compile(r"(\.go|/go\.mod)$")
WIDE_FILES_OK = re.compile(r"(/go\.sum|\.sha256)$")
SAMPLES = "/data/"  # histories and goldens: judged by the tests that read them


def blemishes(tree):
    found = []
    for path in tree.paths:
        if SAMPLES in path or path == "LICENSE":
            continue
        for number, line in enumerate(tree.text(path).split("\n"), 1):
            found += [(path, number, name, why) for name, why in line_blemishes(path, line)]
        if path.endswith((".cpp", ".hpp")) and JOIN in tree.text(path) and JOIN_HEADER not in tree.text(path):
            found.append((path, 1, "join-header", f"{JOIN} needs {JOIN_HEADER}, from fmt 11 on"))
        if tree.text(path) and not tree.text(path).endswith("\n"):
            found.append((path, len(tree.lines(path)), "last-line", "the file does not end with a newline"))
    return found


def line_blemishes(path, line):
    if "\t" in line and not TABS_OK.search(path):
        yield "tab", "blanks, no tabs"
    if line != line.rstrip() and not (line.endswith("\r") and line[:-1] == line[:-1].rstrip()):
        yield "trailing-blank", "blanks at the end of the line"
    if LEFT_UNDONE.search(line):
        yield "left-undone", "do it, or say in docs/ that it is not done"
    if MACHINE_PATH.search(line):
        yield "machine-path", "a path of somebody's machine"
    if len(line) > MAX_COLUMN and not path.endswith(WIDE_OK) and not WIDE_FILES_OK.search(path):
        yield "wide", f"{len(line)} columns, at most {MAX_COLUMN}"


# One way in for JSON, and one way out for each form of text, so that what comes from outside is met in one place.
ONLY_IN = [
    (re.compile(r"\bsax_parse\(|\bjson::(parse|accept)\("), "json-reader", ("src/", "checker/", "reports/"),
     ("src/artifact/json_reader.cpp", "src/cli/schema.cpp"), "parse_json (src/artifact/json_reader.hpp) reads"),
    # Except files of the kernel's (/proc, /sys), and the file that GitHub's runner names.
    (re.compile(r"\bstd::[io]?fstream\b(?!.*[(]\"/(proc|etc)/)|\bfopen\("), "open-file",
     ("src/", "checker/", "reports/"),
     ("src/cli/terminal.cpp", "src/adapter/scheduler_wait.cpp", "src/doctor/resources.cpp",
      "src/runner/program_wait.cpp",
      *(f"src/lab/{name}.cpp" for name in ("confinement", "process_family", "process_limit", "process_memory",
                                           "stopped_group"))),
     "InputFile, open_plain_file or RunDirectory (src/artifact) opens: a folder of a run may hold links and FIFOs"),
    (re.compile(r"\.dump\("), "json-text", ("src/", "checker/", "reports/"), ("src/artifact/json_text.cpp",),
     "text_of_json (src/artifact/json_text.hpp) writes JSON, whatever bytes are in it"),
    (re.compile(r"\bf?printf\(|\bf?puts\(|\bfwrite\(|\bfmt::print\(|\bstd::c(out|err)\b"), "terminal",
     ("src/cli/", "reports/"), ("src/cli/terminal.cpp",), "say and tell (src/cli/terminal.hpp) print"),
    (re.compile(r"\bvisible(_lines)?\("), "made-visible", ("src/", "checker/", "reports/"),
     ("src/artifact/visible.hpp", "src/artifact/visible.cpp", "src/artifact/escaped_json.cpp",
      *(f"reports/{name}.cpp" for name in ("terminal_text", "visible_json", "shortened", "html", "markdown_text")),
      "reports/terminal_text.hpp"),
     "a format's own writer makes text visible: terminal_text(), HtmlWriter, markdown(), visible_json()"),
    (re.compile(r"&(amp|lt|gt|quot|#\d+|#\{\});"), "html", ("src/", "checker/", "reports/"), ("reports/html.cpp",),
     "HtmlWriter (reports/html.hpp) escapes"),
    (re.compile(r"""\\\\[|`*\[\]<>]["']"""), "markdown", ("src/", "checker/", "reports/"),
     ("reports/markdown_text.cpp",), "markdown() and table_row() (reports/markdown_text.hpp) escape"),
    (re.compile(r'"::|%0A|%25|##\['), "workflow-command", ("src/", "checker/", "reports/"),
     ("reports/html.cpp", "reports/workflow_commands.cpp"), "WorkflowCommands (reports/workflow_commands.hpp) writes"),
    (re.compile(r"""'\\\\''|program_as_typed\(\) *\+"""), "shell", ("src/", "checker/", "reports/"),
     ("src/artifact/shell_command.cpp",), "ShellCommand (src/artifact/shell_command.hpp) quotes"),
    (re.compile(r"\b(innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|eval)\b"), "page-script",
     ("reports/page/",), (), "tag() (reports/page/view.js) puts text in as text"),
]  # fmt: skip


def wrong_places(tree):
    found = []
    for path in tree.having(".cpp", ".hpp", ".js"):
        for pattern, name, folders, allowed, why in ONLY_IN:
            if not path.startswith(folders) or path in allowed:
                continue
            found += [(path, n, name, why) for n, line in enumerate(tree.lines(path), 1)
                      if pattern.search(line) and not line.lstrip().startswith("//")]
    return found


RULES = [blemishes, wrong_places]
