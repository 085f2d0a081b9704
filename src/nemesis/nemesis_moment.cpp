// When a fault strikes: the nemesis waits for the moment and for somebody to strike.
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
    return pick_victims(world_, spec, arrived);
  }
  if (*spec.at.time_ms > 0 && !world_.wait_ms(*spec.at.time_ms - world_.now_ns() / 1'000'000)) return std::nullopt;
  do {
    if (auto victims = pick_victims(world_, spec, std::nullopt); !victims.empty()) return victims;
  } while (world_.wait_ms(kLook_ms));
  return std::nullopt;
}

}  // namespace holdfast
