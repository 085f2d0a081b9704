// terms: of an election, each term has one leader at most, and terms rise.
//
// Rule, in foreign histories under model leader, per key. A campaign that is answered ok brings a term, its token.
// Violated when two processes are granted the same term (`two_leaders`), or when a campaign brings a term that is not
// larger than that of another process whose campaign had been answered before it was called, or smaller than one of its
// own (`term_fell`).
//
// Exact: moments in which the terms rise exist iff no campaign that was over before another was called has the larger
// term, since each can be given the moment at which the campaigns of all smaller terms have been called. Equal times
// order nothing. A leader that goes on after another has been elected breaks nothing: its term marks it as a former
// leader, which is the purpose of terms.
//
// Not decided: whether a resource looks at terms. Memory: the terms, which are as few as elections are.
#include "checker/properties/terms.hpp"

#include <fmt/format.h>

#include <map>
#include <vector>

#include "checker/findings.hpp"
#include "checker/latest_token.hpp"
#include "checker/property.hpp"

namespace holdfast {
namespace {

class Terms : public Property {
 public:
  explicit Terms(const PropertyContext& context) : context_(context) {}

  void event(const Event& event) override {
    if (event.actor != Actor::client || event.op != Op::acquire || event.type != EventType::ok) return;
    ++elections_;
    if (!event.token) {
      ++without_term_;
      return;
    }
    if (event.key >= keys_.size()) keys_.resize(event.key + 1);
    elected(keys_[event.key], event);
  }

  bool violated() const override { return findings_.violated(); }

  PropertyVerdict finish() override {
    PropertyVerdict verdict = findings_.verdict();
    std::int64_t terms = 0;
    for (const Key& key : keys_) terms += static_cast<std::int64_t>(key.terms.size());
    verdict.coverage = {{"elections", elections_}, {"terms", terms}};
    if (elections_ == 0) not_exercised(verdict, "no client was elected");
    if (without_term_ > 0) not_exercised(verdict, "an election had no term (token)");
    return verdict;
  }

 private:
  struct Elected {
    Token term;
    std::uint64_t call_index = 0;
  };
  struct Key {
    std::map<std::uint64_t, Elected> terms;
    LatestToken answered;
  };

  void elected(Key& key, const Event& event) {
    const Operation& operation = context_.holds.operation();
    const Elected now{{*event.token, operation.invoked_ns, event.time_ns, event.process, event.client, event.index},
                      operation.index};
    const auto [same, first] = key.terms.try_emplace(now.term.value, now);
    const Token* before = key.answered.largest_before(operation.invoked_ns);
    if (!first && same->second.term.process != event.process) {
      found("two_leaders", event.key, same->second, now);
    } else if (before && (before->value > now.term.value ||
                          (before->value == now.term.value && before->process != event.process))) {
      found("term_fell", event.key, key.terms.at(before->value), now);
    }
    key.answered.add(now.term, event.time_ns);
  }

  void found(const char* kind, std::uint32_t key, const Elected& earlier, const Elected& later) {
    findings_.add(kind, 0, [&] {
      const Story& story = context_.story;
      Witness w;
      w.key = context_.names.keys.at(key);
      w.from_ns = later.term.sent_ns;
      w.to_ns = later.term.seen_ns;
      for (const Elected* one : {&earlier, &later}) {
        w.clients.push_back(one->term.client);
        w.indices.insert(w.indices.end(), {one->call_index, one->term.index});
        w.text +=
            fmt::format("{} campaigned for {} at {} and was elected at {} for term {}. ",
                        story.subject(one->term.process, one->term.client), story.key(key), story.at(one->term.sent_ns),
                        story.at(one->term.seen_ns, one->term.index), one->term.value);
      }
      w.text += earlier.term.value == later.term.value ? "So one term has two leaders."
                                                       : "So the later election has the smaller term.";
      return w;
    });
  }

  PropertyContext context_;
  Findings findings_;
  std::vector<Key> keys_;
  std::int64_t elections_ = 0;
  std::int64_t without_term_ = 0;
};

}  // namespace

extern const PropertyType property_terms{.words = &words_terms, .models = "leader", .make = make_property<Terms>};

}  // namespace holdfast
