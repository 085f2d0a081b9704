#include "nemesis/nemesis.hpp"

#include <cstdlib>

#include "artifact/error.hpp"

namespace holdfast {
namespace {

// Empty: this machine can do it.
std::string why_unavailable(const WholeWorld& whole, const FaultSpec& spec) {
  const FaultType& type = fault_type(spec);
  for (const auto need : type.needs) {
    if (std::string why = whole.unavailable(need); !why.empty()) return why;
  }
  World world = whole.only(type.needs, spec.fault);
  return make_fault(spec)->unavailable(world);
}

// The follower is the first of them, so that repetitions strike the same one if the servers elect the same leader.
Victims elected_victim(const Candidates& all, const std::string& target) {
  const auto leader = all.leader();
  if (!leader) throw HarnessError("target '" + target + "': the servers have no leader");
  if (target == kLeader) return {*leader};
  return {*leader == 0 ? 1U : 0U};
}

Victims server_victim(const Candidates& all, const FaultSpec& spec) {
  if (is_elected(spec.target)) return elected_victim(all, spec.target);
  Victims out = servers_of(spec);
  const bool there = std::all_of(out.begin(), out.end(), [&](std::uint32_t server) { return server < all.servers(); });
  if (there && !out.empty()) return out;
  throw BadInput("target '" + spec.target + "': there is no such server");
}

// Target that restricts which arrivals at the fault's point count; empty: any client's, as for faults of servers.
std::string whose_arrival(const FaultSpec& spec) {
  const bool some = spec.target == "holder" || spec.target == "waiter";
  return some && !strikes_servers(spec) ? spec.target : "";
}

}  // namespace

Nemesis::Nemesis(WholeWorld& world, const std::vector<FaultSpec>& specs, Sabotage sabotage)
    : world_(world), specs_(specs), sabotage_(sabotage) {}

Nemesis::~Nemesis() {
  for (auto& thread : threads_) {
    if (thread.joinable()) thread.join();
  }
}

void Nemesis::check_available() {
  for (const auto& spec : specs_) {
    const std::string why = why_unavailable(world_, spec);
    if (!why.empty()) throw Unavailable("fault " + spec.fault + ": " + why);
  }
}

// Armed here, not in the threads: the load begins when this returns, and its first statement may be the point.
void Nemesis::start() {
  for (std::size_t i = 0; i < specs_.size(); ++i) {
    if (specs_[i].at.time_ms == 0) early_.insert(i);
    if (!specs_[i].at.time_ms) world_.injection_points().arm(specs_[i].at, whose_arrival(specs_[i]), i);
  }
  for (std::size_t i = 0; i < specs_.size(); ++i) threads_.emplace_back([this, i] { run_fault(i); });
}

void Nemesis::run_fault(std::size_t number) {
  const FaultSpec& spec = specs_[number];
  try {
    FaultRun(world_, spec, number, sabotage_, record_).run_fault([this, number] { early_done(number); });
  } catch (const std::exception& failed) {
    record_.error(spec.fault, text_of(failed));
  }
  early_done(number);
  const std::lock_guard guard(mutex_);
  ++healed_;
}

bool Nemesis::early_acted() {
  const std::lock_guard guard(mutex_);
  return early_.empty();
}

void Nemesis::early_done(std::size_t number) {
  const std::lock_guard guard(mutex_);
  early_.erase(number);
}

bool Nemesis::all_healed() {
  const std::lock_guard guard(mutex_);
  return healed_ == specs_.size();
}

std::vector<std::string> Nemesis::errors() {
  return record_.report().errors;
}

NemesisReport Nemesis::finish() {
  for (auto& thread : threads_) thread.join();
  threads_.clear();
  return record_.report();
}

// A client killed by an earlier fault cannot be a victim.
Victims pick_victims(const Candidates& all, const FaultSpec& spec, std::optional<std::uint32_t> arrived) {
  if (strikes_servers(spec)) return server_victim(all, spec);
  if (spec.target == "everyone") {
    Victims out;
    for (std::uint32_t c = 0; c < all.clients(); ++c) {
      if (!all.gone(c)) out.push_back(c);
    }
    return out;
  }
  if (spec.target.rfind("client:", 0) == 0) {
    const auto client = static_cast<std::uint32_t>(std::strtoul(spec.target.c_str() + 7, nullptr, 10));
    if (client >= all.clients()) throw BadInput("target '" + spec.target + "': there is no such client");
    if (all.gone(client)) throw HarnessError("client " + std::to_string(client) + " no longer exists");
    return {client};
  }
  if (arrived) return {*arrived};
  const std::string target = spec.target.empty() ? "holder" : spec.target;
  if (target != "holder" && target != "waiter") {
    throw BadInput(unknown_word("target", target, {"holder", "waiter", "everyone", "client:N"}));
  }
  const Victims some = target == "holder" ? all.holders() : all.waiters();
  return some.empty() ? Victims{} : Victims{some.front()};
}

}  // namespace holdfast
