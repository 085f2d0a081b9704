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

}  // namespace holdfast
