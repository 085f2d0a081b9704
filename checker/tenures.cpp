#include "checker/tenures.hpp"

#include <algorithm>

namespace holdfast {

void Tenures::apply(const Event& event) {
  now_ns_ = event.time_ns;
  if (event.actor == Actor::nemesis && event.step == FaultStep::kill) kill(event);
  if (event.actor != Actor::client) return;
  if (event.key >= believers_.size()) make_room(event);
  Process& process = processes_[event.process];
  Operation& operation = operation_of(event, process);
  operation_ = &operation;
  if (event.op == Op::leave) {
    if (Tenure* tenure = believed(process, event.key)) end(*tenure, TenureEnd::leave, event.index);
  } else if (event.type == EventType::invoke) {
    invoke(event, process, operation);
  } else {
    complete(event, process, operation);
  }
}

void Tenures::make_room(const Event& event) {
  const std::size_t keys = std::max(believers_.size(), std::size_t{event.key} + 1);
  believers_.resize(keys);
  releasing_.resize(keys);
}

bool Tenures::forget(std::uint32_t process) {
  const Process* const known = processes_.find(process);
  if (known == nullptr || known->last.open || known->last.dead || known->first.believed()) return false;
  if (known->background && known->background->open) return false;
  const auto& more = known->more;
  if (std::any_of(more.begin(), more.end(), [](const auto& tenure) { return tenure->believed(); })) return false;
  processes_.forget(process);
  return true;
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

// All processes of a client end with it: those of its threads, and identities that retired, which say nothing more.
void Tenures::kill(const Event& event) {
  const auto struck = [&](std::uint32_t client) {
    return std::find(event.clients.begin(), event.clients.end(), client) != event.clients.end();
  };
  std::vector<std::uint32_t> dead;
  processes_.each([&](std::uint32_t id, const Process& process) {
    if (struck(process.last.client)) dead.push_back(id);
  });
  for (const std::uint32_t id : dead) processes_.find(id)->last.dead = true;
  for (auto& all : believers_) {
    for (std::size_t i = 0; i < all.size();) {
      struck(all[i]->client) ? end(*all[i], TenureEnd::killed, event.index) : void(++i);
    }
  }
}

Operation& Tenures::operation_of(const Event& event, Process& process) {
  if (!event.background) return process.last;
  if (!process.background) process.background = std::make_unique<Operation>();
  return *process.background;
}

void Tenures::invoke(const Event& event, Process& process, Operation& last) {
  Tenure* tenure = believed(process, event.key);
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

void Tenures::complete(const Event& event, Process& process, Operation& operation) {
  operation.open = false;
  if (event.type == EventType::ok && event.op == Op::acquire && !operation.dead) grant(event, operation, process);
  if (event.op == Op::acquire) return;
  Tenure* tenure = believed(process, event.key);
  if (tenure && event.op == Op::release) inner_release(*tenure, event);
  if (!tenure && event.op == Op::release && header_.bare) released(event, operation, process);
  if (tenure && event.op == Op::write && event.type == EventType::fail) ++tenure->refused_writes;
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

void Tenures::grant(const Event& event, const Operation& operation, Process& process) {
  if (Tenure* own = believed(process, event.key)) {
    // Granted again to its own holder: one tenure, with a promise renewed.
    if (header_.model == "reentrant") ++own->depth;
    return renew(*own, event, operation);
  }
  Tenure& tenure = unused(process);
  // A renewal of the grant before may still be on its way: it was not made under this one.
  if (process.background && process.background->tenure == &tenure) process.background->tenure = nullptr;
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
  tenure.valid = {tenure.sent_ns, promised_to(tenure.sent_ns, tenure.lease_ns)};
  tenure.first_valid_to_ns = tenure.valid.to_ns;
  tenure.lapsed.clear();
  tenure.depth = 1;
  tenure.refused_writes = 0;
  believers_[event.key].push_back(&tenure);
  listener_.granted(tenure);
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

Tenure* Tenures::believed(Process& process, std::uint32_t key) {
  if (process.first.believed() && process.first.key == key) return &process.first;
  for (const auto& tenure : process.more) {
    if (tenure->key == key && tenure->believed()) return tenure.get();
  }
  return nullptr;
}

Tenure& Tenures::unused(Process& process) {
  if (!process.first.believed()) return process.first;
  for (const auto& tenure : process.more) {
    if (!tenure->believed()) return *tenure;
  }
  return *process.more.emplace_back(std::make_unique<Tenure>());
}

}  // namespace holdfast
