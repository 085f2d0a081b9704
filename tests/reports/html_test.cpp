#include "reports/html.hpp"

#include <gtest/gtest.h>

#include "reports/durations.hpp"
#include "reports/visible.hpp"

namespace holdfast {
namespace {

TEST(Visible, SpellsOutWhatNobodySees) {
  EXPECT_EQ(visible("plain ünï"), "plain ünï");
  EXPECT_EQ(visible(std::string("\x00\x1b\n\t\x7f", 5)), "\\x00\\x1B\\n\\t\\x7F");
  EXPECT_EQ(visible("a\xc2\x85"
                    "b\xe2\x80\xae\xef\xbb\xbf"),
            "a\\u0085b\\u202E\\uFEFF");
  EXPECT_EQ(visible("\xef\xbf\xbf"), "\\uFFFF");  // XML does not allow it
}

TEST(Visible, SpellsOutBytesThatAreNoCharacter) {
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

TEST(Durations, ReadAsPeopleSayThem) {
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
