// plain_exclusion: a lock that any client may release (no owner) is acquired and released in turns.
//
// Rule, in foreign histories under model plain, per key: there is a moment inside each operation's window such that
// acquires and releases alternate, and each `not_held` falls into a moment in which the lock was free
// (plain_rule.hpp has the rule and why it is exact). Kinds: `acquired_while_held`, `released_while_free`,
// `not_held_while_held`. An operation without an answer may have taken effect at any later time, or never.
//
// `busy` answers are judged by progress. Not decided: blame; any client may release. Memory: open operations, and those
// of unknown outcome (plain_rule.hpp).
#include <fmt/format.h>

#include "checker/findings.hpp"
#include "checker/plain_witness.hpp"
#include "checker/properties/plain_exclusion.hpp"
#include "checker/property.hpp"

namespace holdfast {
namespace {

class PlainExclusion : public Property {
 public:
  explicit PlainExclusion(const PropertyContext& context) : context_(context) {}

  void event(const Event& event) override {
    found();
    if (event.actor != Actor::client || event.type != EventType::ok) return;
    if (event.op == Op::acquire) ++grants_;
    if (event.op == Op::release) ++releases_;
  }

  bool violated() const override { return findings_.violated(); }

  PropertyVerdict finish() override {
    found();
    PropertyVerdict verdict = findings_.verdict();
    verdict.coverage = {{"grants", grants_}, {"releases", releases_}};
    if (grants_ == 0) not_exercised(verdict, "no client was granted the lock");
    return verdict;
  }

 private:
  void found() {
    for (const PlainFault& fault : context_.plain.faults()) {
      findings_.add(plain_kind(fault.operation.kind), 0, [&] { return plain_witness(context_, fault); });
    }
  }

  PropertyContext context_;
  Findings findings_;
  std::int64_t grants_ = 0;
  std::int64_t releases_ = 0;
};

}  // namespace

extern const PropertyType property_plain_exclusion{
    .words = &words_plain_exclusion, .models = "plain", .make = make_property<PlainExclusion>};

}  // namespace holdfast
