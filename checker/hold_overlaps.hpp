// What the two exclusions share: each pair of tenures that are believed at the same time is met once, when the first of
// the two ends; overlaps among them become findings, and the exposure says what a `holds` is worth.
//
//   class BeliefExclusion : public HoldOverlaps {
//     BeliefExclusion(const PropertyContext& c) : HoldOverlaps(c, "both acted as holder", belief_overlap) {}
//     void judge(const Overlap& overlap) override { found("overrun", overlap); }
//   };
//
// What it does not do: it does not say what an overlap is nor what made it possible; that is what they differ in.
#pragma once

#include "checker/overlap.hpp"
#include "checker/overlap_findings.hpp"
#include "checker/property.hpp"
#include "checker/unsettled.hpp"

namespace holdfast {

class HoldOverlaps : public Property {
 public:
  using FindOverlap = std::optional<Overlap> (*)(const Tenure& a, const Tenure& b, std::int64_t now_ns);
  HoldOverlaps(const PropertyContext& context, const char* what, FindOverlap find)
      : context_(context), findings_(context, what), find_(find) {}

  Hears hears() const override { return Hears::indeterminate; }
  void event(const Event& event) override { unsettled_.event(event, context_.tenures); }
  void ended(const Tenure& tenure) override {
    findings_.ended(tenure);
    for (const Tenure* other : context_.tenures.believers(tenure.key)) meet(tenure, *other);
  }
  void resumed(const Tenure& tenure, const std::vector<Tenure>& meanwhile) override {
    for (const Tenure& other : meanwhile) meet(tenure, other);
  }
  bool violated() const override { return findings_.violated(); }
  PropertyVerdict finish() override {
    PropertyVerdict verdict = findings_.verdict();
    context_.exposure.judge(verdict);
    return verdict;
  }

 protected:
  // What may be behind an overlap is named where nothing else explains it, as a suspicion.
  void found(const std::string& kind, const Overlap& overlap, const FaultRecord* suspected) {
    findings_.add(kind, overlap, [&] {
      const bool unexplained = suspected != nullptr || kind == "algorithm";
      const Story& story = context_.story;
      const std::string late = unsettled_.unanswered(overlap.earlier->key, overlap.from_ns, story);
      return unexplained ? late + Causes::words(suspected, story) : "";
    });
  }

  PropertyContext context_;
  OverlapFindings findings_;

 private:
  virtual void judge(const Overlap& overlap) = 0;

  void meet(const Tenure& tenure, const Tenure& other) {
    if (met_before(tenure, other) || met_before(other, tenure)) return;
    if (const auto overlap = find_(tenure, other, context_.tenures.now_ns())) judge(*overlap);
  }
  // When its first end, which was taken back, was told.
  static bool met_before(const Tenure& resumed, const Tenure& other) {
    return resumed.resumed_ns >= 0 && other.granted_ns < resumed.resumed_ns;
  }

  FindOverlap find_;
  Unsettled unsettled_;
};

}  // namespace holdfast
