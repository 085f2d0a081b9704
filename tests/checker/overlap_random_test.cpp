// The exclusion sweeps against brute force: every pair of holds, every millisecond.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/checker/choices.hpp"
#include "tests/checker/history_builder.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kLeaseMs = 12;
constexpr std::int64_t kForever = 100'000;

struct Promise {
  std::int64_t from, to;
};
struct Held {
  std::uint32_t client, key;
  std::int64_t from;
  std::int64_t to = kForever;
  std::vector<Promise> promises;

  bool believed(std::int64_t t) const { return from <= t && t < to; }
  bool valid(std::int64_t t) const {
    return std::any_of(promises.begin(), promises.end(), [&](const Promise& p) { return p.from <= t && t < p.to; });
  }
};

// Clients' operations, as a history and as the holds that brute force examines.
struct Tale {
  HistoryBuilder history = HistoryBuilder::foreign("lease");
  std::vector<Held> held;
  std::int64_t end = 0;

  std::int64_t until(std::int64_t t) { return end = std::max(end, t), t; }
};

std::int64_t hold(Tale& tale, Choices& choose, Held& mine, std::int64_t t) {
  while (choose.one_in(3)) {
    const std::int64_t sent = t + 1 + choose.below(8);
    t = tale.until(sent + choose.below(5));
    if (choose.one_in(4)) {
      tale.history.uncertain(mine.client, Op::renew, sent, t);
    } else {
      tale.history.renew(mine.client, sent, t);
      mine.promises.push_back({t, sent + kLeaseMs});
    }
  }
  t += 1 + choose.below(9);
  const int how = choose.below(5);
  if (how == 2) return -1;  // believed to the end
  tale.until(t);
  switch (how) {
    case 0:
      tale.history.leave(mine.client, t);
      break;
    case 1:
      tale.history.not_held(mine.client, Op::renew, t, t);
      break;
    default:
      tale.history.release(mine.client, t, tale.until(t + choose.below(3)));
      break;
  }
  mine.to = t;
  return t + 3;
}

Tale tell(Choices choose) {
  Tale tale;
  tale.history.lease(kLeaseMs);
  const bool in_turn = choose.one_in(2);  // a lock that works: one after the other
  std::int64_t clock[3] = {0, 0, 0};
  while (choose.left()) {
    const auto client = static_cast<std::uint32_t>(choose.below(3));
    if (clock[client] < 0) break;
    const std::int64_t sent = (in_turn ? *std::max_element(clock, clock + 3) : clock[client]) + choose.below(20);
    const std::int64_t granted = tale.until(sent + choose.below(choose.one_in(8) ? 20 : 5));
    Held mine{client, static_cast<std::uint32_t>(choose.below(2)), granted, kForever, {{sent, sent + kLeaseMs}}};
    tale.history.on(mine.key).acquire(client, sent, granted);
    clock[client] = hold(tale, choose, mine, granted);
    tale.held.push_back(mine);
  }
  return tale;
}

struct Found {
  std::int64_t pairs = 0;
  std::int64_t total_ms = 0;
};

Found brute_force(const Tale& tale, bool validity) {
  Found found;
  for (std::size_t i = 0; i < tale.held.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const Held& a = tale.held[i];
      const Held& b = tale.held[j];
      if (a.client == b.client || a.key != b.key) continue;
      bool any = false;
      for (std::int64_t t = 0; t < tale.end + 2 * kLeaseMs; ++t) {
        const bool both = a.believed(t) && b.believed(t) && (!validity || (a.valid(t) && b.valid(t)));
        any = any || both;
        found.total_ms += both && t < tale.end ? 1 : 0;
      }
      found.pairs += any ? 1 : 0;
    }
  }
  return found;
}

void compare(const Tale& tale, const TrialVerdict& verdict, const std::string& property, bool validity) {
  const Found expected = brute_force(tale, validity);
  const PropertyVerdict& p = *verdict.find(property);
  RC_ASSERT((p.judgement == Judgement::violated) == (expected.pairs > 0));
  RC_ASSERT(p.count == expected.pairs);
  RC_ASSERT(p.total_ns == expected.total_ms * 1'000'000);
  RC_TAG(std::string(property) + (expected.pairs > 0 ? " violated" : " holds"));
}

RC_GTEST_PROP(OverlapRandom, AgreesWithBruteForce, (std::vector<std::uint8_t> bytes)) {
  const Tale tale = tell(Choices(std::move(bytes)));
  RC_PRE(!tale.held.empty());
  const TrialVerdict verdict = tale.history.check();
  compare(tale, verdict, "mutual_exclusion", false);
  compare(tale, verdict, "lease_exclusion", true);
}

}  // namespace
}  // namespace holdfast
