// Every model against brute force (tests/agreement), with histories that RapidCheck makes and shrinks: they agree, keys
// do not touch each other, a coarse clock makes nothing a violation, and what --first stops at is a violation of the
// whole.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/agreement/judge.hpp"
#include "tests/checker/choices.hpp"

namespace holdfast::agreement {
namespace {

Operations arbitrary(Model model) {
  Choices choices(*rc::gen::container<std::vector<std::uint8_t>>(150, rc::gen::arbitrary<std::uint8_t>()));
  return Simulation(model, [&](int n) { return choices.below(n); }).run();
}

bool first_is_violated(Model model, const Operations& operations) {
  ToldHistory told(operations);
  return check_history(told, name_of(model), CheckScope::first_violation).judgement == Judgement::violated;
}

void agree(Model model) {
  const Operations operations = arbitrary(model);
  const Operations others = arbitrary(model);
  RC_PRE(!operations.empty() && !others.empty());
  const Compared compared = compare(model, operations);
  RC_LOG() << shown(operations) << (compared.legal ? "legal" : "illegal") << ", " << to_text(compared.said) << "\n";
  RC_TAG(std::string(compared.legal ? "legal" : "illegal"));
  RC_ASSERT(compared.agrees());
  RC_ASSERT(!compared.legal || !violated_by_a_coarse_clock(model, operations));
  const Compared beside = compare(model, others);
  const bool either = compared.said == Judgement::violated || beside.said == Judgement::violated;
  const TrialVerdict both = checked(model, side_by_side(operations, others));
  RC_ASSERT((both.judgement == Judgement::violated) == either);
  const bool whole = checked(model, operations).judgement == Judgement::violated;
  RC_ASSERT(first_is_violated(model, operations) == whole);
}

RC_GTEST_PROP(Agreement, Owner, ()) {
  agree(Model::owner);
}
RC_GTEST_PROP(Agreement, Reentrant, ()) {
  agree(Model::reentrant);
}
RC_GTEST_PROP(Agreement, Plain, ()) {
  agree(Model::plain);
}
RC_GTEST_PROP(Agreement, Fenced, ()) {
  agree(Model::fenced);
}
RC_GTEST_PROP(Agreement, Lease, ()) {
  agree(Model::lease);
}

RC_GTEST_PROP(Agreement, ReadWrite, ()) {
  agree(Model::read_write);
}
RC_GTEST_PROP(Agreement, Semaphore, ()) {
  agree(Model::semaphore);
}

// The references must separate legal from illegal themselves.
TEST(Reference, SeparatesLegalFromIllegal) {
  const Operation granted{0, Does::acquire, Answered::ok, 1, 2, 1, 9, 0};
  Operation second{1, Does::acquire, Answered::ok, 5, 6, 2, 9, 0};
  const Operation freed{0, Does::release, Answered::ok, 3, 4, 0, 0, 0};
  for (const Model model :
       {Model::owner, Model::reentrant, Model::plain, Model::fenced, Model::lease, Model::read_write}) {
    EXPECT_FALSE(legal(model, {granted, second})) << name_of(model);
    EXPECT_TRUE(legal(model, {granted, freed, second})) << name_of(model);
  }
  second.token = 1;
  EXPECT_FALSE(legal(Model::fenced, {granted, freed, second}));
  second.invoked = 12;
  second.answered = 13;
  EXPECT_TRUE(legal(Model::lease, {granted, second})) << "the lease is over";
}

}  // namespace
}  // namespace holdfast::agreement
