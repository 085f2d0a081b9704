#include "checker/unsettled.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "artifact/server_errors.hpp"

namespace holdfast {

void Unsettled::event(const Event& event, const Holds& holds) {
  const bool ends = event.type != EventType::invoke && event.actor == Actor::client;
  if (!ends || (event.op != Op::release && event.op != Op::renew)) return;
  if (event.op == Op::renew && event.type != EventType::info) return;
  if (event.key >= keys_.size()) keys_.resize(event.key + 1);
  const Operation& operation = holds.operation();
  const std::int64_t error = event.statements.empty() ? 0 : event.statements.back().error;
  Last& last = keys_[event.key];
  last.sent[last.count++ % last.sent.size()] = {
      event.op, event.type, event.process, event.client, operation.invoked_ns, operation.index, error};
}

template <typename Wanted>
const Unsettled::Sent* Unsettled::last(std::uint32_t key, std::int64_t before_ns, const Wanted& wanted) const {
  if (key >= keys_.size()) return nullptr;
  const Last& all = keys_[key];
  const std::size_t kept = std::min(all.count, all.sent.size());
  for (std::size_t back = 1; back <= kept; ++back) {
    const Sent& sent = all.sent[(all.count - back) % all.sent.size()];
    if (sent.sent_ns < before_ns && wanted(sent)) return &sent;
  }
  return nullptr;
}

std::string Unsettled::name(const Sent& sent, const Story& story) {
  return fmt::format("{} by {}, sent at {},", noun_of(sent.op), story.who(sent.process, sent.client),
                     story.at(sent.sent_ns, sent.index));
}

std::string Unsettled::unanswered(std::uint32_t key, std::int64_t before_ns, const Story& story) const {
  const Sent* sent = last(key, before_ns, [](const Sent& one) { return one.type == EventType::info; });
  if (sent == nullptr) return "";
  return " Before that, a " + name(*sent, story) + " had no answer: it may have taken effect late.";
}

const Unsettled::Sent* Unsettled::release_in_vain(std::uint32_t key, std::int64_t before_ns) const {
  const Sent* sent = last(key, before_ns, [](const Sent& one) { return one.op == Op::release; });
  return sent == nullptr || sent->type == EventType::ok ? nullptr : sent;
}

std::optional<std::uint32_t> Unsettled::last_releaser(std::uint32_t key, std::int64_t before_ns) const {
  const Sent* sent = release_in_vain(key, before_ns);
  return sent == nullptr ? std::nullopt : std::optional(sent->client);
}

std::string Unsettled::last_release(std::uint32_t key, std::int64_t before_ns, const Story& story) const {
  const Sent* sent = release_in_vain(key, before_ns);
  if (sent == nullptr) return "";
  const std::string error = sent->error == 0 ? "" : " (" + server_error_text(sent->error) + ")";
  return " The last " + name(*sent, story) + (sent->type == EventType::info ? " had no answer" : " failed") + error +
         ".";
}

}  // namespace holdfast
