#include "servers/mysql/sql_text.hpp"

#include <gtest/gtest.h>

namespace holdfast {
namespace {

TEST(OnlyCounted, ColumnsThatAreNeverRead) {
  EXPECT_TRUE(only_counted("writes", {"UPDATE t SET owner = 'A', writes = writes + 1", "SELECT owner FROM t"}));
  EXPECT_TRUE(only_counted("writes", {"INSERT ... ON DUPLICATE KEY UPDATE writes=writes+(owner = 'A')"}));
}

TEST(OnlyCounted, ColumnsThatMayBeReadAreExcluded) {
  const std::string counts = "UPDATE t SET n = n + 1";
  for (const char* reads : {"SELECT n FROM t", "SELECT * FROM t", "UPDATE t SET n = 3", "UPDATE t SET m = n + 1",
                            "DELETE FROM t WHERE n = n + 1 AND n > 2", "UPDATE t SET N = 0"}) {
    EXPECT_FALSE(only_counted("n", {counts, reads})) << reads;
  }
}

}  // namespace
}  // namespace holdfast
