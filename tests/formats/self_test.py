"""The test of the looks at formats: each finds what is wrong with a damaged one, and nothing with a sound one."""
import json
import unittest

import look
import plain_text
import structured

CELL = {"scenario": "b", "suite": "s", "why": "w", "outcome": "unexpected"}
RUN = {"locks": ["a"], "scenarios": ["b"], "exit_code": 1, "cells": [CELL], "not_tried": []}
CASE = '<testcase classname="s.a" name="b" time="1.000"><failure message="m" type="t">rerun: x</failure></testcase>'
COUNTS = 'tests="1" failures="1" errors="0" time="1.000"'
JUNIT = (
    f'<testsuites name="holdfast" {COUNTS}><testsuite name="s" skipped="0" {COUNTS}>'
    f'<properties><property name="n" value="v"/></properties>{CASE}</testsuite></testsuites>'
)
TRACE = [
    {"ph": "M", "name": "process_name", "pid": 1},
    {"ph": "M", "name": "thread_name", "pid": 1, "tid": 1},
    {"ph": "B", "pid": 1, "tid": 1, "ts": 1.5},
    {"ph": "E", "pid": 1, "tid": 1, "ts": 2.5},
    {"ph": "C", "pid": 1, "name": "holders of k", "ts": 0, "args": {"holders": 1}},
    {"ph": "C", "pid": 1, "name": "holders of k", "ts": 1, "args": {"holders": 0}},
]
MARKDOWN = "# FAIL\n\n| | `b` |\n|---|---|\n| `a` | ✗! unexpected |\n\n## Not as expected\n\n[files](./x/)\n"


def trace_text(events):
    return json.dumps({"traceEvents": events})


