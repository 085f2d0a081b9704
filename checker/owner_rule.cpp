#include "checker/owner_rule.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace holdfast {

const OwnerRule::Claim* OwnerRule::claim(std::uint32_t process, std::uint32_t key) const {
  const std::vector<Claim>* const all = claims_.find(process);
  if (all == nullptr) return nullptr;
  const auto found = std::find_if(all->begin(), all->end(), [&](const Claim& c) { return c.key == key; });
  return found == all->end() ? nullptr : &*found;
}

// Replaces the claim that was allowed before.
OwnerRule::Claim& OwnerRule::allow_release(std::uint32_t process, std::uint32_t key) {
  drop(process, key);
  return claims_[process].emplace_back(Claim{key});
}

void OwnerRule::drop(std::uint32_t process, std::uint32_t key) {
  if (auto* const all = claims_.find(process)) std::erase_if(*all, [&](const Claim& c) { return c.key == key; });
}

void OwnerRule::lost(const Uncertain& each, std::uint32_t key, std::int64_t time_ns) {
  for (Claim& c : claims_[each.process]) {
    if (c.key == key) c.lost_ns = std::min(c.lost_ns, time_ns);
  }
}

// A client whose release may or may not have taken effect has lost the lock once another holds it. A grant that was
// answered after its own lease shows a hold that may have been before.
void OwnerRule::granted(const Hold& hold) {
  if (hold.late()) return;
  Key& key = at(hold.key);
  for (const Uncertain& each : key.uncertain) lost(each, hold.key, hold.granted_ns);
  key.uncertain.clear();
  const Claim* own = claim(hold.process, hold.key);
  if (own != nullptr && own->given_up) drop(hold.process, hold.key);  // it is its own again
  key.granted_ns = hold.granted_ns;
  key.granted_to = hold.process;
}

// A clean-up that answered ok held the lock: a client that had been granted it before the clean-up was called, and may
// have let go, had done so by then.
void OwnerRule::cleaned_up(const Event& event, const Operation& operation) {
  Key& key = at(event.key);
  for (const Uncertain& each : key.uncertain) {
    if (each.process == event.process || each.granted_ns >= operation.invoked_ns) continue;
    lost(each, event.key, event.time_ns);
  }
  key.proved = {operation.invoked_ns, event.time_ns};
}

// The outcome of the release of `hold` is unknown, so it may be sent again, unless another client held the lock since.
void OwnerRule::uncertain(const Event& event, const Operation& operation) {
  Claim& claim = allow_release(event.process, event.key);
  if (!operation.hold) return;
  Key& key = at(event.key);
  if (key.granted_to != event.process && key.granted_ns > operation.invoked_ns) claim.lost_ns = key.granted_ns;
  const std::int64_t granted_ns = operation.hold->granted_ns;
  if (key.proved.from_ns > granted_ns && key.proved.to_ns > operation.invoked_ns) {
    claim.lost_ns = std::min(claim.lost_ns, key.proved.to_ns);
  }
  key.uncertain.push_back({event.process, granted_ns});
}

// The holder gave its belief up without calling the lock, which may still be its own: as if it had called a release of
// unknown outcome.
void OwnerRule::given_up(const Hold& hold) {
  Claim& claim = allow_release(hold.process, hold.key);
  claim.given_up = true;
  Key& key = at(hold.key);
  if (key.granted_to != hold.process && key.granted_ns > hold.granted_ns) claim.lost_ns = key.granted_ns;
  key.uncertain.push_back({hold.process, hold.granted_ns});
}

void OwnerRule::judge(const Event& event, const Operation& operation) {
  if (event.op == Op::release) released(event, operation);
  if (event.op == Op::renew && event.type == EventType::ok && !operation.hold) renewed(event, operation);
}

