#include "nemesis/world.hpp"

#include "artifact/error.hpp"

namespace holdfast {

World World::only(const std::vector<Capability>& needs, const std::string& of) const {
  World out(*time_, *candidates_);
  out.of_ = of;
  for (const auto need : needs) {
    const auto index = static_cast<std::size_t>(need);
    out.parts_.at(index) = parts_.at(index);
  }
  return out;
}

AnyCapability& World::part(Capability capability) const {
  if (AnyCapability* found = parts_.at(static_cast<std::size_t>(capability))) return *found;
  const std::string name = facts_of(capability).name;
  if (of_.empty()) throw HarnessError("this trial does not offer " + name);
  throw HarnessError(of_ + " uses " + name + ", which its needs do not name or this trial does not offer");
}

}  // namespace holdfast
