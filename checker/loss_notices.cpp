#include "checker/loss_notices.hpp"

#include <algorithm>

namespace holdfast {

void LossNotices::granted(const Hold& hold) {
  for (const Hold* former : context_.holds.believers(hold.key)) {
    if (former->process == hold.process) continue;
    const bool known = std::any_of(lost_.begin(), lost_.end(), [&](const LossNotice& one) {
      return one.former.process == former->process && one.former.key == former->key;
    });
    if (!known) lost_.push_back({*former, hold.process, hold.client, hold.granted_ns, hold.grant_index, 0, false});
  }
}

// A hold that its holder leaves: why, the event says, which comes next.
void LossNotices::ended(const Hold& hold) {
  if (hold.end == HoldEnd::leave) {
    left_ = hold;
  } else if (hold.end == HoldEnd::killed) {
    taken(hold);
  } else {
    learnt(hold, hold.end == HoldEnd::not_held || hold.end == HoldEnd::deadline);
  }
}

void LossNotices::event(const Event& event) {
  if (!left_) return;
  const Hold hold = *std::move(left_);
  left_.reset();
  learnt(hold, event.reason == Reason::not_held || event.reason == Reason::deadline);
}

std::optional<LossNotice> LossNotices::taken(const Hold& hold) {
  const auto found = std::find_if(lost_.begin(), lost_.end(), [&](const LossNotice& one) {
    return one.former.process == hold.process && one.former.key == hold.key;
  });
  if (found == lost_.end()) return std::nullopt;
  LossNotice out = std::move(*found);
  lost_.erase(found);
  return out;
}

void LossNotices::learnt(const Hold& hold, bool told) {
  auto notice = taken(hold);
  if (!notice) {
    told_before_another_ += told ? 1 : 0;
    return;
  }
  notice->former = hold;
  notice->known_ns = std::min(hold.ended_ns, context_.holds.now_ns());
  notice->told = told;
  report_(*notice);
}

std::int64_t stopped_ns(const FaultLog& faults, std::uint32_t client, std::int64_t from_ns, std::int64_t to_ns) {
  std::int64_t stopped = 0;
  std::int64_t counted_to_ns = from_ns;  // faults stand in the order in which they began
  for (const FaultRecord& fault : faults.all()) {
    if (!fault.stops || !fault.strikes(client)) continue;
    const std::int64_t begin_ns = std::max(fault.begin_ns, counted_to_ns);
    const std::int64_t end_ns = std::min(fault.end_ns, to_ns);
    if (end_ns <= begin_ns) continue;
    stopped += end_ns - begin_ns;
    counted_to_ns = end_ns;
  }
  return stopped;
}

}  // namespace holdfast
