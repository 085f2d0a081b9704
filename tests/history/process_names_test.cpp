#include "history/history_source.hpp"

#include <gtest/gtest.h>

#include <rapidcheck/gtest.h>

#include <map>

namespace holdfast {
namespace {

TEST(ProcessNames, IdsAreDenseAndNamesRoundTrip) {
  ProcessNames names;
  EXPECT_EQ(names.id_of("17"), 0U);
  EXPECT_EQ(names.id_of("worker"), 1U);
  EXPECT_EQ(names.id_of(std::uint32_t{17}), 0U);
  EXPECT_EQ(names.id_of(std::uint32_t{4'294'967'295}), 2U);
  EXPECT_EQ(names.id_of("4294967295"), 2U);
  EXPECT_EQ(names.all(), (std::vector<std::string>{"17", "worker", "4294967295"}));
  EXPECT_THROW(names.at(3), std::out_of_range);
}

TEST(ProcessNames, DifferentSpellingIsADifferentName) {
  const ProcessNames names{"7", "007", "+7", " 7", "7.0", "", "0", "00", "99999999999999999999"};
  EXPECT_EQ(names.size(), 9U);
  EXPECT_EQ(names.all()[1], "007");
  EXPECT_EQ(names.all()[8], "99999999999999999999");
}

TEST(ProcessNames, DistantNumbersGetDenseIds) {
  ProcessNames names;
  for (std::uint32_t i = 0; i < 100'000; ++i) EXPECT_EQ(names.id_of(i * 40'503U), i);
  for (std::uint32_t i = 0; i < 100'000; ++i) EXPECT_EQ(names.id_of(i * 40'503U), i);
  EXPECT_EQ(names.at(99'999), std::to_string(99'999U * 40'503U));
}

RC_GTEST_PROP(ProcessNamesRandom, BehavesLikeAMap, ()) {
  const auto said = *rc::gen::container<std::vector<std::uint32_t>>(
      rc::gen::oneOf(rc::gen::inRange<std::uint32_t>(0, 5000), rc::gen::arbitrary<std::uint32_t>()));
  ProcessNames names;
  std::map<std::string, std::uint32_t> ids;
  for (const std::uint32_t number : said) {
    const std::string name = std::to_string(number);
    const std::uint32_t id = ids.try_emplace(name, static_cast<std::uint32_t>(ids.size())).first->second;
    RC_ASSERT((number % 2 == 0 ? names.id_of(number) : names.id_of(name)) == id);
    RC_ASSERT(names.at(id) == name);
  }
  RC_ASSERT(names.size() == ids.size());
}

}  // namespace
}  // namespace holdfast