void OwnerRule::judge_acquired(const Event& event, const Operation& operation) {
  if (event.type == EventType::info) uncertain(event, {});
  if (event.type != EventType::ok || !operation.hold || context_.header.model == "reentrant") return;
  const Hold& own = *operation.hold;
  const bool may_lapse = operation.valid_to_ns != kNever;
  if (may_lapse && (operation.valid_to_ns <= event.time_ns || !context_.story.timed())) return;
  findings_.add("granted_twice", 0, [&] {
    Witness witness = operation_witness(context_, event, operation);
    witness.indices.insert(witness.indices.end(), {own.invoke_index, own.grant_index});
    if (operation.renew_index > 0) {
      witness.indices.insert(witness.indices.end(), {operation.renew_invoke_index, operation.renew_index});
    }
    witness.text = fmt::format("{} It was granted the lock again at {} without having released it.",
                               context_.story.held(own), context_.story.at(event.time_ns, event.index));
    return witness;
  });
}

void OwnerRule::released(const Event& event, const Operation& operation) {
  const Claim* own = operation.hold ? nullptr : claim(event.process, event.key);
  const bool rightful = operation.hold || (own != nullptr && own->lost_ns >= operation.invoked_ns);
  if (event.type == EventType::ok && !operation.hold) {
    cleaned_up(event, operation);
    drop(event.process, event.key);  // it can be given back once
  }
  if (event.type == EventType::info && rightful) uncertain(event, operation);
  if (event.type != EventType::ok || rightful) return;
  findings_.add("release_without_grant", 0, [&] {
    const Story& story = context_.story;
    Witness witness = operation_witness(context_, event, operation);
    witness.text = fmt::format("{} released {} at {} and was answered ok, but had no grant to release.",
                               story.subject(event.process, event.client), story.key(event.key),
                               story.at(event.time_ns, event.index));
    return witness;
  });
}

// A watchdog's may have been called while its holder's release was on its way; that is not this rule's to say.
void OwnerRule::renewed(const Event& event, const Operation& operation) {
  const Claim* own = claim(event.process, event.key);
  if (own != nullptr && own->lost_ns >= operation.invoked_ns) return;
  if (event.background) return context_.orders.doubt(event.key);
  findings_.add("renew_without_grant", 0, [&] {
    const Story& story = context_.story;
    Witness witness = operation_witness(context_, event, operation);
    witness.text = fmt::format("{} renewed {} at {} and was answered ok, but had no grant to renew.",
                               story.subject(event.process, event.client), story.key(event.key),
                               story.at(event.time_ns, event.index));
    return witness;
  });
}

Witness resumed_witness(const PropertyContext& context, const Hold& hold, const Suspect& suspect) {
  const Story& story = context.story;
  Witness witness{
      context.names.keys.at(hold.key), "", {}, {suspect.client}, suspect.invoked_ns, suspect.answered_ns, ""};
  add_hold(witness, hold);
  witness.indices.insert(witness.indices.end(), {suspect.invoke_index, suspect.index});
  witness.indices.insert(witness.indices.end(), suspect.refers_to.begin(), suspect.refers_to.end());
  witness.text = fmt::format("{} Its release at {} certainly had no effect, but a release by {} was answered ok at {}.",
                             story.held(hold), story.at(hold.resumed_ns), story.who(suspect.process, suspect.client),
                             story.at(suspect.answered_ns, suspect.index));
  return witness;
}

Witness foreign_witness(const PropertyContext& context, const Event& event, const Operation& operation,
                        const Hold& holder, const Window& acted, const Before& before) {
  const Story& story = context.story;
  Witness witness = operation_witness(context, event, operation);
  if (operation.hold) {
    add_hold(witness, *operation.hold);
    witness.text = story.held(*operation.hold) + " ";
  }
  witness.indices.insert(witness.indices.end(), before.begin(), before.end());
  add_hold(witness, holder);
  const std::string actor = story.who(event.process, event.client);
  witness.text += fmt::format("{} {} sent a {} at {}, which was answered ok at {}: {} {} {}'s lock.",
                              story.held(holder), capitalized(actor), noun_of(event.op), story.at(operation.invoked_ns),
                              story.at(event.time_ns, event.index), actor,
                              event.op == Op::release ? "released" : "renewed", story.who(holder));
  if (acted.from_ns > operation.invoked_ns || acted.to_ns < event.time_ns) {
    witness.text += fmt::format(" Its statements were sent and answered from {} to {}.", story.at(acted.from_ns),
                                story.at(acted.to_ns));
  }
  return witness;
}

}  // namespace holdfast
