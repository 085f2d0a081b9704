// When a fault strikes, and when it ends: the nemesis waits for the moment, for somebody to strike, and for the end.
#include "nemesis/nemesis.hpp"

#include <algorithm>

#include "artifact/error.hpp"
#include "nemesis/victims.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kLook_ms = 1;
constexpr std::int64_t kOpen_ms = 60'000;  // of a time without a known end: one turn of it
constexpr std::int64_t kSecret_ms = 2;

}  // namespace

std::optional<Victims> Nemesis::wait_moment(std::size_t number) {
  const FaultSpec& spec = specs_[number];
  if (!spec.at.time_ms) {
    const auto arrived = world_.wait_arrival(number);
    if (!arrived) return std::nullopt;
    try {
      return pick_victims(world_, spec, arrived);
    } catch (...) {
      world_.release(number, Release::go_on);
      throw;
    }
  }
  if (*spec.at.time_ms > 0 && !wait_load(*spec.at.time_ms)) return std::nullopt;
  do {
    if (auto victims = pick_victims(world_, spec, std::nullopt); !victims.empty()) return victims;
  } while (world_.wait_ms(kLook_ms));
  return std::nullopt;
}

// Until the load has gone on for so long; false: the trial closed before.
bool Nemesis::wait_load(std::int64_t ms) {
  while (world_.load_ns() < 0) {
    if (!world_.wait_ms(kLook_ms)) return false;
  }
  return world_.wait_ms(ms - (world_.now_ns() - world_.load_ns()) / 1'000'000);
}

// For so long, unless the trial closes; false then. Looks meanwhile whether the fault is in force.
bool Nemesis::pass_time(FaultWatch& watch, std::int64_t ms) {
  const std::int64_t until_ns = world_.now_ns() + ms * 1'000'000;
  for (std::int64_t left_ns = ms * 1'000'000; left_ns > 0; left_ns = until_ns - world_.now_ns()) {
    const std::int64_t left_ms = left_ns / 1'000'000;
    watch.look(left_ms);
    if (!world_.wait_ms(std::clamp<std::int64_t>(watch.due_ms(), 1, std::max<std::int64_t>(left_ms, 1)))) return false;
  }
  return true;
}

// True: a client stands at the point that ends the fault.
bool Nemesis::wait_for_end(std::size_t number, FaultWatch& watch) {
  const std::size_t trigger = end_trigger(number);
  world_.arm(*specs_[number].until, "", trigger);
  while (!world_.closing() && !world_.arrived(trigger, watch.due_ms())) watch.look(kOpen_ms);
  const bool came = world_.wait_arrival(trigger).has_value();
  if (!came) {
    error(specs_[number], "nobody came to the point that ends it; remedy: another `until`, or a longer duration_ms");
  }
  return came;
}

// The same.
bool Nemesis::wait_out(std::size_t number, Fault& fault, FaultWatch& watch) {
  const FaultSpec& spec = specs_[number];
  try {
    if (fault.carry_on(world_)) return false;
  } catch (const std::exception& failed) {  // it is healed all the same
    error(spec, text_of(failed));
    return false;
  }
  if (spec.until) return wait_for_end(number, watch);
  if (spec.for_ms > 0) pass_time(watch, spec.for_ms);
  while (spec.for_ms == 0 && pass_time(watch, kOpen_ms)) {
  }
  return false;
}

// The time at which it began to heal. Who came to the point that ends the fault goes on when it is healed, or could not
// be.
std::int64_t Nemesis::wait_and_heal(std::size_t number, Fault& fault, const Victims& victims, bool in_force) {
  FaultWatch watch(world_, fault, victims);
  const bool lasts = in_force && fault.lasts();
  if (lasts && sabotage_.undo_early) {
    world_.wait_ms(kSecret_ms);
    fault.heal(world_, victims);
  }
  const bool somebody_stands = lasts && wait_out(number, fault, watch);
  if (lasts) watch.last_look();
  if (!watch.broken().empty()) error(specs_[number], watch.broken());
  const std::int64_t over_ns = world_.now_ns();
  const auto go_on = [&] {
    if (somebody_stands) world_.release(end_trigger(number), Release::go_on);
  };
  try {
    if (!sabotage_.skip_heal) fault.heal(world_, victims);
  } catch (...) {
    go_on();
    throw;
  }
  go_on();
  return over_ns;
}

}  // namespace holdfast
