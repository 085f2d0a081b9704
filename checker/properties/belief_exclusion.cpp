// belief_exclusion: at no time do two clients act as holder of one key.
//
// Rule: a belief is [return of acquire, whatever ended it); violated when two beliefs of a key by different processes
// overlap for a positive time. Kinds, by what made it possible: `overrun` (the earlier holder's lease had lapsed:
// inherent in every lease without fencing), `late_grant` (a grant arrived after its own lease), the cause of a fault
// that acted between the earlier grant's send and the overlap, or `algorithm`.
//
// Exact: both spans lie inside the true ones (overlap.hpp), and each pair is met once, when the first of the two ends.
// Not decided: an overrun that no planned fault covers, where the stalls that were measured could explain all of it, or
// where nobody measured them. Where they were measured and cannot, the holder overran by itself: a violation. In a bare
// history nothing is known of either, and it is a violation too.
#include "checker/hold_exposure.hpp"
#include "checker/overlap.hpp"
#include "checker/overlap_findings.hpp"
#include "checker/property.hpp"

namespace holdfast {
namespace {

class BeliefExclusion : public Property {
 public:
  explicit BeliefExclusion(const PropertyContext& context)
      : context_(context), exposure_(context), findings_(context, "both acted as holder") {}

  void granted(const Tenure& tenure) override { exposure_.granted(tenure); }
  void event(const Event& event) override { exposure_.event(event); }
  bool violated() const override { return findings_.violated(); }

  void ended(const Tenure& tenure) override {
    exposure_.ended(tenure);
    findings_.ended(tenure);
    for (const Tenure* other : context_.tenures.believers(tenure.key)) {
      if (const auto overlap = belief_overlap(tenure, *other, context_.tenures.now_ns())) judge(*overlap);
    }
  }

  PropertyVerdict finish() override {
    PropertyVerdict verdict = findings_.verdict();
    exposure_.judge(verdict);
    return verdict;
  }

 private:
  void judge(const Overlap& overlap) {
    const OverlapKind kind = overlap_kind(overlap, context_.faults, context_.story, Evidence(context_.header));
    if (kind.undecided) {
      findings_.undecided(kind.reason);
      return;
    }
    findings_.add(kind.name, overlap);
  }

  PropertyContext context_;
  HoldExposure exposure_;
  OverlapFindings findings_;
};

}  // namespace

extern const PropertyType property_belief_exclusion{"at no time do two clients act as holder of one key",
                                                    "owner reentrant fenced lease", make_property<BeliefExclusion>};

}  // namespace holdfast
