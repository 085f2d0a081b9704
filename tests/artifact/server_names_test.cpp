#include "artifact/server_names.hpp"

#include <gtest/gtest.h>

namespace holdfast {
namespace {

TEST(ServerNames, AreUniqueAndKeepBracketedParts) {
  const std::set<std::string> names{"MariaDB 10.11.19", "Redis 7.0.15",
                                    "Redis 7.0.15 (Sentinel, a primary and 2 replicas)"};
  const std::string text = "MariaDB 10.11.19, Redis 7.0.15, Redis 7.0.15 (Sentinel, a primary and 2 replicas)";
  EXPECT_EQ(server_text(names), text);
  EXPECT_EQ(server_names(text), names);
  EXPECT_EQ(server_names(text + ", Redis 7.0.15"), names);
}

TEST(ServerNames, EmptyTextHasNone) {
  EXPECT_TRUE(server_names("").empty());
  EXPECT_EQ(server_text({}), "");
  EXPECT_EQ(server_names("etcd 3.4.23)"), std::set<std::string>{"etcd 3.4.23)"});
  EXPECT_EQ(server_names(", "), std::set<std::string>{});
}

}  // namespace
}  // namespace holdfast
