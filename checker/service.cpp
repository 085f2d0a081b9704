#include "checker/service.hpp"

#include <algorithm>
#include <map>

#include "checker/causes.hpp"
#include "history/open_history.hpp"

namespace holdfast {
namespace {

class ServiceMeter : public HoldListener {
 public:
  explicit ServiceMeter(HistorySource& source)
      : source_(source),
        holds_(source.header(), *this),
        availability_(holds_),
        waits_(holds_),
        recoveries_(availability_) {}

  Service run() {
    Event event;
    while (source_.next(event)) apply(event);
    if (loaded_) end_load(holds_.now_ns());
    holds_.finish();
    out_.recoveries = recoveries_.finish();
    return std::move(out_);
  }

  void granted(const Hold& hold) override {
    recoveries_.granted(hold);
    if (hold.token) newest_[hold.key] = std::max(newest_[hold.key], *hold.token);
    if (!loaded_) return;
    availability_.granted(hold);
    waits_.granted(hold);
    out_.granted_ns.push_back(hold.granted_ns);
    if (struck(hold.client)) ++out_.struck_grants;
  }

  void ended(const Hold& hold) override { availability_.ended(hold); }

 private:
  void apply(const Event& event) {
    faults_.apply(event);
    holds_.apply(event);
    if (event.actor == Actor::nemesis) nemesis(event);
    recoveries_.event(event);
    if (!loaded_) return;
    availability_.event(event);
    waits_.event(event);
    if (event.actor == Actor::client) client(event);
  }

  void client(const Event& event) {
    out_.statements += static_cast<std::int64_t>(event.statements.size());
    if (event.op == Op::write && event.type == EventType::fail && event.token && *event.token < newest_[event.key]) {
      ++out_.fencing_rejections;
    }
    if (event.op != Op::acquire || event.type != EventType::invoke || !struck(event.client)) return;
    const auto& all = holds_.believers(event.key);
    const bool in_hold = std::any_of(all.begin(), all.end(), [&](auto* t) { return t->process != event.process; });
    if (in_hold) ++out_.struck_attempts_in_hold;
  }

  void nemesis(const Event& event) {
    if (event.step == FaultStep::load_end && loaded_) end_load(event.time_ns);
    if (event.step != FaultStep::begin || !loaded_) return;
    for (std::uint32_t key = 0; key < source_.names().keys.size(); ++key) {
      for (const Hold* hold : holds_.believers(key)) {
        if (faults_.all().back().strikes(hold->client)) ++out_.struck_grants;
      }
    }
  }

  bool struck(std::uint32_t client) const {
    const auto& all = faults_.all();
    return std::any_of(all.begin(), all.end(),
                       [&](const FaultRecord& f) { return f.end_ns == kNever && f.strikes(client); });
  }

  void end_load(std::int64_t now_ns) {
    loaded_ = false;
    availability_.finish(now_ns);
    out_.load_ns = now_ns;
    out_.grants = static_cast<std::int64_t>(out_.granted_ns.size());
    out_.gaps = availability_.gaps();
    for (const Window& gap : out_.gaps) {
      out_.unavailable_ns += gap.to_ns - gap.from_ns;
      out_.longest_gap_ns = std::max(out_.longest_gap_ns, gap.to_ns - gap.from_ns);
    }
    out_.uncontended_ns = waits_.uncontended_ns();
    out_.contended_ns = waits_.contended_ns();
    std::sort(out_.uncontended_ns.begin(), out_.uncontended_ns.end());
    std::sort(out_.contended_ns.begin(), out_.contended_ns.end());
  }

