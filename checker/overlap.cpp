#include "checker/overlap.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace holdfast {
namespace {

bool granted_before(const Tenure& a, const Tenure& b) {
  return a.granted_ns != b.granted_ns ? a.granted_ns < b.granted_ns : a.grant_index < b.grant_index;
}

Overlap pair_up(const Tenure& a, const Tenure& b) {
  return granted_before(a, b) ? Overlap{&a, &b, 0, 0, 0} : Overlap{&b, &a, 0, 0, 0};
}

// Adds what the two validities share within the belief of both; false when that is nothing.
bool add_piece(Overlap& overlap, const Window& a, const Window& b, const Window& belief, std::int64_t now_ns,
               bool any) {
  const std::int64_t from_ns = std::max({a.from_ns, b.from_ns, belief.from_ns});
  const std::int64_t to_ns = std::min({a.to_ns, b.to_ns, belief.to_ns});
  if (from_ns >= to_ns) return false;
  const std::int64_t seen_to_ns = std::max(from_ns, std::min(to_ns, now_ns));
  if (!any || from_ns < overlap.from_ns) {
    overlap.from_ns = from_ns;
    overlap.to_ns = seen_to_ns;
  }
  overlap.total_ns += seen_to_ns - from_ns;
  return true;
}

template <typename Visit>
void each_validity(const Tenure& tenure, const Visit& visit) {
  for (const Window& window : tenure.lapsed) visit(window);
  visit(tenure.valid);
}

std::int64_t validity_before(const Tenure& tenure, std::int64_t time_ns) {
  std::int64_t to_ns = tenure.first_valid_to_ns;
  each_validity(tenure, [&](const Window& w) { to_ns = w.to_ns <= time_ns ? std::max(to_ns, w.to_ns) : to_ns; });
  return to_ns;
}

OverlapKind overrun(const Overlap& overlap, const FaultLog& faults, const Story& story, bool bare) {
  const Tenure& holder = *overlap.earlier;
  OverlapKind kind{"overrun", false, ""};
  if (bare || faults.struck_between(holder.client, holder.sent_ns, overlap.from_ns)) return kind;
  kind.undecided = true;
  const std::int64_t beyond_ns = overlap.from_ns - validity_before(holder, overlap.from_ns);
  kind.reason = fmt::format(
      "machine stalled {}: {} still believed that it held {} at {}, after its lease, and no planned fault had struck "
      "it",
      story.lasting(beyond_ns), story.who(holder), story.key(holder.key), story.at(overlap.from_ns));
  if (const Stall* stall = faults.stall_between(holder.sent_ns, overlap.from_ns)) {
    kind.reason += fmt::format(" (measured at {}: {})", story.at(stall->time_ns), stall->detail);
  }
  return kind;
}

OverlapKind late_grant(const Tenure& late, const FaultLog& faults, const Story& story, bool bare) {
  OverlapKind kind{"late_grant", false, ""};
  if (bare || faults.struck_between(late.client, late.sent_ns, late.granted_ns)) return kind;
  if (const Stall* stall = faults.stall_between(late.sent_ns, late.granted_ns)) {
    kind.undecided = true;
    kind.reason = fmt::format(
        "machine stalled: a grant reached {} at {}, after its own lease, and no planned fault had struck it (measured "
        "at {}: {})",
        story.who(late), story.at(late.granted_ns), story.at(stall->time_ns), stall->detail);
  }
  return kind;
}

}  // namespace

std::optional<Overlap> belief_overlap(const Tenure& a, const Tenure& b, std::int64_t now_ns) {
  Overlap overlap = pair_up(a, b);
  overlap.from_ns = overlap.later->granted_ns;
  const std::int64_t to_ns = std::min(a.ended_ns, b.ended_ns);
  if (overlap.from_ns >= to_ns) return std::nullopt;
  overlap.to_ns = std::max(overlap.from_ns, std::min(to_ns, now_ns));
  overlap.total_ns = overlap.to_ns - overlap.from_ns;
  return overlap;
}

std::optional<Overlap> lease_overlap(const Tenure& a, const Tenure& b, std::int64_t now_ns) {
  const auto belief = belief_overlap(a, b, now_ns);
  if (!belief) return std::nullopt;
  const Window both{belief->from_ns, std::min(a.ended_ns, b.ended_ns)};
  Overlap overlap = pair_up(a, b);
  bool any = false;
  each_validity(a, [&](const Window& wa) {
    each_validity(b, [&](const Window& wb) { any = add_piece(overlap, wa, wb, both, now_ns, any) || any; });
  });
  if (!any) return std::nullopt;
  return overlap;
}

// When the earlier grant was late itself, its belief was wrong from the first moment: that, not holding on, is the
// reason.
OverlapKind overlap_kind(const Overlap& overlap, const FaultLog& faults, const Story& story, bool bare) {
  const Tenure& earlier = *overlap.earlier;
  if (!earlier.valid_at(overlap.from_ns)) {
    const bool never_valid = earlier.late() && earlier.valid.to_ns == earlier.first_valid_to_ns;
    return never_valid ? late_grant(earlier, faults, story, bare) : overrun(overlap, faults, story, bare);
  }
  if (overlap.later->late() && !overlap.later->valid_at(overlap.from_ns))
    return late_grant(*overlap.later, faults, story, bare);
  if (const FaultRecord* fault = faults.cause_between(earlier.sent_ns, overlap.from_ns))
    return {fault->cause, false, ""};
  return {"algorithm", false, ""};
}

}  // namespace holdfast
