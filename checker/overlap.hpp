// Two holds of one key at the same time, and what made that possible.
//
//   if (const auto overlap = lease_overlap(a, b, now_ns)) kind = overlap_kind(*overlap, causes, ...).name;
//
// Exact because every span lies inside the true one: a belief begins when the answer was *seen* and ends when the
// release was *called*, a validity begins when the request was *sent*. So two spans that overlap for a positive time
// are never a false alarm, whenever the server really acted. Spans are half open and equal time stamps are concurrent,
// not ordered: spans that only touch overlap nothing.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "checker/causes.hpp"
#include "checker/findings.hpp"
#include "checker/hold.hpp"
#include "checker/property.hpp"
#include "checker/story.hpp"
#include "checker/unsettled.hpp"

namespace holdfast {

struct Overlap {
  const Hold* earlier = nullptr;  // by the return of the grant
  const Hold* later = nullptr;
  std::int64_t from_ns = 0;
  std::int64_t to_ns = 0;     // end of its first piece; at most now
  std::int64_t total_ns = 0;  // sum of all its pieces
};

// The overlap of [granted, ended) of both. `now_ns` stands in for the end of holds that go on.
std::optional<Overlap> belief_overlap(const Hold& a, const Hold& b, std::int64_t now_ns);

// The same, cut with the validity of both.
std::optional<Overlap> lease_overlap(const Hold& a, const Hold& b, std::int64_t now_ns);

struct OverlapKind {
  std::string name;                        // overrun, loss_unnoticed, late_grant, a fault's cause, or algorithm
  const FaultRecord* suspected = nullptr;  // the fault that gives the kind
  std::int64_t unnoticed_ns = -1;          // since when its program ran beside another without notice; -1: not so

  // The machine may have stalled for as long as it lasted; the fields below give the client and the stall.
  bool undecided = false;
  bool struck = false;      // a planned fault struck it
  bool late = false;        // a grant reached it late; else it overran its lease
  bool unmeasured = false;  // stalls were not measured
  std::uint32_t process = 0;
  std::uint32_t client = 0;
  std::uint32_t key = 0;
  std::int64_t at_ns = 0;      // when it believed nevertheless
  std::int64_t beyond_ns = 0;  // for how long
  Stalled stalled;
};

// Facts of the history about the machine.
struct Evidence {
  explicit Evidence(const HistoryHeader& header)
      : foreign(header.foreign),
        tells_loss(header.tells_loss),
        stall_bound_ns(header.stall_bound_ns),
        told_within_ns(std::max(header.stall_bound_ns, header.loss_notice_ns)) {}
  bool foreign;                 // nothing: neither faults nor stalls were recorded
  bool tells_loss;              // the lock can notify a holder that it has lost it
  std::int64_t stall_bound_ns;  // upper bound of unreported stalls; 0: stalls were not measured
  std::int64_t told_within_ns;  // after another's grant; what the lock promises, or what may go untold of a stall
};

// The fault that may be behind an overlap of two valid claims; null: none struck a party of it.
const FaultRecord* suspected(const Overlap& overlap, const Causes& causes);

// The same of an overlap of two leases that both went on.
OverlapKind promised_kind(const Overlap& overlap, const Causes& causes);
OverlapKind overlap_kind(const Overlap& overlap, const Causes& causes, const Story& story, const Evidence& evidence);
std::string why_undecided(const OverlapKind& kind, const Story& story);

// Overlaps as findings. An overlap is known when the first of its two holds ends, its witness only when the other has
// ended too: witnesses show whole holds. So the kept ones stay open until then; there are only a few.
class OverlapFindings {
 public:
  // `what` ends the witness: "From 1.000 s to 2.000 s both acted as holder."
  OverlapFindings(const PropertyContext& context, const char* what) : context_(context), what_(what) {}

  // To be called for every hold that ends, before its overlaps are added.
  void ended(const Hold& hold) {
    if (!open_.empty()) complete(hold);
  }
  // `behind()`: what may be behind it, in words that end the witness; asked only where that will be kept.
  template <typename Behind>
  void add(const OverlapKind& kind, const Overlap& overlap, const Behind& behind) {
    std::string note;
    const auto kept = findings_.add(kind.name, overlap.total_ns, [&] {
      note = behind();
      return write(overlap, note, kind.unnoticed_ns);
    });
    if (kept) open_.push_back({*kept, overlap, *overlap.earlier, *overlap.later, note, kind.unnoticed_ns});
  }
  template <typename Reason>
  void undecided(const Reason& reason) {
    findings_.undecided(reason);
  }

  bool violated() const { return findings_.violated(); }
  PropertyVerdict verdict() const { return findings_.verdict(); }

