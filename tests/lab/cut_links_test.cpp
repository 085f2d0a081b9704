// Cut links of a lab, as the timekeeper sees them.
#include "lab/cut_links.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>

#include "artifact/error.hpp"
#include "lab/dropping_rules.hpp"
#include "tests/temporary_folder.hpp"

namespace holdfast {
namespace {

constexpr const char* kClient = "10.77.1.1";
constexpr const char* kServer = "10.77.0.2";

std::uint32_t number(const char* address) {
  return ::inet_addr(address);
}

TEST(CutLinks, AreSharedThroughTheFile) {
  const TemporaryFolder folder;
  CutLinks told(folder.path() + "/cut");
  const CutLinks seen(folder.path() + "/cut");
  EXPECT_FALSE(seen.is_cut(number(kClient), number(kServer)));
  told.set(kClient, {kServer}, {});
  EXPECT_TRUE(seen.is_cut(number(kServer), number(kClient))) << "replies are lost";
  EXPECT_FALSE(seen.is_cut(number(kClient), number(kServer))) << "requests arrive";
  EXPECT_TRUE(seen.is_any_cut(number(kClient)));
  EXPECT_FALSE(seen.is_any_cut(number(kServer))) << "it was told of the client's node";
}

TEST(CutLinks, NodesLinksAreReplaced) {
  const TemporaryFolder folder;
  CutLinks links(folder.path() + "/cut");
  links.set(kClient, {kServer}, {kServer});
  links.set("10.77.1.2", {}, {kServer});
  links.set(kClient, {}, {});
  EXPECT_FALSE(links.is_cut(number(kServer), number(kClient)));
  EXPECT_FALSE(links.is_cut(number(kClient), number(kServer)));
  EXPECT_TRUE(links.is_cut(number("10.77.1.2"), number(kServer))) << "another's stays";
}

TEST(CutLinks, MissingFolderIsAnError) {
  EXPECT_THROW(CutLinks("/nowhere/cut"), HarnessError);
}

TEST(DroppingRules, PartialDropIsNotACut) {
  DroppingRules rules;
  EXPECT_TRUE(rules.empty());
  rules.drop_from(kServer, 30);
  rules.drop_to(kServer);
  EXPECT_TRUE(rules.all_from().empty());
  EXPECT_EQ(rules.all_to(), std::vector<std::string>{kServer});
  EXPECT_NE(rules.text().find("ip saddr 10.77.0.2 numgen random mod 100 < 30 counter drop"), std::string::npos);
  EXPECT_NE(rules.text().find("ip daddr 10.77.0.2 counter drop"), std::string::npos);
}

}  // namespace
}  // namespace holdfast
