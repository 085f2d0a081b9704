// The search against plain enumeration: on small random programs in memory it finds every violation that trying
// everything finds, at the same least cost, and nothing else.
#include "explore/search.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>

#include "artifact/error.hpp"
#include "explore/schedule.hpp"
#include "tests/explore/simulated_world.hpp"

namespace holdfast {
namespace {

constexpr Cost kBounds{2, 1, 1};

// Everything within the bounds, by trying it: invariant -> least cost.
class Enumeration {
 public:
  explicit Enumeration(SearchWorld& world) : world_(world) { visit({}, {}); }
  const std::map<std::string, int>& least() const { return least_; }
  const std::map<std::pair<std::string, std::uint64_t>, int>& stories() const { return stories_; }  // the same of each

 private:
  void visit(const std::vector<Word>& words, const Cost& cost) {
    world_.reset();
    for (const auto& word : words) world_.take(word);
    for (const auto& violation : world_.violations()) {
      const auto [place, fresh] = least_.emplace(violation.invariant, cost.total());
      if (!fresh) place->second = std::min(place->second, cost.total());
      const auto [story, first] = stories_.emplace(std::pair(violation.invariant, world_.story()), cost.total());
      if (!first) story->second = std::min(story->second, cost.total());
    }
    if (!world_.violations().empty()) return;
    for (const auto& option : world_.options()) {
      const Cost next = cost + option.cost;
      if (!next.within(kBounds)) continue;
      auto longer = words;
      longer.push_back(option.word);
      visit(longer, next);
    }
  }
  SearchWorld& world_;
  std::map<std::string, int> least_;
  std::map<std::pair<std::string, std::uint64_t>, int> stories_;
};

std::map<std::string, int> found_by(const SearchResult& result) {
  std::map<std::string, int> out;
  for (const auto& find : result.finds) out[find.violation.invariant] = find.cost.total();
  return out;
}

SearchLimits all_within() {
  SearchLimits limits;
  limits.bounds = kBounds;
  limits.budget_s = 1e6;
  return limits;
}

rc::Gen<FakeProgram> any_program() {
  using Kind = Instruction::Kind;
  const auto kind = rc::gen::element(Kind::read, Kind::write, Kind::add, Kind::check_same, Kind::check_late);
  const auto instruction = rc::gen::build<Instruction>(rc::gen::set(&Instruction::kind, kind),
                                                       rc::gen::set(&Instruction::cell, rc::gen::inRange(0, 3)),
                                                       rc::gen::set(&Instruction::value, rc::gen::inRange(0, 3)));
  return rc::gen::mapcat(rc::gen::inRange<std::size_t>(1, 5), [instruction](std::size_t length) {
    return rc::gen::container<FakeProgram>(length, instruction);
  });
}

std::vector<FakeProgram> any_programs() {
  return {*any_program(), *any_program()};
}

RC_GTEST_PROP(Search, FindsTheSameAsEnumeration, ()) {
  const auto programs = any_programs();
  SimulatedWorld world(programs, true);
  const Enumeration all(world);
  const SearchResult merged = search({&world}, all_within());
  RC_ASSERT(merged.complete);
  RC_ASSERT(found_by(merged) == all.least());
  RC_TAG(all.least().empty() ? "nothing to find" : "something to find");
}

// By invariant and story.
using Stories = std::map<std::pair<std::string, std::uint64_t>, int>;

// A state that was met before is not followed, but whose instruction a violation was lies after it.
RC_GTEST_PROP(Search, FindsTheSameStoriesAsEnumeration, ()) {
  SimulatedWorld world(any_programs(), true);
  world.tell_stories(true);
  const Enumeration all(world);
  Stories found;
  for (const auto& find : search({&world}, all_within()).finds) {
    found[{find.violation.invariant, find.story}] = find.cost.total();
  }
  RC_ASSERT(found == all.stories());
  RC_TAG(found.size() > all.least().size() ? "an invariant with two stories" : "at most one story each");
}

RC_GTEST_PROP(Search, MergingChangesNothing, ()) {
  const auto programs = any_programs();
  SimulatedWorld world(programs, true);
  SimulatedWorld silent(programs, false);
  SearchLimits plain = all_within();
  plain.merge = false;
  const SearchResult with = search({&world}, all_within());
  const SearchResult without = search({&silent}, plain);
  RC_ASSERT(found_by(with) == found_by(without));
  RC_ASSERT(with.schedules <= without.schedules);
}

RC_GTEST_PROP(Search, TwoWorkersFindTheSame, ()) {
  const auto programs = any_programs();
  SimulatedWorld one(programs, true);
  SimulatedWorld two(programs, true);
  SimulatedWorld alone(programs, true);
  RC_ASSERT(found_by(search({&one, &two}, all_within())) == found_by(search({&alone}, all_within())));
}

RC_GTEST_PROP(Search, PartsTogetherFindWhatTheWholeFinds, ()) {
  const auto programs = any_programs();
  SimulatedWorld alone(programs, true);
  const SearchResult whole = search({&alone}, all_within());
  std::map<std::string, int> found;
  std::uint64_t schedules = 0;
  for (std::uint32_t part = 0; part < 3; ++part) {
    SearchLimits limits = all_within();
    limits.part = part;
    limits.parts = 3;
    SimulatedWorld world(programs, true);
    const SearchResult result = search({&world}, limits);
    RC_ASSERT(result.complete);
    RC_ASSERT(result.first == whole.first);
    schedules += result.schedules;
    for (const auto& [invariant, cost] : found_by(result)) {
      const auto [known, fresh] = found.emplace(invariant, cost);
      if (!fresh) known->second = std::min(known->second, cost);
    }
  }
  RC_ASSERT(found == found_by(whole));
  RC_ASSERT(schedules >= whole.schedules);
}

RC_GTEST_PROP(Search, FindsReplayAndAreMinimal, ()) {
  SimulatedWorld world(any_programs(), true);
  for (const auto& find : search({&world}, all_within()).finds) {
    const auto again = parse_words(to_text(find.words));
    RC_ASSERT(again == find.words);
    RC_ASSERT(run_schedule(world, again, false).front().invariant == find.violation.invariant);
    const auto shorter = shortened(world, find.words, find.violation.invariant);
    RC_ASSERT(shorter.size() <= find.words.size());
    RC_ASSERT(run_schedule(world, shorter, false).front().invariant == find.violation.invariant);
  }
}

using Kind = Instruction::Kind;
const FakeProgram kReader{{Kind::read, 0, 0}, {Kind::check_same, 0, 7}};
const FakeProgram kWriter{{Kind::write, 0, 5}};

TEST(Search, ARaceNeedsOnePreemptionAndIsNotFoundWithout) {
  SimulatedWorld world({kReader, kWriter}, true);
  SearchLimits limits = all_within();
  limits.bounds = {0, 0, 0};
  const SearchResult none = search({&world}, limits);
  EXPECT_TRUE(none.complete);
  EXPECT_TRUE(none.finds.empty());
  limits.bounds = {1, 0, 0};
  const SearchResult one = search({&world}, limits);
  ASSERT_EQ(one.finds.size(), 1U);
  EXPECT_EQ(to_text(one.finds.front().words), "A B A");
  EXPECT_EQ(one.finds.front().cost, (Cost{1, 0, 0}));
}

// B's write is in A's way at once; that B checks in vain, too, costs a preemption more than that.
TEST(Search, CheaperFindDoesNotHideOtherStories) {
  const FakeProgram checks_twice{
      {Kind::read, 0, 0}, {Kind::check_same, 0, 7}, {Kind::read, 1, 0}, {Kind::check_same, 1, 7}};
  const FakeProgram writes_both{{Kind::write, 0, 5}, {Kind::write, 1, 5}};
  SimulatedWorld world({checks_twice, writes_both}, true);
  EXPECT_EQ(search({&world}, all_within()).finds.size(), 1U) << "a world that tells no stories";
  world.tell_stories(true);
  const SearchResult found = search({&world}, all_within());
  ASSERT_EQ(found.finds.size(), 2U);
  EXPECT_EQ(found.finds.front().violation.invariant, found.finds.back().violation.invariant);
  EXPECT_NE(found.finds.front().story, found.finds.back().story);
}

TEST(Search, AFaultThatIsNotNeededIsLeftOut) {
  SimulatedWorld world({kReader, kWriter, {{Kind::read, 2, 0}, {Kind::read, 2, 0}}}, true);
  const auto with_crash = parse_words("C C!crash A B A");
  ASSERT_EQ(run_schedule(world, with_crash, false).size(), 1U);
  EXPECT_EQ(to_text(shortened(world, with_crash, "same7")), "A B A");
  EXPECT_EQ(cost_of(world, parse_words("A B A")), (Cost{1, 0, 0}));
  EXPECT_FALSE(cost_of(world, parse_words("A +5s B A"))) << "a jump that the world does not offer";
}

TEST(Search, SearchOverBudgetIsIncomplete) {
  const FakeProgram slow(12, {Kind::add, 0, 1});
  SimulatedWorld world({slow, slow}, false);
  SearchLimits limits;
  limits.bounds = {9, 9, 9};
  limits.budget_s = 0.05;
  limits.merge = false;
  const SearchResult result = search({&world}, limits);
  EXPECT_FALSE(result.complete);
  EXPECT_GT(result.left, 0U);
  EXPECT_GT(result.walks, 0U);
}

// A world that forgets, when it comes back to a place, what time it was.
class ForgetfulWorld : public SimulatedWorld {
 public:
  using SimulatedWorld::SimulatedWorld;
  void go_to(const SearchPlace& place) override {
    SimulatedWorld::go_to(place);
    SimulatedWorld::take({WordKind::time, 0, 1});
  }
};

TEST(Search, PlaceThatDoesNotMatchItsWordsIsAnError) {
  const FakeProgram slow(12, {Kind::add, 0, 1});
  ForgetfulWorld world({slow, slow}, true);
  SearchLimits limits = all_within();
  limits.bounds = {9, 9, 9};
  EXPECT_THROW(search({&world}, limits), HarnessError);
}

TEST(Search, StopsWhenAsked) {
  const FakeProgram slow(12, {Kind::add, 0, 1});
  SimulatedWorld world({slow, slow}, false);
  SearchLimits limits = all_within();
  limits.bounds = {9, 9, 9};
  int asked = 0;
  limits.stop = [&asked] { return ++asked > 10; };
  const SearchResult result = search({&world}, limits);
  EXPECT_TRUE(result.stopped);
  EXPECT_FALSE(result.complete);
  EXPECT_LE(result.schedules, 11U);
}

}  // namespace
}  // namespace holdfast
