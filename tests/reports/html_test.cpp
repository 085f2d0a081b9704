#include "reports/html.hpp"

#include <gtest/gtest.h>

#include <concepts>
#include <nlohmann/json.hpp>

#include "artifact/visible.hpp"
#include "reports/durations.hpp"
#include "reports/markdown_text.hpp"
#include "reports/terminal_text.hpp"
#include "reports/visible_json.hpp"
#include "reports/workflow_commands.hpp"

namespace holdfast {
namespace {

TEST(Visible, EscapesInvisibleCharacters) {
  EXPECT_EQ(visible("plain ünï"), "plain ünï");
  EXPECT_EQ(visible(std::string("\x00\x1b\n\t\x7f", 5)), "\\x00\\x1B\\n\\t\\x7F");
  EXPECT_EQ(visible("a\xc2\x85"
                    "b\xe2\x80\xae\xef\xbb\xbf"),
            "a\\u0085b\\u202E\\uFEFF");
  EXPECT_EQ(visible("\xef\xbf\xbf"), "\\uFFFF");  // XML does not allow it
}

TEST(Visible, EscapesInvalidUtf8) {
  EXPECT_EQ(visible("a\xff"), "a\\xFF");
  EXPECT_EQ(visible("\xc0\xaf"), "\\xC0\\xAF");           // overlong
  EXPECT_EQ(visible("\xed\xa0\x80"), "\\xED\\xA0\\x80");  // surrogate
  EXPECT_EQ(visible("\xe2\x82"), "\\xE2\\x82");           // cut off
  EXPECT_EQ(visible("\xf0\x9f\x94\x92"), "\xf0\x9f\x94\x92");
}

TEST(Visible, KeepsLinesOnlyWhereAsked) {
  EXPECT_EQ(visible_lines("a\r\nb\n"), "a\nb\n");
  EXPECT_EQ(visible("a\r\nb"), "a\\r\\nb");
  EXPECT_EQ(columns("–é"), 2U);
}

TEST(Html, EscapesInTextAndAttributes) {
  HtmlWriter out;
  out.element("p", {{"title", "\"'<&>"}, {"class", ""}}, "<b>&\"'\x01");
  EXPECT_EQ(std::move(out).take().text(), "<p title=\"&quot;&#39;&lt;&amp;&gt;\">&lt;b&gt;&amp;&quot;&#39;\\x01</p>\n");
}

// A page may be printed where GitHub Actions reads.
TEST(Html, TextContainsNoWorkflowCommand) {
  HtmlWriter out;
  out.element("p", {{"title", "a\n::b::"}}, "::c::d\n  ::e::\nf ::g\n##[error]h");
  out.text("::i::");
  EXPECT_EQ(std::move(out).take().text(),
            "<p title=\"a\n:&#58;b::\">::c::d\n  :&#58;e::\nf ::g\n##&#91;error]h</p>\n:&#58;i::");
}

// The compiler checks the types that a writer accepts.
template <typename Writer, typename Text>
concept TakesName = requires(Writer& out, Text text) {
  out.empty(text);
};
template <typename Text>
concept BecomesMarkup = std::constructible_from<Markup, Text>;
template <typename Text>
concept BecomesShown = std::constructible_from<TerminalText, Text> || std::convertible_to<Text, Literal>;
template <typename Text>
concept BecomesMarkdown = std::constructible_from<Markdown, Text>;

TEST(Formats, TextCannotBecomeUnescapedOutput) {
  static_assert(TakesName<HtmlWriter, Literal>);
  static_assert(!TakesName<HtmlWriter, std::string> && !TakesName<HtmlWriter, std::string_view>);
  static_assert(!BecomesMarkup<std::string> && !BecomesMarkup<std::string_view> && !BecomesMarkup<const char*>);
  static_assert(BecomesShown<Literal> && !BecomesShown<std::string> && !BecomesShown<std::string_view>);
  static_assert(BecomesMarkdown<Literal> && !BecomesMarkdown<std::string> && !BecomesMarkdown<std::string_view>);
  static_assert(std::default_initializable<WorkflowCommands> &&
                !std::constructible_from<WorkflowCommands, std::string>);
}

TEST(TerminalText, KeepsTextOnOneLine) {
  EXPECT_EQ(terminal_text("rerun: {}\n", "a\nPASS  70 of 70\x1b[2J").text(), "rerun: a\\nPASS  70 of 70\\x1B[2J\n");
  EXPECT_EQ(terminal_text("{} {} {}", Literal("\x1b[1m"), 7, terminal_lines("a\nb")).text(), "\x1b[1m 7 a\nb");
  EXPECT_EQ(terminal_message("why\nPASS  70 of 70\r\n").text(), "why\n    PASS  70 of 70\n    ");
}

TEST(Markdown, EscapesTextByDefault) {
  EXPECT_EQ(markdown("# {}: {} {}\n", "*a* $b$", code("c|`d"), 3).text(), "# \\*a\\* \\$b\\$: ``c|`d`` 3\n");
  EXPECT_EQ(table_row({Literal("ok"), code("a|b"), markdown("{} {}", code("c|d"), "e|f"), Markdown()}).text(),
            "| ok | `a\\|b` | `c\\|d` e\\|f |  |\n");
  EXPECT_EQ(table_head({Markdown(), code("a|b")}).text(), "| | `a\\|b` |\n|---|---|\n");
  EXPECT_EQ(prose("::error::a").text(), "\\::error::a");
  EXPECT_EQ(code("##[error]a").text(), "`## [error]a`");
}

TEST(ShownJson, EscapesEveryText) {
  const nlohmann::json json{{"a", "b\x1b\n"}, {"c", {1, "##[error]d", nullptr}}};
  EXPECT_EQ(visible_json(json), R"({"a":"b\\x1B\\n","c":[1,"##\u005berror]d",null]})");
  EXPECT_EQ(nlohmann::json::parse(without_commands_in_json(json.dump())), json);
}

TEST(WorkflowCommands, AreOneLineEach) {
  WorkflowCommands out;
  out.add("error", "a,b:c%\n::x::", terminal_text("{}\nrerun: 50 %", "d\n::stop-commands::e"));
  EXPECT_EQ(out.text(), "::error title=a%2Cb%3Ac%25\\n%3A%3Ax%3A%3A::d\\n::stop-commands::e%0Arerun: 50 %25\n");
}

TEST(Html, ClosesTagsInOrder) {
  HtmlWriter out;
  {
    const auto outer = out.tag("ul");
    const auto inner = out.tag("li");
    out.empty("br");
  }
  EXPECT_EQ(std::move(out).take().text(), "<ul><li><br/></li></ul>");
}

TEST(Html, GivesDifferentNamesDifferentAnchors) {
  EXPECT_EQ(anchor("upsert_lease+found_rows"), "upsert_lease+found_rows");
  EXPECT_EQ(anchor("a b\""), "a~20b~22");
  EXPECT_NE(anchor("a~20b"), anchor("a b"));
}

TEST(Durations, AreReadable) {
  EXPECT_EQ(moment_text(14'203'000'000), "14.203 s");
  EXPECT_EQ(length_text(412'000), "0.41 ms");
  EXPECT_EQ(length_text(9'996'000), "10 ms");
  EXPECT_EQ(length_text(812'000'000), "812 ms");
  EXPECT_EQ(length_text(2'000'000'000), "2,000 ms");
  EXPECT_EQ(length_text(12'345'000'000), "12.3 s");
  EXPECT_EQ(wall_text(59.94), "59.9 s");
  EXPECT_EQ(wall_text(59.96), "1 m 00 s");
  EXPECT_EQ(wall_text(3720), "1 h 02 m");
  EXPECT_EQ(count_text(1204), "1,204");
  EXPECT_EQ(count_text(-123456), "-123,456");
  EXPECT_EQ(count_text(999), "999");
}

}  // namespace
}  // namespace holdfast
