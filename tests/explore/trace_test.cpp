// Schedules in two columns, for the terminal.
#include "explore/trace.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <sstream>

namespace holdfast {
namespace {

std::string without_blanks(const std::string& text) {
  std::string out;
  for (const char letter : text) {
    if (letter != ' ' && letter != '\n') out += letter;
  }
  return out;
}

// The statement's lines, which begin after four blanks.
std::vector<std::string> lines_of(const std::string& statement, std::size_t width) {
  TraceStep step;
  step.word = step.client = "A";
  step.statement = statement;
  std::vector<std::string> out;
  std::istringstream in(columns({step}, width));
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) out.push_back(line);
  return out;
}

TEST(Columns, LongWordIsCutAfterAnIndent) {
  const std::string word(100, 'x');
  const auto lines = lines_of("SELECT " + word, 80);
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_EQ(lines[0], "    SELECT");
  EXPECT_EQ(lines[1], "      " + std::string(36, 'x'));
  EXPECT_EQ(lines[3], "      " + std::string(28, 'x'));
}

TEST(Columns, LetterIsNotCut) {
  std::string word;
  for (int i = 0; i < 40; ++i) word += "\u9501";  // three bytes
  for (const auto& line : lines_of(word, 80)) {
    EXPECT_EQ((line.size() - line.find_first_not_of(' ')) % 3, 0U) << line;
  }
}

RC_GTEST_PROP(Columns, KeepEveryLetterWithinTheirWidth, ()) {
  const auto width = *rc::gen::inRange<std::size_t>(24, 120);
  const auto words =
      *rc::gen::container<std::vector<std::string>>(rc::gen::mapcat(rc::gen::inRange(1, 90), [](int length) {
        return rc::gen::just(std::string(static_cast<std::size_t>(length), 'w'));
      }));
  std::string statement;
  for (const auto& word : words) statement += (statement.empty() ? "" : " ") + word;
  std::string joined;
  for (const auto& line : lines_of(statement, width)) {
    RC_ASSERT(line.size() <= 4 + width / 2 - 2);
    joined += line;
  }
  RC_ASSERT(without_blanks(joined) == without_blanks(statement));
}

}  // namespace
}  // namespace holdfast