class SelfTest(unittest.TestCase):
    def check(self, name, sound, *damaged):
        self.assertEqual(list(look.CHECKS[name](sound, RUN)), [], name)
        for text in damaged:
            self.assertNotEqual(text, sound)
            self.assertTrue(list(look.CHECKS[name](text, RUN)), text)

    def test_junit(self):
        self.check(
            "junit", JUNIT,
            JUNIT.replace('failures="1"', 'failures="0"', 1),
            JUNIT.replace("<failure", "<skipped").replace("</failure", "</skipped"),
            JUNIT.replace('time="1.000"', 'time="soon"', 1), JUNIT.replace("rerun: x", ""), JUNIT.replace(CASE, ""),
            JUNIT.replace(CASE, CASE * 2), JUNIT.replace(' name="b"', ""), JUNIT.replace("m", "&", 1),
            JUNIT.replace("failure", "error"), JUNIT.replace('name="holdfast"', 'name="holdfast" skipped="0"'),
            JUNIT.replace(' skipped="0"', ""), JUNIT.replace('<testcase ', '<testcase status="x" '),
            JUNIT.replace("</testsuite>", "<properties/></testsuite>"),
        )  # fmt: skip

    def test_outputs(self):
        sound = (
            "verdict=failed\nexit_code=1\ngrade=none\n"
            "cells=1\nas_expected=0\nflaws_caught=0\nnot_as_expected=1\nundecided=0\n"
            "errors=0\nnot_run=0\n"
        )
        self.check(
            "outputs", sound,
            sound.replace("failed", "passed"), sound.replace("cells=1", "cells=2"), sound + "more=x y\n",
            sound.replace("grade=none", "grade=safe"),
            sound.replace("errors=0\n", ""), sound.replace("not_as_expected=1", "not_as_expected=0"),
        )  # fmt: skip

    def test_trace(self):
        damaged = [[event for event in TRACE if event is not gone] for gone in TRACE[:4] + TRACE[5:]]
        damaged.append([*TRACE, {"ph": "B", "pid": 1, "tid": 1, "ts": 2}, {"ph": "E", "pid": 1, "tid": 1, "ts": 3}])
        damaged.append([{**event, "ph": "X"} if event["ph"] == "B" else event for event in TRACE])
        self.check("trace", trace_text(TRACE), *map(trace_text, damaged))

    def test_markdown(self):
        self.check(
            "markdown", MARKDOWN,
            MARKDOWN + "<script>x</script>", MARKDOWN + "[x](javascript:x)", MARKDOWN + "http://elsewhere.example",
            MARKDOWN.replace("`a` |", "`a` | b |"),
            MARKDOWN.replace("| | `b` |\n|---|---|", "| | `b` | `c` |\n|---|---|---|"),
            MARKDOWN.replace("Not as", "As"), MARKDOWN + "*loud*", MARKDOWN + "![x](./y)", MARKDOWN + "$x$",
            MARKDOWN + "\n- x\n",
        )  # fmt: skip

    def test_annotations(self):
        sound = "::error title=holdfast%3A x::50 %25%0Arerun\n"
        self.check(
            "annotations", sound,
            sound * 2, sound.replace("%25", "%"), "x" + sound, sound.replace("%3A", ":"), "",
        )  # fmt: skip

        placed = sound.replace("title", "file=locks/my_lock.sql,line=7,title")
        self.check("annotations", placed, placed.replace("=7", "=0"), placed.replace("file=", "file=a:b"))

    def test_code_quality(self):
        place = {"path": "my_lock.sql", "lines": {"begin": 7}}
        issue = {"description": "m rerun: x", "check_name": "ownership", "fingerprint": "0" * 32,
                 "severity": "critical", "location": place}  # fmt: skip
        damaged = [{**issue, "severity": "bad"}, {**issue, "fingerprint": "x"}, {**issue, "description": "m"},
                   {**issue, "location": {**place, "path": "/etc/passwd"}}, {**issue, "more": 1},
                   {**issue, "location": {**place, "path": "a/../b"}},
                   {**issue, "location": {**place, "lines": {"begin": 0}}}]  # fmt: skip
        self.check("code_quality", json.dumps([issue]), "[]", json.dumps([issue] * 2),
                   *(json.dumps([one]) for one in damaged))  # fmt: skip

    def test_sarif(self):
        place = '"artifactLocation": {"uri": "my%20lock.sql", "uriBaseId": "RUN"}, "region": {"startLine": 7}'
        result = (
            '{"ruleId": "r", "ruleIndex": 0, "level": "error", "message": {"text": "m rerun: x"}, '
            f'"locations": [{{"physicalLocation": {{{place}}}}}]}}'
        )
        sound = (
            '{"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "holdfast", "rules": [{"id": "r", '
            '"shortDescription": {"text": "t"}}]}}, "invocations": [{"executionSuccessful": true, "exitCode": 1}], '
            f'"results": [{result}]}}]}}'
        )
        self.check(
            "sarif", sound, sound.replace("2.1.0", "2.0.0"), sound.replace(result, ""), sound.replace("rerun: x", ""),
            sound.replace(result, f"{result}, {result}"), sound.replace('"ruleId": "r"', '"ruleId": "s"'),
            sound.replace('"error"', '"bad"'), sound.replace("%20", " "), sound.replace("my%20", "/"),
            sound.replace("my%20", "../"), sound.replace('"RUN"', '"X"'), sound.replace(": 7", ": 0"),
            sound.replace('"exitCode": 1', '"exitCode": 0'), sound.replace("true", "false"), sound.replace('"t"', '""'),
        )  # fmt: skip

    def test_json_and_html(self):
        self.assertTrue(list(structured.verdict("{}", RUN)))
        with self.assertRaises(ValueError):
            structured.strict_json('{"a": NaN}')
        self.assertTrue(list(structured.html("<html><script/></html>", RUN)))

    def test_any_text(self):
        self.assertEqual(look.any_text("ünï\n".encode()), [])
        for bad in (b"\xff", b"\x1b[2J", "\u202e".encode(), b"a\rb", "\x9b".encode()):
            self.assertTrue(look.any_text(bad), bad)

    def test_commands(self):
        self.assertEqual(look.commands(b"a ::b::c\n: :d::\n## [e]\n"), [])
        for bad in (b"::a::b", b"c\n \t::add-mask::d", b"a ##[error]b"):
            self.assertTrue(look.commands(bad), bad)

    def test_code_and_escapes_are_not_formulas(self):
        self.assertEqual(plain_text.outside_code("a `$x$` \\$y\\$ ``$`$`` \\`b\\`\n```sh\n$z\n```\nc"), "a  y  b\n\nc")
        self.assertIn("$x$", plain_text.outside_code("`a` \\\\$x$"))

    def test_mentions_are_broken_up(self):
        self.assertEqual(plain_text.rendered("@<!-- -->somebody").text.strip(), "@somebody")


if __name__ == "__main__":
    unittest.main()
