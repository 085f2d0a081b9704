#include "explore/whole_seconds.hpp"

#include <gtest/gtest.h>

namespace holdfast {
namespace {

TEST(WholeSeconds, AreToldByWhatHasNoFractions) {
  for (const char* sql : {"SELECT NOW()", "select now()", "a DATETIME NOT NULL", "a TIMESTAMP(3)", "UNIX_TIMESTAMP()",
                          "UNIX_TIMESTAMP(a)", "a + INTERVAL 2 SECOND", "CURRENT_TIMESTAMP",
                          "TIMESTAMPDIFF(MICROSECOND, a, b)", "SYSDATE()", "CURDATE()"}) {
    EXPECT_TRUE(may_tell_whole_seconds(sql)) << sql;
  }
}

TEST(WholeSeconds, AreNotToldBySixDigits) {
  for (const char* sql : {"", "SELECT GET_LOCK(@key, 0)", "a DATETIME(6) NOT NULL",
                          "ON DUPLICATE KEY UPDATE a = UTC_TIMESTAMP(6) + INTERVAL @ttl MICROSECOND"}) {
    EXPECT_FALSE(may_tell_whole_seconds(sql)) << sql;
  }
}

}  // namespace
}  // namespace holdfast
