// mutual_exclusion: at no time do two clients act as holder of one key.
//
// Rule: a belief is [return of acquire, its end); violated when two beliefs of a key by different processes overlap for
// a positive time. Kinds, by the circumstance that made it possible: `overrun` (the earlier holder's lease had lapsed:
// inherent in every lease without fencing), `loss_unnoticed` (the same, but its program ran, and its lock can report a
// loss: it did not in time), `late_grant` (a grant arrived after its own lease), `waited_out` (without a fault, because
// it had waited for so long: no client's doing), the cause of a fault that struck a party between the earlier grant's
// send and the overlap (a suspicion: causes.hpp), `believed_unanswered`, `locked_nothing` or `algorithm`. If the lock
// renews unseen and only a wrong clock struck the earlier holder, its lease may have gone on: then a client's wrong
// clock is suspected, too, and no overrun is reported.
//
// Exact: both spans lie inside the true ones (overlap.hpp), and each pair is met once, when the first of the two ends.
// Not decided: an overrun or a late grant that the measured stalls could explain entirely, whatever fault had struck
// the holder, and an overrun without a planned fault if stalls were not measured. If they were measured and do not
// explain it, the holder overran by itself: a violation. In a bare history neither is known, and it is a violation too.
#include "checker/properties/mutual_exclusion.hpp"
#include "checker/overlap.hpp"

namespace holdfast {
namespace {

class MutualExclusion : public HoldOverlaps {
 public:
  explicit MutualExclusion(const PropertyContext& context)
      : HoldOverlaps(context, "both acted as holder", belief_overlap) {}

 private:
  void judge(const Overlap& overlap) override {
    const OverlapKind kind = overlap_kind(overlap, context_.causes, context_.story, Evidence(context_.header));
    if (kind.undecided) {
      findings_.undecided([&] { return why_undecided(kind, context_.story); });
      return;
    }
    found(kind, overlap);
  }
  // A stall that explains a late grant may still be reported.
  bool is_certain(const Overlap& overlap) const override {
    const OverlapKind kind = overlap_kind(overlap, context_.causes, context_.story, Evidence(context_.header));
    return !kind.undecided && !kind.late;
  }
};

}  // namespace

extern const PropertyType property_mutual_exclusion{
    .words = &words_mutual_exclusion,
    .models = "owner reentrant fenced lease",
    .tells_only_under = "lease",
    .make = make_property<MutualExclusion>,
    .of_piece = [](PieceShows shows) { return shows == PieceShows::holders ? "algorithm" : nullptr; }};

}  // namespace holdfast
