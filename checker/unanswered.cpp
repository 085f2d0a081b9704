#include "checker/unanswered.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace holdfast {

void Unanswered::event(const Event& event, const Tenures& tenures) {
  if (event.type != EventType::info || event.actor != Actor::client) return;
  if (event.op != Op::release && event.op != Op::renew) return;
  if (event.key >= keys_.size()) keys_.resize(event.key + 1);
  const Operation& operation = tenures.operation(event);
  Last& last = keys_[event.key];
  last.sent[last.count++ % last.sent.size()] = {event.op, event.process, event.client, operation.invoked_ns,
                                                operation.index};
}

std::string Unanswered::words(std::uint32_t key, std::int64_t before_ns, const Story& story) const {
  if (key >= keys_.size()) return "";
  const Last& last = keys_[key];
  const std::size_t kept = std::min(last.count, last.sent.size());
  for (std::size_t back = 1; back <= kept; ++back) {
    const Sent& sent = last.sent[(last.count - back) % last.sent.size()];
    if (sent.sent_ns >= before_ns) continue;
    return fmt::format(" Before that, a {} of {}, sent at {} (#{}), had no answer: it may have taken effect late.",
                       to_text(sent.op), story.who(sent.process, sent.client), story.at(sent.sent_ns), sent.index);
  }
  return "";
}

}  // namespace holdfast
