#include "checker/wrong_answers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "checker/owner_rule.hpp"

namespace holdfast {
namespace {

bool is_of(const SeenGrant& grant, const Hold& hold) {
  return grant.granted_ns == hold.granted_ns && grant.process == hold.process;
}

}  // namespace

bool WrongAnswers::answer_may_be_wrong(const ToldLoss& told) const {
  bool struck = changed_something(told.event);
  for (const FaultRecord& fault : context_.faults.all()) {
    if (fault.end_ns < told.hold.sent_ns || fault.only_clocks()) continue;
    if (fault.clients.empty()) return false;
    struck = struck || (fault.strikes(told.hold.client) && fault.begin_ns >= told.operation.invoked_ns);
  }
  return struck;
}

// The next grant may have come before the answer.
bool WrongAnswers::takes(const ToldLoss& told) {
  Key& key = keys_[told.hold.key];
  settle(key);
  if (told.event.op != Op::release || !answer_may_be_wrong(told)) return false;
  const bool meanwhile = is_of(key.before, told.hold) && key.last.granted_ns > told.operation.invoked_ns;
  if (meanwhile && freed_by_it(told, key.before.seen_held, key.last)) {
    wrong_(told, key.last);
    return true;
  }
  if (!is_of(key.last, told.hold)) return false;
  key.told = told;
  key.taken_until_ns = kNever;
  ++pending_;
  return true;
}

bool WrongAnswers::freed_by_it(const ToldLoss& told, bool seen_held, const SeenGrant& next) const {
  const bool waited = context_.header.waits && next.sent_ns < told.operation.invoked_ns;
  const bool held_until_then = waited || seen_held;
  return held_until_then && next.granted_ns < told.hold.valid.to_ns;
}

void WrongAnswers::granted(const Hold& hold) {
  Key& key = keys_[hold.key];
  const SeenGrant next{hold.process,      hold.client,      hold.sent_ns, hold.granted_ns,
                       hold.invoke_index, hold.grant_index, false};
  if (key.told && key.taken_until_ns >= next.sent_ns && freed_by_it(*key.told, key.last.seen_held, next)) {
    --pending_;
    wrong_(*std::exchange(key.told, std::nullopt), next);
  }
  settle(key);
  key.before = key.last;
  key.last = next;
}

void WrongAnswers::refused(const Event& event) {
  Key& key = keys_[event.key];
  const std::int64_t asked_ns = context_.holds.operation().invoked_ns;
  if (key.told) {
    if (asked_ns > key.told->event.time_ns) key.taken_until_ns = std::min(key.taken_until_ns, event.time_ns);
  } else if (event.process != key.last.process && asked_ns >= key.last.granted_ns) {
    key.last.seen_held = true;
  }
}

void WrongAnswers::settle(Key& key) {
  if (!key.told) return;
  --pending_;
  lost_(*std::exchange(key.told, std::nullopt));
}

void WrongAnswers::finish() {
  for (Key& key : keys_) settle(key);
}

Witness wrong_answer_witness(const PropertyContext& context, const ToldLoss& told, const SeenGrant& next) {
  const Story& story = context.story;
  Witness witness = operation_witness(context, told.event, told.operation);
  add_hold(witness, told.hold);
  if (witness.clients.front() != next.client) witness.clients.push_back(next.client);
  witness.indices.insert(witness.indices.end(), {next.invoke_index, next.index});
  witness.text = fmt::format(
      "{} Its release was answered at {} as if it did not hold the lock{}, but had taken effect: no other client was "
      "granted {} until the release was called, and then {} was, at {}.",
      story.held(told.hold), story.at(told.event.time_ns, told.event.index),
      told.hold.valid.to_ns == kNever ? "" : ", within its lease", story.key(told.hold.key),
      story.who(next.process, next.client), story.at(next.granted_ns, next.index));
  witness.text += story.suspicion(told.suspected);
  return witness;
}

}  // namespace holdfast
