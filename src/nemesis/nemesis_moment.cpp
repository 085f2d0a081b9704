// When a fault strikes, and when it ends: the nemesis waits for the moment, for somebody to strike, and for the end.
#include "nemesis/nemesis.hpp"
#include "nemesis/victims.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kLook_ms = 1;

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

// True: a client stands at the point that ends the fault.
bool Nemesis::wait_out(std::size_t number, Fault& fault) {
  const FaultSpec& spec = specs_[number];
  if (!fault.lasts()) return false;
  try {
    if (fault.carry_on(world_)) return false;
  } catch (const std::exception& failed) {  // it is healed all the same
    error(spec, failed.what());
    return false;
  }
  if (spec.until) {
    world_.arm(*spec.until, "", end_trigger(number));
    const bool came = world_.wait_arrival(end_trigger(number)).has_value();
    if (!came) error(spec, "nobody came to the point that ends it; remedy: another `until`, or a longer duration_ms");
    return came;
  }
  if (spec.for_ms > 0) world_.wait_ms(spec.for_ms);
  while (spec.for_ms == 0 && world_.wait_ms(1000)) {
  }
  return false;
}

// The time at which it began to heal. Who came to the point that ends the fault goes on when it is healed, or could not
// be.
std::int64_t Nemesis::wait_and_heal(std::size_t number, Fault& fault, const Victims& victims, bool in_force) {
  const bool somebody_stands = in_force && wait_out(number, fault);
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
