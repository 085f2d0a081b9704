// Words of a schedule, as people write them.
#include "artifact/schedule_word.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "artifact/error.hpp"

namespace holdfast {
namespace {

TEST(Word, RoundTrip) {
  const std::string text =
      "A b +2s +1.999999s B!lost A!late A!arrives a!cut C!crash B!victim A!ahead B!behind +0.000001s";
  EXPECT_EQ(to_text(parse_words(text)), text);
  EXPECT_TRUE(parse_words(" \n ").empty());
}

RC_GTEST_PROP(Word, EveryTimeRoundTrips, ()) {
  const auto us = *rc::gen::inRange<std::int64_t>(0, 1'000'000'000'000);
  const std::vector<Word> words{{WordKind::time, 0, us}};
  RC_ASSERT(parse_words(to_text(words)) == words);
}

TEST(Word, UnknownWordIsRefusedByName) {
  for (const char* text : {"1", "A!", "A!lots", "+s", "+1", "+1.2.3s", "+-1s", "+1.0000001s", "AB", "+9999999s", "!"}) {
    try {
      parse_words(std::string("A ") + text);
      ADD_FAILURE() << text;
    } catch (const BadInput& refused) {
      EXPECT_NE(std::string(refused.what()).find(std::string("'") + text + "'"), std::string::npos) << refused.what();
    }
  }
}

}  // namespace
}  // namespace holdfast