 private:
  struct Open {
    std::size_t witness = 0;
    Overlap overlap;
    Hold earlier;
    Hold later;
    std::string note;
    std::int64_t unnoticed_ns = -1;
  };
  void complete(const Hold& hold);
  std::string refused_writes(const Overlap& overlap) const;
  std::string unnoticed(const Hold& holder, std::int64_t since_ns) const;
  Witness write(const Overlap& overlap, const std::string& note, std::int64_t unnoticed_ns) const;

  PropertyContext context_;
  const char* what_;
  Findings findings_;
  std::vector<Open> open_;
};

// The common part of the two exclusions: each pair of holds that are believed at the same time is met once, when the
// first of the two ends; overlaps among them become findings, and the coverage shows how much a `holds` is worth.
//
//   class MutualExclusion : public HoldOverlaps {
//     MutualExclusion(const PropertyContext& c) : HoldOverlaps(c, "both acted as holder", belief_overlap) {}
//     void judge(const Overlap& overlap) override { found({.name = "overrun"}, overlap); }
//   };
//
// Where thousands believe at once, pairs are too many to look at each. After ten million, a hold that ends is
// compared with others until a hundred overlaps are found; with a hundred only, once a violation is known. So what
// would hold is still compared with all, and `pairs_not_looked_at` in the coverage says how many the count lacks.
//
// What it does not do: it does not say what an overlap is nor what made it possible; that is what they differ in.
class HoldOverlaps : public Property {
 public:
  using FindOverlap = std::optional<Overlap> (*)(const Hold& a, const Hold& b, std::int64_t now_ns);
  HoldOverlaps(const PropertyContext& context, const char* what, FindOverlap find)
      : context_(context), findings_(context, what), find_(find) {}

  EventFilter events_wanted() const override { return EventFilter::none().with(EventType::info).with_ended(); }
  void event(const Event& event) override { unsettled_.event(event, context_.holds); }
  void ended(const Hold& hold) override {
    findings_.ended(hold);
    const auto& others = context_.holds.believers(hold.key);
    if (others.empty()) return;
    meet_all(hold, others.size(), [&](std::size_t i) -> const Hold& { return *others[i]; });
  }
  void resumed(const Hold& hold, const std::vector<Hold>& meanwhile) override {
    meet_all(hold, meanwhile.size(), [&](std::size_t i) -> const Hold& { return meanwhile[i]; });
  }
  bool violated() const override { return findings_.violated(); }
  bool violated_by_open_holds(std::uint32_t key) const override {
    const auto holds = context_.holds.believers(key);
    return std::any_of(holds.begin(), holds.end(), [&](const Hold* other) {
      if (other == holds.back()) return false;
      const auto overlap = meet(*holds.back(), *other);
      return overlap && overlap->from_ns < overlap->to_ns && is_certain(*overlap);
    });
  }
  PropertyVerdict finish() override {
    PropertyVerdict verdict = findings_.verdict();
    context_.coverage.judge(verdict);
    if (passed_over_ > 0) verdict.coverage["pairs_not_looked_at"] = passed_over_;
    return verdict;
  }

 protected:
  // A possible cause of an overlap is named only if nothing else explains it, as a suspicion.
  void found(const OverlapKind& kind, const Overlap& overlap) {
    findings_.add(kind, overlap, [&] {
      const bool unexplained = kind.suspected != nullptr || kind.name == "algorithm";
      const Story& story = context_.story;
      const std::string late = unsettled_.unanswered(overlap.earlier->key, overlap.from_ns, story);
      return unexplained ? late + story.suspicion(kind.suspected) : "";
    });
  }

  PropertyContext context_;
  OverlapFindings findings_;

 private:
  virtual void judge(const Overlap& overlap) = 0;
  // True if judge() will find a violation in this overlap, whatever follows. Neither hold has ended.
  virtual bool is_certain(const Overlap& overlap) const = 0;

  static constexpr std::int64_t kEach = 10'000'000;
  static constexpr std::size_t kThen = 100;  // per hold

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
    if (both_shared(hold, other) || met_before(hold, other) || met_before(other, hold)) return std::nullopt;
    return find_(hold, other, context_.holds.now_ns());
  }
  // True if they met when its first end, which was taken back, was reported.
  static bool met_before(const Hold& resumed, const Hold& other) {
    return resumed.resumed_ns >= 0 && other.granted_ns < resumed.resumed_ns;
  }

  FindOverlap find_;
  Unsettled unsettled_;
  std::int64_t looked_at_ = 0;
  std::int64_t passed_over_ = 0;
};

}  // namespace holdfast
