// lease_exclusion: the lock promised the key to no two clients at the same time.
//
// Rule: violated when two holds of a key by different processes overlap while both are believed and both are inside
// the validity they were promised: from the send of the acquire, or of the last renewal that answered ok, for a lease.
// All in the host's time, whatever clock the lock used. A lock without a lease promises for ever. Kind: the cause of a
// fault that struck a party between the earlier grant's send and the overlap (a suspicion: causes.hpp), else
// `algorithm`, or what says more (overlap.hpp: `believed_unanswered`, `locked_nothing`).
//
// Exact: the spans are as in overlap.hpp. A promise starts at the *send*, so it ends no later than any server that
// counts a full lease from its receipt of the request; a correct lock can therefore never be accused, however slow the
// machine. A renewal counts only from its answer on, since it promised nothing before. Not decided: blame, and overlaps
// after a lapse; those are mutual_exclusion's.
#include "checker/properties/lease_exclusion.hpp"
#include "checker/overlap.hpp"

namespace holdfast {
namespace {

class LeaseExclusion : public HoldOverlaps {
 public:
  explicit LeaseExclusion(const PropertyContext& context)
      : HoldOverlaps(context, what(context.header), lease_overlap) {}

 private:
  // A foreign history is judged only under a model with leases; a run's lock may have none.
  static const char* what(const HistoryHeader& header) {
    const bool leased = header.foreign || header.lease_ns > 0;
    return leased ? "both held it within their leases" : "both held it by a valid grant";
  }
  void judge(const Overlap& overlap) override { found(promised_kind(overlap, context_.causes), overlap); }
  // The answer of an open renewal may shorten a lease.
  bool is_certain(const Overlap& overlap) const override {
    bool renews = false;
    context_.holds.each_open([&](std::uint32_t process, const Operation& operation) {
      const bool of_holder = process == overlap.earlier->process || process == overlap.later->process;
      renews = renews || (of_holder && operation.op == Op::renew && operation.key == overlap.earlier->key);
    });
    return !renews;
  }
};

}  // namespace

extern const PropertyType property_lease_exclusion{
    .words = &words_lease_exclusion, .models = "lease", .make = make_property<LeaseExclusion>};

}  // namespace holdfast
