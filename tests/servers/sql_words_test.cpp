// Words are found in capitals or not, but not inside a name.
#include "servers/sql_words.hpp"

#include <gtest/gtest.h>

namespace holdfast {
namespace {

TEST(SqlWords, AreCaseInsensitive) {
  EXPECT_TRUE(contains_text("SELECT Get_Lock('a', 0)", "GET_LOCK("));
  EXPECT_FALSE(contains_text("SELECT 1", "GET_LOCK("));
  EXPECT_TRUE(begins_with("select 1", "SELECT"));
  EXPECT_FALSE(begins_with("SEL", "SELECT"));
}

TEST(SqlWords, WordIsNotPartOfAName) {
  for (const char* text : {"NOWAIT", "FOR UPDATE nowait", "for update NoWait;", "nowait_lease nowait"}) {
    EXPECT_TRUE(has_word(text, "NOWAIT")) << text;
  }
  for (const char* text : {"", "NOWAI", "DELETE FROM nowait_lease", "a_nowait", "nowait2", "xNOWAIT"}) {
    EXPECT_FALSE(has_word(text, "NOWAIT")) << text;
  }
}

}  // namespace
}  // namespace holdfast
