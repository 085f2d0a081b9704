// What the two exclusions share: each pair of holds that are believed at the same time is met once, when the first of
// the two ends; overlaps among them become findings, and the coverage says what a `holds` is worth.
//
//   class MutualExclusion : public HoldOverlaps {
//     MutualExclusion(const PropertyContext& c) : HoldOverlaps(c, "both acted as holder", belief_overlap) {}
//     void judge(const Overlap& overlap) override { found("overrun", overlap); }
//   };
//
// Where thousands believe at once, pairs are too many to look at each. After ten million, a hold that ends is
// compared with others until a hundred overlaps are found; with a hundred only, once a violation is known. So what
// would hold is still compared with all, and `pairs_not_looked_at` in the coverage says how many the count lacks.
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
  using FindOverlap = std::optional<Overlap> (*)(const Hold& a, const Hold& b, std::int64_t now_ns);
  HoldOverlaps(const PropertyContext& context, const char* what, FindOverlap find)
      : context_(context), findings_(context, what), find_(find) {}

  Hears hears() const override { return Hears::indeterminate; }
  void event(const Event& event) override { unsettled_.event(event, context_.holds); }
  void ended(const Hold& hold) override {
    findings_.ended(hold);
    const auto& others = context_.holds.believers(hold.key);
    meet_all(hold, others.size(), [&](std::size_t i) -> const Hold& { return *others[i]; });
  }
  void resumed(const Hold& hold, const std::vector<Hold>& meanwhile) override {
    meet_all(hold, meanwhile.size(), [&](std::size_t i) -> const Hold& { return meanwhile[i]; });
  }
  bool violated() const override { return findings_.violated(); }
  PropertyVerdict finish() override {
    PropertyVerdict verdict = findings_.verdict();
    context_.coverage.judge(verdict);
    if (passed_over_ > 0) verdict.coverage["pairs_not_looked_at"] = passed_over_;
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

  static constexpr std::int64_t kEach = 10'000'000;
  static constexpr std::size_t kThen = 100;  // of one hold's

  template <typename Other>
  void meet_all(const Hold& hold, std::size_t others, const Other& other) {
    std::size_t judged = 0;
    for (std::size_t i = 0; i < others; ++i) {
      if (looked_at_ >= kEach && (judged >= kThen || (findings_.violated() && i >= kThen))) {
        passed_over_ += static_cast<std::int64_t>(others - i);
        return;
      }
      ++looked_at_;
      const auto overlap = meet(hold, other(i));
      if (!overlap) continue;
      ++judged;
      judge(*overlap);
    }
  }
  std::optional<Overlap> meet(const Hold& hold, const Hold& other) const {
    if (met_before(hold, other) || met_before(other, hold)) return std::nullopt;
    return find_(hold, other, context_.holds.now_ns());
  }
  // When its first end, which was taken back, was told.
  static bool met_before(const Hold& resumed, const Hold& other) {
    return resumed.resumed_ns >= 0 && other.granted_ns < resumed.resumed_ns;
  }

  FindOverlap find_;
  Unsettled unsettled_;
  std::int64_t looked_at_ = 0;
  std::int64_t passed_over_ = 0;
};

}  // namespace holdfast
