#include "checker/overlap.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "artifact/property_words.hpp"
#include "checker/renewal_kinds.hpp"

namespace holdfast {
namespace {

bool granted_before(const Hold& a, const Hold& b) {
  return a.granted_ns != b.granted_ns ? a.granted_ns < b.granted_ns : a.grant_index < b.grant_index;
}

Overlap pair_up(const Hold& a, const Hold& b) {
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
void each_validity(const Hold& hold, const Visit& visit) {
  for (const Window& window : hold.lapsed) visit(window);
  visit(hold.valid);
}

// Validity for the naming of a violation: the lease of a scheduler's job began at an unknown time before its start was
// reported. If no fault struck the holder, the two times are close.
bool inside_lease(const Hold& hold, std::int64_t time_ns, const FaultLog& faults) {
  if (!hold.unasked) return hold.valid_at(time_ns);
  return time_ns < promised_to(hold.granted_ns, hold.lease_ns) &&
         !faults.struck_between(hold.client, hold.sent_ns, time_ns);
}

std::int64_t validity_before(const Hold& hold, std::int64_t time_ns) {
  std::int64_t to_ns = hold.unasked ? promised_to(hold.granted_ns, hold.lease_ns) : hold.first_valid_to_ns;
  each_validity(hold, [&](const Window& w) { to_ns = w.to_ns <= time_ns ? std::max(to_ns, w.to_ns) : to_ns; });
  return to_ns;
}

// When it was over, at the latest: where its end is not known, when the next one was granted.
std::int64_t lapsed_by(const Hold& hold, std::int64_t time_ns, const Story& story) {
  const LeaseDoubts doubts = story.doubts(hold);
  if (doubts.renews_unseen) return time_ns;
  return doubts.waited ? std::min(time_ns, hold.last_first_to_ns()) : validity_before(hold, time_ns);
}

std::string measured(const Stalled& stalled, const Story& story) {
  if (stalled.longest == nullptr) return "";
  return fmt::format(" (measured from {} to {}: {})", story.at(stalled.longest->from_ns),
                     story.at(stalled.longest->to_ns), stalled.longest->detail);
}

OverlapKind kind_of(const char* name, const Hold& holder, std::int64_t at_ns) {
  OverlapKind kind;
  kind.name = name;
  kind.process = holder.process;
  kind.client = holder.client;
  kind.key = holder.key;
  kind.at_ns = at_ns;
  return kind;
}

// A client that renews unseen may have renewed until the other client came. If nothing kept it from that, and a client
// of the story had a wrong clock, that clock may have caused the overlap like one inside a lease; otherwise null.
const FaultRecord* wrong_clock(const Overlap& overlap, const Causes& causes, const Story& story) {
  const Hold& holder = *overlap.earlier;
  if (!story.doubts(holder).renews_unseen) return nullptr;
  if (causes.faults().hindered_between(holder.client, holder.sent_ns, overlap.from_ns)) return nullptr;
  const FaultRecord* const last = suspected(overlap, causes);
  return last != nullptr && last->only_clocks() ? last : nullptr;
}

// Time since which a holder whose lease was over ran beside another without notice, for longer than its lock may take;
// -1: unknown. It ran: no fault had stopped it, and no stall is long enough. A wrong clock may have misled it.
std::int64_t unnoticed_since(const Overlap& overlap, const OverlapKind& kind, const FaultLog& faults,
                             const Evidence& evidence, std::int64_t lapsed_ns) {
  const Hold& holder = *overlap.earlier;
  if (!evidence.tells_loss || kind.unmeasured || holder.another_ns < 0) return -1;
  const std::int64_t since_ns = std::max(holder.another_ns, lapsed_ns);
  const std::int64_t believed_to_ns = holder.believed() ? overlap.to_ns : holder.ended_ns;
  const std::int64_t until_ns = holder.called_ns < 0 ? believed_to_ns : std::min(believed_to_ns, holder.called_ns);
  const bool clocks = std::any_of(faults.all().begin(), faults.all().end(), [&](const FaultRecord& fault) {
    return fault.only_clocks() && fault.strikes(holder.client) && fault.end_ns >= holder.sent_ns;
  });
  if (clocks || faults.stopped_ns(holder.client, since_ns, until_ns) > 0) return -1;
  const std::int64_t waited_ns = faults.stalled_between(holder.client, since_ns, until_ns).waited_ns;
  return until_ns - since_ns - waited_ns > evidence.told_within_ns ? since_ns : -1;
}

// True if a lock that renews by itself stopped of its own accord: no fault has acted since its holder asked.
bool renewals_ended(const Overlap& overlap, const OverlapKind& kind, const FaultLog& faults, const Story& story) {
  const Hold& holder = *overlap.earlier;
  return story.doubts(holder).renews_unseen && !kind.unmeasured && !faults.acted_since(holder.sent_ns);
}

// Judges a holder that believes beyond its lease: if the machine kept it from its processor for as long as it overran,
// its behaviour is undecided; otherwise it overran by itself, or through a fault. If a fault struck the holder, only
// measured waits count, not those that may have gone unmeasured.
OverlapKind overrun(const Overlap& overlap, const Causes& causes, const Story& story, const Evidence& evidence) {
  const FaultLog& faults = causes.faults();
  const Hold& holder = *overlap.earlier;
  OverlapKind kind = kind_of("overrun", holder, overlap.from_ns);
  if (evidence.foreign) return kind;
  const FaultRecord* const clock = wrong_clock(overlap, causes, story);
  kind.struck = faults.struck_between(holder.client, holder.sent_ns, overlap.from_ns);
  const std::int64_t until_ns = holder.believed() ? overlap.to_ns : holder.ended_ns;
  const std::int64_t lapsed_ns = lapsed_by(holder, overlap.from_ns, story);
  kind.beyond_ns = until_ns - lapsed_ns;
  kind.stalled = faults.stalled_between(holder.client, holder.sent_ns, until_ns);
  kind.unmeasured = evidence.stall_bound_ns == 0;
  const bool stalled = kind.unmeasured || kind.stalled.waited_ns + evidence.stall_bound_ns > kind.beyond_ns;
  kind.undecided = stalled && (!kind.struck || kind.stalled.waited_ns > 0);
  if (clock != nullptr && !stalled) {
    kind.name = clock->cause;
    kind.suspected = clock;
  } else if (!kind.undecided) {
    kind.unnoticed_ns = unnoticed_since(overlap, kind, faults, evidence, lapsed_ns);
    if (renewals_ended(overlap, kind, faults, story)) {
      kind.name = kinds::kRenewalsEnded.name;
    } else if (kind.unnoticed_ns >= 0) {
      kind.name = kinds::kLossUnnoticed.name;
    }
  }
  return kind;
}

// Finds a waiter whose lease, counted from its request, was over when it was granted, though no fault delayed the
// answer: either its lock counts leases that way, and the grant was void, or its lease began with its turn. That was
// not before the last holder let go, so for a lease from there no other client can rightly be granted the lock.
bool waited_out(const Hold& hold, std::int64_t time_ns, const FaultLog& faults) {
  const bool waited = !hold.unasked && hold.turn_from_ns > hold.sent_ns && hold.late();
  return waited && time_ns < promised_to(hold.turn_from_ns, hold.lease_ns) &&
         !faults.struck_between(hold.client, hold.sent_ns, hold.granted_ns);
}

// Granted, though a fault had lost the acquire's request or its reply, or the server refused all writes from before it
// was sent until after it was answered: no answer of the server can have granted it. A library that asks again by
// itself has its answer from another request, and excludes as before.
bool believed_unanswered(const Hold& hold, const FaultLog& faults) {
  return std::any_of(faults.all().begin(), faults.all().end(), [&hold](const FaultRecord& fault) {
    if (fault.name == "server_read_only") return fault.begin_ns <= hold.sent_ns && fault.end_ns >= hold.granted_ns;
    const bool lost = fault.name == "reply_lost" || fault.name == "request_lost";
    return lost && fault.strikes(hold.client) && fault.begin_ns >= hold.sent_ns && fault.begin_ns <= hold.granted_ns;
  });
}

// The later one asked when a renewal of the earlier had been answered ok: had the renewal kept the lock, it would have
// been refused. A scheduler's job is not asked for.
bool renewed_in_vain(const Overlap& overlap) {
  const Hold& earlier = *overlap.earlier;
  const Hold& later = *overlap.later;
  return earlier.renewed_ns >= 0 && !later.unasked && later.sent_ns >= earlier.renewed_ns;
}

// Judges a grant that was over when it arrived; for a waiter that is certain only if its turn is known. Otherwise it is
// a holder that acted on after the end of its promise, and no more is known.
OverlapKind late_grant(const Hold& late, std::int64_t overlap_ns, const FaultLog& faults, const Evidence& evidence) {
  const bool known = late.surely_late() || late.unasked;
  const char* const name = waited_out(late, overlap_ns, faults) ? kinds::kWaitedOut.name
                           : known                              ? "late_grant"
                                                                : "overrun";
  OverlapKind kind = kind_of(name, late, late.granted_ns);
  kind.late = true;
  kind.struck = faults.struck_between(late.client, late.sent_ns, late.granted_ns);
  kind.beyond_ns = late.granted_ns - late.first_valid_to_ns;
  kind.stalled = faults.stalled_between(late.client, late.sent_ns, late.granted_ns);
  kind.undecided = kind.stalled.waited_ns > 0 && kind.stalled.waited_ns + evidence.stall_bound_ns > kind.beyond_ns;
  return kind;
}

// True if the whole lease of a client that waited can lie before the promise of the other.
bool may_have_come_first(const Hold& waited, const Hold& other) {
  return waited.first_valid_to_ns <= std::max(other.granted_ns, other.valid.from_ns);
}

bool same(const Hold& a, const Hold& b) {
  return a.process == b.process && a.grant_index == b.grant_index;
}

}  // namespace

std::optional<Overlap> belief_overlap(const Hold& a, const Hold& b, std::int64_t now_ns) {
  Overlap overlap = pair_up(a, b);
  overlap.from_ns = overlap.later->granted_ns;
  const std::int64_t to_ns = std::min(a.ended_ns, b.ended_ns);
  if (overlap.from_ns >= to_ns) return std::nullopt;
  overlap.to_ns = std::max(overlap.from_ns, std::min(to_ns, now_ns));
  overlap.total_ns = overlap.to_ns - overlap.from_ns;
  return overlap;
}

std::optional<Overlap> lease_overlap(const Hold& a, const Hold& b, std::int64_t now_ns) {
  const auto belief = belief_overlap(a, b, now_ns);
  if (!belief) return std::nullopt;
  const Window both{belief->from_ns, std::min(a.ended_ns, b.ended_ns)};
  const bool lapsed = std::min(a.valid.to_ns, b.valid.to_ns) <= both.from_ns;
  if (lapsed && a.lapsed.empty() && b.lapsed.empty()) return std::nullopt;
  Overlap overlap = pair_up(a, b);
  bool any = false;
  each_validity(a, [&](const Window& wa) {
    each_validity(b, [&](const Window& wb) { any = add_piece(overlap, wa, wb, both, now_ns, any) || any; });
  });
  if (!any) return std::nullopt;
  return overlap;
}

const FaultRecord* suspected(const Overlap& overlap, const Causes& causes) {
  const Hold& earlier = *overlap.earlier;
  return causes.suspected(
      {earlier.key, {earlier.client, overlap.later->client}, earlier.sent_ns, earlier.granted_ns, overlap.from_ns});
}

OverlapKind promised_kind(const Overlap& overlap, const Causes& causes) {
  OverlapKind kind;
  kind.suspected = suspected(overlap, causes);
  for (const Hold* hold : {overlap.earlier, overlap.later}) {
    if (believed_unanswered(*hold, causes.faults())) kind.name = kinds::kBelievedUnanswered.name;
  }
  if (!kind.name.empty()) return kind;
  const bool nothing = overlap.later->found_nothing;
  kind.name = kind.suspected != nullptr  ? kind.suspected->cause
              : nothing                  ? kinds::kLockedNothing.name
              : renewed_in_vain(overlap) ? kinds::kRenewedInVain.name
                                         : kinds::kAlgorithm.name;
  return kind;
}

// When the earlier grant was late itself, its belief was wrong from the first moment: that, not holding on, is the
// reason.
OverlapKind overlap_kind(const Overlap& overlap, const Causes& causes, const Story& story, const Evidence& evidence) {
  const FaultLog& faults = causes.faults();
  const Hold& earlier = *overlap.earlier;
  if (!inside_lease(earlier, overlap.from_ns, faults)) {
    const bool never_valid = earlier.surely_late() && earlier.valid.to_ns == earlier.first_valid_to_ns;
    const bool late = never_valid || waited_out(earlier, overlap.from_ns, faults);
    if (late) return late_grant(earlier, overlap.from_ns, faults, evidence);
    return overrun(overlap, causes, story, evidence);
  }
  const Hold& later = *overlap.later;
  const bool told_late = later.unasked && faults.struck_between(later.client, later.sent_ns, later.granted_ns);
  const bool came_late = later.late() && (later.surely_late() || may_have_come_first(later, earlier) ||
                                          waited_out(later, overlap.from_ns, faults));
  if ((told_late || came_late) && !later.valid_at(overlap.from_ns)) {
    return late_grant(later, overlap.from_ns, faults, evidence);
  }
  return promised_kind(overlap, causes);
}

std::string why_undecided(const OverlapKind& kind, const Story& story) {
  const std::string who = story.who(kind.process, kind.client);
  const std::string seen = measured(kind.stalled, story);
  const char* const fault = kind.struck ? "a planned fault had also struck it" : "no planned fault had struck it";
  if (kind.late) {
    return fmt::format(
        "machine stalled {}: a grant reached {} at {}, after its own lease, counted from its request, had expired; "
        "{}{}",
        story.lasting(kind.stalled.waited_ns), who, story.at(kind.at_ns), fault, seen);
  }
  const bool nobody_knows = kind.unmeasured && kind.stalled.longest == nullptr;
  return fmt::format("{} {}: {} still acted as holder of {} at {}, after its lease had expired; {}{}",
                     nobody_knows ? "the machine may have stalled" : "machine stalled",
                     story.lasting(kind.stalled.longest ? kind.stalled.waited_ns : kind.beyond_ns), who,
                     story.key(kind.key), story.at(kind.at_ns), fault, seen);
}

// Names the writes of the holder with the smaller token that the resource refused. A holder inside its lease is never a
// late writer, whatever its token.
std::string OverlapFindings::refused_writes(const Overlap& overlap) const {
  const Story& story = context_.story;
  const auto of_past = [&](const Hold& hold) { return !inside_lease(hold, overlap.from_ns, context_.faults); };
  const auto refused = [&](const Hold& hold, const Hold& newer) -> std::string {
    const bool older = hold.token && newer.token && *hold.token < *newer.token;
    if (!older || hold.refused_writes == 0) return "";
    const bool one = hold.refused_writes == 1;
    const std::string what = of_past(hold) ? "late write" : "write";
    std::string text = one ? " The " + what : fmt::format(" {} {}s", hold.refused_writes, what);
    text += " of " + story.who(hold) + (one ? " was" : " were");
    text += " refused by the resource, which had seen the newer token";
    if (!of_past(hold) && of_past(newer)) text += " of " + story.who(newer) + ", whose lease had expired";
    return text + ".";
  };
  if (!context_.header.fenced_resource) return "";
  return refused(*overlap.earlier, *overlap.later) + refused(*overlap.later, *overlap.earlier);
}

// Says how late the holder noticed. The witness of a hold that has not ended is written again when it ends.
std::string OverlapFindings::unnoticed(const Hold& holder, std::int64_t since_ns) const {
  const Story& story = context_.story;
  const std::int64_t until_ns = std::min(holder.ended_ns, context_.holds.now_ns());
  const std::string let_go =
      (holder.believed() ? "still acted as holder at " : "acted as holder until ") + story.at(until_ns);
  return fmt::format(
      " The program of {} was running, and its lock can report a loss to its holder, but it {}, {} after its lease had "
      "expired and another client had been granted {}.",
      story.who(holder), let_go, story.lasting(until_ns - since_ns), story.key(holder.key));
}

Witness OverlapFindings::write(const Overlap& overlap, const std::string& note, std::int64_t unnoticed_ns) const {
  const Hold& earlier = *overlap.earlier;
  const Hold& later = *overlap.later;
  const Story& story = context_.story;
  Witness witness;
  witness.key = context_.names.keys.at(earlier.key);
  for (const Hold* hold : {&earlier, &later}) {
    witness.clients.push_back(hold->client);
    add_indices(witness.indices, *hold);
  }
  witness.from_ns = overlap.from_ns;
  witness.to_ns = overlap.to_ns;
  witness.text = fmt::format("{} {} From {} to {} {}.", story.held(earlier), story.held(later),
                             story.at(overlap.from_ns), story.at(overlap.to_ns), what_);
  if (unnoticed_ns >= 0) witness.text += unnoticed(earlier, unnoticed_ns);
  witness.text += refused_writes(overlap) + note;
  return witness;
}

void OverlapFindings::complete(const Hold& hold) {
  for (std::size_t i = 0; i < open_.size();) {
    Open& open = open_[i];
    Hold* const half = same(open.earlier, hold) ? &open.earlier : same(open.later, hold) ? &open.later : nullptr;
    if (!half) {
      ++i;
      continue;
    }
    *half = hold;
    open.overlap.earlier = &open.earlier;
    open.overlap.later = &open.later;
    findings_.rewrite(open.witness, write(open.overlap, open.note, open.unnoticed_ns));
    open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

}  // namespace holdfast