  HistorySource& source_;
  Holds holds_;
  FaultLog faults_;
  Availability availability_;
  AcquireWaits waits_;
  Recoveries recoveries_;
  std::map<std::uint32_t, std::uint64_t> newest_;  // by key: the largest token granted so far
  Service out_;
  bool loaded_ = true;
};

}  // namespace

void AcquireWaits::granted(const Hold& hold) {
  if (hold.client >= waits_.size()) return;
  Wait& wait = waits_[hold.client];
  if (!wait.waiting || wait.key != hold.key) return;
  (wait.contended ? contended_ns_ : uncontended_ns_).push_back(hold.granted_ns - wait.since_ns);
  wait = {};
}

void AcquireWaits::asked(const Event& event) {
  const auto& holders = holds_.believers(event.key);
  const auto mine = [&](const Hold* t) { return t->process == event.process; };
  if (std::any_of(holders.begin(), holders.end(), mine)) return;  // a holder that acquires again does not wait
  if (event.client >= waits_.size()) waits_.resize(event.client + 1);
  bool contended = !holders.empty();
  for (Wait& other : waits_) {
    if (&other == &waits_[event.client] || !other.open || other.key != event.key) continue;
    other.contended = contended = true;
  }
  Wait& wait = waits_[event.client];
  const bool again = wait.waiting && wait.key == event.key;  // an attempt before it failed
  if (!again) wait = {true, true, contended, event.key, event.time_ns};
  wait.open = true;
  wait.contended = wait.contended || contended || again;
}

void AcquireWaits::event(const Event& event) {
  if (event.actor == Actor::nemesis && event.step == FaultStep::kill) {
    for (const auto client : event.clients) {
      if (client < waits_.size()) waits_[client] = {};
    }
  }
  if (event.actor != Actor::client || event.op != Op::acquire) return;
  if (event.type == EventType::invoke) return asked(event);
  if (event.client < waits_.size()) waits_[event.client].open = false;
}

Availability::Key& Availability::at(std::uint32_t key) {
  if (key >= keys_.size()) keys_.resize(key + 1);
  return keys_[key];
}

bool Availability::held(std::uint32_t key, std::int64_t now_ns) const {
  const auto& all = holds_.believers(key);
  return std::any_of(all.begin(), all.end(), [&](const Hold* t) { return t->valid_at(now_ns); });
}

// A sleeper that still believes holds nothing once its lease is over.
std::int64_t Availability::free_since_ns(std::uint32_t key) const {
  std::int64_t since_ns = key < keys_.size() ? keys_[key].held_to_ns : 0;
  for (const Hold* hold : holds_.believers(key)) since_ns = std::max(since_ns, hold->valid.to_ns);
  return since_ns;
}

void Availability::granted(const Hold& hold) {
  Key& key = at(hold.key);
  if (key.tried_ns >= 0) gaps_.push_back({key.tried_ns, hold.granted_ns});
  key.tried_ns = -1;
}

void Availability::ended(const Hold& hold) {
  Key& key = at(hold.key);
  key.held_to_ns = std::max(key.held_to_ns, std::min(hold.ended_ns, hold.valid.to_ns));
}

void Availability::event(const Event& event) {
  if (event.actor != Actor::client || event.op != Op::acquire) return;
  if (event.type == EventType::invoke || event.type == EventType::ok) return;
  Key& key = at(event.key);
  if (key.tried_ns >= 0 || held(event.key, event.time_ns)) return;
  const std::int64_t asked_ns = holds_.operation().invoked_ns;
  if (asked_ns >= free_since_ns(event.key)) key.tried_ns = asked_ns;
}

void Availability::finish(std::int64_t load_end_ns) {
  for (Key& key : keys_) {
    if (key.tried_ns >= 0 && key.tried_ns < load_end_ns) gaps_.push_back({key.tried_ns, load_end_ns});
    key.tried_ns = -1;
  }
}

void Recoveries::granted(const Hold& hold) {
  for (Healed& one : healed_) {
    if (one.missing.erase(hold.key) == 0) continue;
    one.slowest_ns = std::max(one.slowest_ns, hold.granted_ns - one.at_ns);
  }
}

void Recoveries::event(const Event& event) {
  if (event.actor == Actor::client && event.op == Op::acquire) {
    keys_[event.key] = true;
    for (Healed& one : healed_) {
      if (const auto missing = one.missing.find(event.key); missing != one.missing.end()) missing->second = true;
    }
  }
  if (event.actor != Actor::nemesis || event.step != FaultStep::end) return;
  Healed one{event.fault, event.time_ns, -1, {}};
  for (const auto& [key, asked] : keys_) {
    if (availability_.held(key, event.time_ns)) {
      one.slowest_ns = std::max<std::int64_t>(one.slowest_ns, 0);
    } else {
      one.missing[key] = false;
    }
  }
  healed_.push_back(std::move(one));
}

std::vector<Recovery> Recoveries::finish() const {
  std::vector<Recovery> out;
  for (const Healed& one : healed_) {
    const auto lost = [](const auto& key) { return key.second; };
    const bool never = std::any_of(one.missing.begin(), one.missing.end(), lost);
    if (never || one.slowest_ns >= 0) out.push_back({one.fault, one.at_ns, never ? -1 : one.slowest_ns});
  }
  return out;
}

Service measure_service(HistorySource& source) {
  return ServiceMeter(source).run();
}

Service measure_service(const InputFile& file) {
  return measure_service(*open_history(file));
}

}  // namespace holdfast
