// What a LockWorld notes of a schedule, so that its violation can be told to be another's or a new one (story.hpp).
#include "explore/lock_world.hpp"
#include "explore/schedule.hpp"

namespace holdfast {

bool LockWorld::is_stuck() const {
  const auto& all = violations();
  return !all.empty() && all.back().invariant == "stuck";
}

void LockWorld::note_said(const Party& actor, const Said& said) {
  if (said.background || ended_badly(*this)) return;
  if (said.kind == Said::Kind::asked) state_.story.asked(actor.client());
  if (said.kind == Said::Kind::answered) {
    state_.story.answered(actor.client(), said.op, said.answer.type == EventType::ok);
  }
  if (said.kind == Said::Kind::left) state_.story.ended(actor.client());
}

void LockWorld::note_executed(std::uint32_t client, const Command& command, const Issuer& issuer, bool changed) {
  if (ended_badly(*this)) return;
  state_.story.executed(client, {command.number, issuer.op, issuer.background}, changed);
}

// A reply, or a statement on its way, is lost of the statement that it is about; else it is after the last.
void LockWorld::note_struck(const Party& actor, WordKind by) {
  if (ended_badly(*this)) return;
  const bool statement = by == WordKind::lost || by == WordKind::late;
  if (statement) {
    state_.story.struck(actor.client(), by, {actor.sent()->number, actor.doing.op, actor.doing.background});
  } else {
    state_.story.struck_after(actor.client(), by);
    if (by == WordKind::crash) state_.story.ended(actor.client());
  }
}

void LockWorld::note_time() {
  if (!ended_badly(*this)) state_.story.time_passed();
}

std::string LockWorld::cause() const {
  return state_.story.text(is_stuck());
}

}  // namespace holdfast
