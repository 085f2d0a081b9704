// author_assertions: what the lock's author asserts in its adapter, and the checker cannot know.
//
// Rule: an `always` assertion that was false in an event violates it (`assertion_failed`), once for each assertion and
// client. If the history has no `always` evaluation, the property does not apply: `sometimes` and `reached` need only
// one trial of a run, so the run judges them, from the counts that this property passes on.
//
// Exact: the adapter's own words. The time is that at which the client read them, at the moment of the evaluation or
// later. Counts of a killed client may be too small, by half at most.
//
// Memory: a count for each assertion and client; the number of assertions is bounded (artifact/assertion.hpp).
#include "checker/properties/author_assertions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "checker/findings.hpp"
#include "checker/property.hpp"

namespace holdfast {
namespace {

class AuthorAssertions : public Property {
 public:
  explicit AuthorAssertions(const PropertyContext& context) : context_(context) {}

  EventFilter events_wanted() const override { return EventFilter::none().with_others(); }

  void event(const Event& event) override {
    if (event.actor != Actor::assertion) return;
    const Evaluated& seen = event.evaluated;
    Asserted& one = all_[{seen.kind, seen.name}];
    if (event.type == EventType::info) return;
    const bool failed = event.type == EventType::fail;
    std::int64_t& before = (failed ? one.failed_by : one.held_by)[event.client];
    std::int64_t& all = failed ? one.failed : one.held;
    all = more_evaluations(all, std::max<std::int64_t>(0, seen.count - before));
    const bool first = before == 0;
    before = std::max(before, seen.count);
    if (failed && first && seen.kind == AssertionKind::always) was_false(event);
  }

  bool violated() const override { return findings_.violated(); }

  PropertyVerdict finish() override {
    PropertyVerdict verdict = findings_.verdict();
    std::int64_t evaluations = 0;
    for (const auto& [name, one] : all_) {
      verdict.assertions.push_back({name.first, name.second, one.held, one.failed});
      if (name.first == AssertionKind::always) evaluations = more_evaluations(evaluations, one.held + one.failed);
    }
    verdict.coverage = {{"always_evaluated", evaluations}};
    if (evaluations > 0) return verdict;
    verdict.judgement = Judgement::not_applicable;
    verdict.reason = all_.empty() ? "the lock's adapter has no assertions"
                                  : "no `always` assertion was evaluated; the run judges the other assertions";
    return verdict;
  }

 private:
  using ByClient = std::map<std::uint32_t, std::int64_t>;
  struct Asserted {
    std::int64_t held = 0;
    std::int64_t failed = 0;
    ByClient held_by;  // the client's latest count
    ByClient failed_by;
  };

  void was_false(const Event& event) {
    findings_.add("assertion_failed", 0, [&] {
      Witness out;
      out.key = event.evaluated.name;
      out.indices = {event.index};
      out.clients = {event.client};
      out.from_ns = out.to_ns = event.time_ns;
      const std::string& why = event.evaluated.why;
      out.text = fmt::format("The lock of client {} evaluated {} at {}, and it was false{}{}.", event.client,
                             assertion_text(event.evaluated.kind, event.evaluated.name),
                             context_.story.at(event.time_ns, event.index), why.empty() ? "" : ": ", why);
      return out;
    });
  }

  PropertyContext context_;
  Findings findings_;
  std::map<std::pair<AssertionKind, std::string>, Asserted> all_;
};

}  // namespace

extern const PropertyType property_author_assertions{.words = &words_author_assertions,
                                                     .make = make_property<AuthorAssertions>};

}  // namespace holdfast
