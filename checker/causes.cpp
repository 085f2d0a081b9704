#include "checker/causes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "artifact/units.hpp"
#include "checker/effect.hpp"

namespace holdfast {
namespace {

// A packet that a cut has kept is sent again some time after the heal: TCP waits for as long as it had waited before.
constexpr std::int64_t kOnItsWay_ns = 5 * kSecond_ns;

// Refused by an error of its last statement, when one before had found or changed something.
bool refused_at_last(const Event& event) {
  const auto& all = event.statements;
  if (event.type != EventType::fail || all.size() < 2 || all.back().error == 0) return false;
  return std::any_of(all.begin(), all.end() - 1, [](const Statement& s) { return s.rows > 0; });
}

bool had_effect(const Event& event) {
  if (event.op == Op::acquire) return event.type == EventType::ok || refused_at_last(event);
  return took_effect(event) || changed_something(event);
}

}  // namespace

void Causes::event(const Event& event) {
  if (event.actor != Actor::client || event.type == EventType::invoke) return;
  if (event.op == Op::write || event.op == Op::leave) return;
  const bool unanswered = event.type == EventType::info && event.op != Op::acquire;
  if (!unanswered && !had_effect(event)) return;
  if (event.key >= keys_.size()) keys_.resize(event.key + 1);
  const Operation& operation = holds_.operation();
  const bool granted = event.op == Op::acquire && event.type == EventType::ok;
  const bool rightful = granted || (operation.hold != nullptr && operation.hold->valid_at(event.time_ns));
  const Hand hand{event.client, operation.invoked_ns, event.time_ns, rightful};
  Key& key = keys_[event.key];
  unanswered ? key.unanswered.add(hand) : key.answered.add(hand);
}

std::vector<Involved> Causes::involved_in(const Incident& incident) const {
  std::vector<Involved> parties;
  for (const std::uint32_t client : incident.clients) parties.push_back({client, incident.from_ns});
  if (incident.key >= keys_.size()) return parties;
  const Key& key = keys_[incident.key];
  for (const Hand& hand : key.answered.hands) {
    const bool meanwhile = hand.answered_ns > incident.from_ns && hand.invoked_ns < incident.to_ns;
    const bool before = hand.rightful && hand.invoked_ns < incident.since_ns;
    if (meanwhile && !before) parties.push_back({hand.client, std::min(hand.invoked_ns, incident.from_ns)});
  }
  for (const Hand& hand : key.unanswered.hands) {
    if (hand.answered_ns < 0 || hand.invoked_ns >= incident.to_ns) continue;
    parties.push_back({hand.client, std::max(hand.invoked_ns, incident.from_ns - kOnItsWay_ns)});
  }
  return parties;
}

const FaultRecord* Causes::suspected(const Incident& incident) const {
  return faults_.all().empty() ? nullptr : faults_.cause_between(involved_in(incident), incident.to_ns);
}

std::string Causes::words(const FaultRecord* fault, const Story& story) {
  if (fault == nullptr) return "";
  std::string whom = fault->clients.empty() ? "the server" : fault->clients.size() == 1 ? "client" : "clients";
  for (const std::uint32_t client : fault->clients) {
    whom += fmt::format("{} {}", client == fault->clients.front() ? "" : ",", client);
  }
  return fmt::format(" Suspected: the fault {}, which struck {} at {} (#{}).", fault->name, whom,
                     story.at(fault->begin_ns), fault->index);
}

}  // namespace holdfast
