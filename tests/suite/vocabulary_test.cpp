// The words of verdicts: properties, kinds and causes, each in one place.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "artifact/property_words.hpp"
#include "checker/property.hpp"
#include "nemesis/fault.hpp"
#include "reports/narration.hpp"
#include "tests/reports/made_up_run.hpp"

namespace holdfast {
namespace {

TEST(PropertyWords, EveryPropertyHasWords) {
  EXPECT_EQ(entry_names(property_words()), entry_names(properties()));
  std::set<int> ranks;
  for (const auto& [name, words] : property_words()) {
    EXPECT_EQ(find_entry(properties(), name)->words, words) << name;
    EXPECT_STRNE(words->summary, "") << name;
    EXPECT_FALSE(words->kinds.empty()) << name;
    if (words->promised_by == PromisedBy::nobody) continue;
    EXPECT_NE(words->concerns, Concerns::histories) << name;
    EXPECT_STRNE(words->violated, "") << name;
    EXPECT_TRUE(ranks.insert(words->rank).second) << name << " has the rank of another";
    for (const KindWords& kind : words->kinds) EXPECT_STRNE(kind.meaning, "") << name << ": " << kind.name;
  }
  EXPECT_LT(rank_of("lease_exclusion"), rank_of("progress"));
  EXPECT_GT(rank_of("unheard_of"), rank_of("permits"));
  EXPECT_FALSE(concerns("unheard_of", Concerns::data));
}

// With one client, with two and with three; of every kind.
TEST(PropertyWords, HeadlineNamesTheViolation) {
  const auto in = made_up::failing_run();
  for (const auto& [name, words] : property_words()) {
    std::vector<std::string> kinds{""};
    for (const KindWords& kind : words->kinds) kinds.emplace_back(kind.name);
    for (const auto& kind : kinds) {
      Finding found = assess(in.run).severest;
      PropertyVerdict property = *found.property;
      property.property = name;
      Witness witness{"orders", kind, {}, {1}, 1'000'000, 2'000'000, ""};
      found.property = &property;
      found.witness = &witness;
      for (const std::uint32_t more : {0U, 2U, 3U}) {
        if (more != 0) witness.clients.push_back(more);
        const std::string text = headline(found);
        EXPECT_NE(text.find("orders"), std::string::npos) << text;
        EXPECT_EQ(text.find_first_of("{}"), std::string::npos) << text;
      }
    }
  }
}

TEST(KindWords, EqualNamesHaveEqualMeanings) {
  std::map<std::string, std::string> seen;
  for (const auto& [name, words] : property_words()) {
    for (const KindWords& kind : words->kinds) {
      const auto [known, first] = seen.try_emplace(kind.name, kind.meaning);
      EXPECT_TRUE(first || known->second == kind.meaning) << name << ": " << kind.name;
      EXPECT_EQ(find_cause(kind.name), nullptr) << name << ": " << kind.name;
      EXPECT_NE(find_kind(kind.name), nullptr) << name << ": " << kind.name;
    }
  }
  EXPECT_EQ(find_kind("unheard_of"), nullptr);
}

TEST(KindWords, EveryCauseHasAFaultAndARemedy) {
  std::set<std::string> given;
  for (const auto& [name, type] : faults()) {
    if (*type->cause == '\0') continue;
    given.insert(type->cause);
    const KindWords* words = find_kind(type->cause);
    ASSERT_NE(words, nullptr) << name << ": " << type->cause;
    EXPECT_EQ(words->weight, KindWeight::fault) << name;
  }
  for (const KindWords& cause : cause_words()) {
    EXPECT_TRUE(given.contains(cause.name)) << cause.name;
    EXPECT_STRNE(cause.advice, "") << cause.name;
  }
}

}  // namespace
}  // namespace holdfast
