#include "checker/permit_rule.hpp"

#include <algorithm>

namespace holdfast {

PermitLedger& PermitRule::ledger(std::uint32_t key) {
  while (key >= ledgers_.size()) {
    const auto number = static_cast<std::uint32_t>(ledgers_.size());
    ledgers_.emplace_back(permits_.capacity, [this, number](const PermitFault& fault) { found_(number, fault); });
  }
  return ledgers_[key];
}

PermitRule::Process& PermitRule::process(std::uint32_t number) {
  if (number >= processes_.size()) processes_.resize(number + 1);
  return processes_[number];
}

void PermitRule::allow_release(std::uint32_t number, std::uint32_t key) {
  Process& p = process(number);
  if (!may_release(p, key)) p.may_release.push_back(key);
}

bool PermitRule::may_release(const Process& p, std::uint32_t key) {
  return std::find(p.may_release.begin(), p.may_release.end(), key) != p.may_release.end();
}

void PermitRule::finish() {
  for (PermitLedger& each : ledgers_) each.finish();
}

void PermitRule::event(const Event& event, const Operation& operation) {
  if (event.actor != Actor::client) return;
  PermitLedger& held = ledger(event.key);
  held.move_on(event.time_ns);
  switch (event.op) {
    case Op::acquire:
      return acquire(held, event, operation);
    case Op::renew:
      return renewal_failed(held, event, operation);
    case Op::release:
      return event.type == EventType::invoke ? release_called(held, event) : release_answered(held, event);
    case Op::leave:
      // It may give back what the lock still counts as its own.
      if (held.last_of(event.process)) allow_release(event.process, event.key);
      return over(event.process, event.key, event.time_ns, event.index);
    case Op::write:
      return;
  }
}

void PermitRule::acquire(PermitLedger& ledger, const Event& event, const Operation& operation) {
  const std::int64_t takes = operation.shared ? 1 : permits_.exclusive;
  if (event.type == EventType::ok && !operation.dead) {
    ledger.grant(std::make_shared<PermitHold>(PermitHold{
        event.process, event.client, takes, event.time_ns, kNever, event.index, {operation.index, event.index}}));
    most_held_ = std::max(most_held_, static_cast<std::int64_t>(ledger.held()));
  } else if (event.type == EventType::info) {
    Process& p = process(event.process);
    allow_release(event.process, event.key);
    p.uncertain = {true, event.key, nullptr, takes, operation.invoked_ns, {operation.index, event.index}};
  }
}

void PermitRule::over(std::uint32_t process, std::uint32_t key, std::int64_t time_ns, std::uint64_t index) {
  PermitLedger& held = ledger(key);
  held.move_on(time_ns);
  while (const Hold hold = held.last_of(process)) {
    hold->indices.push_back(index);
    held.end(hold, time_ns);
  }
}

void PermitRule::renewal_failed(PermitLedger& ledger, const Event& event, const Operation& operation) {
  if (event.type != EventType::fail || event.background) return;
  const Hold hold = ledger.last_of(event.process);
  if (!hold || (event.reason != Reason::not_held && event.reason != Reason::deadline)) return;
  if (event.reason == Reason::not_held) lost(event, hold, operation.invoked_ns, operation.index);
  if (event.reason == Reason::deadline) allow_release(event.process, event.key);
  hold->indices.push_back(event.index);
  ledger.end(hold, event.time_ns);
}

void PermitRule::release_called(PermitLedger& ledger, const Event& event) {
  Process& p = process(event.process);
  const Hold hold = ledger.last_of(event.process);
  p.release = {true, event.key, hold, 1, event.time_ns, {event.index}};
  p.cleans_up = !hold && p.uncertain.any && p.uncertain.key == event.key;
  ledger.ask(event.time_ns);
  if (!hold) return;
  hold->indices.push_back(event.index);
  ledger.end(hold, event.time_ns);
}

void PermitRule::release_answered(PermitLedger& ledger, const Event& event) {
  Process& p = process(event.process);
  const Pending release = p.release;
  const bool not_held = event.type == EventType::fail && event.reason == Reason::not_held;
  if (p.cleans_up && event.type == EventType::ok) cleaned_up(ledger, event, p);
  if (p.cleans_up && (not_held || event.type == EventType::info)) cleaned_in_vain(ledger, p);
  if (release.hold && not_held) lost(event, release.hold, release.called_ns, release.indices.front());
  if (release.hold && event.type == EventType::fail && !not_held) {
    ledger.put_back(release.hold, {release.called_ns, event.time_ns});
  }
  if (!release.hold && !may_release(p, event.key) && event.type == EventType::ok) {
    found_(event.key, {PermitFault::Kind::released_without_grant,
                       {},
                       {release.indices.front(), event.index},
                       event.process,
                       event.client,
                       {release.called_ns, event.time_ns}});
  }
  if (!release.hold && event.type == EventType::ok) std::erase(p.may_release, event.key);  // once is all
  p.release = {};
  if (release.hold && event.type == EventType::info) {
    allow_release(event.process, event.key);
    p.uncertain = release;  // its question stays open
  } else {
    ledger.settle_question(release.called_ns);
  }
}

// An unanswered acquire had taken effect, or an unanswered release had not.
void PermitRule::cleaned_up(PermitLedger& ledger, const Event& event, Process& p) {
  const Pending& what = p.uncertain;
  const std::uint64_t call_index = p.release.indices.front();
  const std::int64_t called_ns = p.release.called_ns;
  if (what.hold) {
    what.hold->indices.insert(what.hold->indices.end(), {call_index, event.index});
    ledger.prolong(what.hold, {what.called_ns, called_ns});
    ledger.settle_question(what.called_ns);
  } else {
    PermitFault fault{PermitFault::Kind::too_many, {}, what.indices, event.process, event.client,
                      {called_ns, event.time_ns}};
    fault.indices.insert(fault.indices.end(), {call_index, event.index});
    ledger.clean_up(fault, what.takes);
  }
  p.uncertain = {};
}

void PermitRule::cleaned_in_vain(PermitLedger& ledger, Process& p) {
  if (p.uncertain.hold) ledger.settle_question(p.uncertain.called_ns);
  p.uncertain = {};
}

void PermitRule::lost(const Event& answer, const Hold& hold, std::int64_t called_ns, std::uint64_t call_index) {
  found_(answer.key, {PermitFault::Kind::lost,
                      {hold},
                      {call_index, answer.index},
                      answer.process,
                      answer.client,
                      {called_ns, answer.time_ns}});
}

}  // namespace holdfast
