#include "checker/tenures.hpp"

#include <algorithm>

namespace holdfast {
namespace {

std::int64_t valid_to(std::int64_t sent_ns, std::int64_t lease_ns) {
  return lease_ns == 0 ? kNever : later_by(sent_ns, lease_ns);
}

}  // namespace

const std::vector<Tenure*>& Tenures::believers(std::uint32_t key) const {
  static const std::vector<Tenure*> kNobody;
  return key < believers_.size() ? believers_[key] : kNobody;
}

void Tenures::apply(const Event& event) {
  now_ns_ = event.time_ns;
  if (event.actor == Actor::nemesis && event.step == FaultStep::kill) kill(event);
  if (event.actor != Actor::client) return;
  const bool known = event.process < operations_.size() && event.key < believers_.size();
  if (!known || event.client >= last_process_.size()) make_room(event);
  last_process_[event.client] = event.process;
  if (event.op == Op::leave) {
    if (Tenure* tenure = believed(event.process, event.key)) end(*tenure, TenureEnd::leave, event.index);
  } else if (event.type == EventType::invoke) {
    invoke(event);
  } else {
    complete(event);
  }
}

void Tenures::make_room(const Event& event) {
  const std::size_t processes = std::max(operations_.size(), std::size_t{event.process} + 1);
  const std::size_t keys = std::max(believers_.size(), std::size_t{event.key} + 1);
  operations_.resize(processes);
  background_.resize(processes);
  slots_.resize(processes);
  believers_.resize(keys);
  releasing_.resize(keys);
  last_process_.resize(std::max(last_process_.size(), std::size_t{event.client} + 1));
}

void Tenures::finish() {
  for (auto& all : believers_) {
    while (!all.empty()) {
      const Tenure& tenure = *all.front();
      all.erase(all.begin());
      listener_.ended(tenure);
    }
  }
}

// Only the last process of a client can be alive: an identity that retired says nothing more.
void Tenures::kill(const Event& event) {
  const auto struck = [&](std::uint32_t client) {
    return std::find(event.clients.begin(), event.clients.end(), client) != event.clients.end();
  };
  for (const std::uint32_t client : event.clients) {
    if (client >= last_process_.size() || last_process_[client] >= operations_.size()) continue;
    Operation& last = operations_[last_process_[client]];
    if (last.client == client) last.dead = true;
  }
  for (auto& all : believers_) {
    for (std::size_t i = 0; i < all.size();) {
      struck(all[i]->client) ? end(*all[i], TenureEnd::killed, event.index) : void(++i);
    }
  }
}

void Tenures::invoke(const Event& event) {
  Tenure* tenure = believed(event.process, event.key);
  Operation& last = (event.background ? background_ : operations_)[event.process];
  last = {true,        last.dead,      event.op, event.key, event.client, event.time_ns,
          event.index, event.lease_ns, tenure,   0,         event.shared};
  if (tenure) last.valid_to_ns = tenure->valid.to_ns;
  if (event.op != Op::release || !tenure) return;
  if (tenure->depth > 1) {
    --tenure->depth;
  } else {
    end(*tenure, TenureEnd::release, event.index);
    if (header_.bare) releasing_[event.key].push_back({event.process, {}});
  }
}

void Tenures::complete(const Event& event) {
  Operation& operation = (event.background ? background_ : operations_)[event.process];
  operation.open = false;
  if (event.type == EventType::ok && event.op == Op::acquire && !operation.dead) grant(event, operation);
  if (event.op == Op::acquire) return;
  Tenure* tenure = believed(event.process, event.key);
  if (tenure && event.op == Op::release) inner_release(*tenure, event);
  if (!tenure && event.op == Op::release && header_.bare) released(event, operation);
  // A watchdog's renewal of the grant before says nothing of this one.
  if (!tenure || event.op != Op::renew || operation.tenure != tenure) return;
  if (event.type == EventType::ok) renew(*tenure, event, operation);
  if (event.type != EventType::fail || event.background) return;
  if (event.reason == Reason::not_held) end(*tenure, TenureEnd::not_held, event.index);
  if (event.reason == Reason::deadline) end(*tenure, TenureEnd::deadline, event.index);
}

// Of a reentrant holder that goes on believing: a release that surely had no effect gave no depth back.
void Tenures::inner_release(Tenure& tenure, const Event& event) {
  if (event.type != EventType::fail) return;
  if (event.reason == Reason::not_held) {
    end(tenure, TenureEnd::not_held, event.index);
  } else {
    ++tenure.depth;
  }
}

std::int64_t Tenures::lease_of(const Event& event, const Operation& operation) const {
  if (event.lease_ns) return *event.lease_ns;
  return operation.lease_ns.value_or(header_.lease_ns);
}

void Tenures::grant(const Event& event, const Operation& operation) {
  if (Tenure* own = believed(event.process, event.key)) {
    // Granted again to its own holder: one tenure, with a promise renewed.
    if (header_.model == "reentrant") ++own->depth;
    return renew(*own, event, operation);
  }
  Tenure& tenure = slot(event.process);
  // A renewal of the grant before may still be on its way: it was not made under this one.
  if (background_[event.process].tenure == &tenure) background_[event.process].tenure = nullptr;
  tenure.process = event.process;
  tenure.client = event.client;
  tenure.key = event.key;
  tenure.number = event.number;
  tenure.sent_ns = operation.invoked_ns;
  tenure.granted_ns = event.time_ns;
  tenure.ended_ns = kNever;
  tenure.resumed_ns = -1;
  tenure.end = TenureEnd::none;
  tenure.invoke_index = operation.index;
  tenure.grant_index = tenure.end_index = event.index;
  tenure.token = event.token;
  tenure.lease_ns = lease_of(event, operation);
  tenure.valid = {tenure.sent_ns, valid_to(tenure.sent_ns, tenure.lease_ns)};
  tenure.first_valid_to_ns = tenure.valid.to_ns;
  tenure.lapsed.clear();
  tenure.depth = 1;
  believers_[event.key].push_back(&tenure);
  listener_.granted(tenure);
}

// A renewal for less than was promised before takes the rest back.
void Tenures::shorten(Tenure& tenure, std::int64_t to_ns) {
  tenure.valid.to_ns = std::min(tenure.valid.to_ns, std::max(to_ns, tenure.valid.from_ns));
}

// A renewal promises from its answer on. Where the promise before it still stood, the two join; where it had lapsed,
// the old one is kept only while somebody else believes, since an overlap with a later grant begins no earlier than
// now.
void Tenures::renew(Tenure& tenure, const Event& event, const Operation& operation) {
  const std::int64_t lease_ns = event.lease_ns.value_or(operation.lease_ns.value_or(tenure.lease_ns));
  const std::int64_t to_ns = valid_to(operation.invoked_ns, lease_ns);
  if (lease_ns > 0 && (tenure.lease_ns == 0 || lease_ns < tenure.lease_ns)) shorten(tenure, to_ns);
  tenure.lease_ns = lease_ns;
  if (to_ns <= tenure.valid.to_ns || to_ns <= event.time_ns) return;
  if (event.time_ns <= tenure.valid.to_ns) {
    tenure.valid.to_ns = to_ns;
    return;
  }
  if (believers_[tenure.key].size() > 1) {
    tenure.lapsed.push_back(tenure.valid);
  } else {
    tenure.lapsed.clear();
  }
  tenure.valid = {event.time_ns, to_ns};
}

void Tenures::end(Tenure& tenure, TenureEnd how, std::uint64_t index) {
  tenure.ended_ns = now_ns_;
  tenure.end = how;
  tenure.end_index = index;
  auto& all = believers_[tenure.key];
  all.erase(std::find(all.begin(), all.end(), &tenure));
  listener_.ended(tenure);
  if (!releasing_[tenure.key].empty()) remember(tenure);
}

Tenure* Tenures::believed(std::uint32_t process, std::uint32_t key) {
  for (const auto& tenure : slots_[process]) {
    if (tenure->key == key && tenure->believed()) return tenure.get();
  }
  return nullptr;
}

Tenure& Tenures::slot(std::uint32_t process) {
  for (const auto& tenure : slots_[process]) {
    if (!tenure->believed()) return *tenure;
  }
  return *slots_[process].emplace_back(std::make_unique<Tenure>());
}

}  // namespace holdfast
