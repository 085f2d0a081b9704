#include "lock/statement_lock_rules.hpp"

#include <gtest/gtest.h>

namespace holdfast {
namespace {

ReplyTest test_against(const std::string& operand) {
  LockFileNote note;
  note.key = "granted when";
  note.value = "value = " + operand;
  return read_reply_test(note, "my_lock.sql");
}

// A file's author writes a parameter as its statements do.
TEST(ReplyTest, NamesAParameterInAnySpelling) {
  for (const char* owner : {"@owner", "$owner", "\"$owner\"", ":owner", ":'owner'", "'@owner'"}) {
    EXPECT_TRUE(test_against(owner).is_parameter) << owner;
    EXPECT_EQ(test_against(owner).against, "owner") << owner;
  }
}

TEST(ReplyTest, TextMayHaveQuotes) {
  for (const char* text : {"free", "'free'", "\"free\""}) {
    EXPECT_FALSE(test_against(text).is_parameter) << text;
    EXPECT_EQ(test_against(text).against, "free") << text;
  }
  EXPECT_EQ(test_against("\"free").against, "\"free") << "one quote is a part of the text";
}

}  // namespace
}  // namespace holdfast
