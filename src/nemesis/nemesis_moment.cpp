// When a fault strikes, and whom: the nemesis waits for the moment and picks the victims.
#include "artifact/error.hpp"
#include "nemesis/nemesis.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kLook_ms = 1;

}  // namespace

std::optional<Victims> Nemesis::wait_moment(std::size_t number) {
  const FaultSpec& spec = specs_[number];
  if (!spec.at.time_ms) {
    const auto arrived = world_.wait_arrival(spec.at, number);
    if (!arrived) return std::nullopt;
    return pick(spec, arrived);
  }
  if (*spec.at.time_ms > 0 && !world_.wait_ms(*spec.at.time_ms - world_.now_ns() / 1'000'000)) return std::nullopt;
  do {
    if (auto victims = pick(spec, std::nullopt); !victims.empty()) return victims;
  } while (world_.wait_ms(kLook_ms));
  return std::nullopt;
}

Victims Nemesis::pick(const FaultSpec& spec, std::optional<std::uint32_t> arrived) {
  if (spec.target == "everyone") {
    Victims all;
    for (std::uint32_t c = 0; c < world_.clients(); ++c) all.push_back(c);
    return all;
  }
  if (spec.target.rfind("client:", 0) == 0) {
    const auto client = static_cast<std::uint32_t>(std::strtoul(spec.target.c_str() + 7, nullptr, 10));
    if (client >= world_.clients()) throw BadInput("target '" + spec.target + "': there is no such client");
    return {client};
  }
  if (arrived) return {*arrived};
  if (spec.target != "holder" && spec.target != "waiter") {
    throw BadInput(unknown_word("target", spec.target, {"holder", "waiter", "everyone", "client:N"}));
  }
  const Victims some = spec.target == "holder" ? world_.holders() : world_.waiters();
  return some.empty() ? Victims{} : Victims{some.front()};
}

}  // namespace holdfast
