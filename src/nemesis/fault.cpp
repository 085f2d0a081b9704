#include "nemesis/fault.hpp"

#include <algorithm>
#include <charconv>

#include "artifact/json_text.hpp"

namespace holdfast {
namespace {

std::unique_ptr<Fault> make_fault(const FaultType& type, const JsonNode& node) {
  ObjectReader settings(node);
  for (const char* common : {"fault", "target", "at", "for_ms", "until", "optional"}) settings.node(common);
  auto fault = type.make(settings);
  settings.finish();
  return fault;
}

// "0,3": distinct numbers, otherwise empty.
std::vector<std::uint32_t> numbers_in(std::string_view list) {
  std::vector<std::uint32_t> out;
  while (true) {
    const std::string_view digits = list.substr(0, list.find(','));
    const char* end = digits.data() + digits.size();
    std::uint32_t number = 0;
    const auto [stop, error] = std::from_chars(digits.data(), end, number);
    const bool known = std::find(out.begin(), out.end(), number) != out.end();
    if (digits.empty() || error != std::errc() || stop != end || known) return {};
    out.push_back(number);
    if (digits.size() == list.size()) return out;
    list.remove_prefix(digits.size() + 1);
  }
}

}  // namespace

bool FaultType::uses(Capability capability) const {
  return std::find(needs.begin(), needs.end(), capability) != needs.end();
}

bool FaultType::needs_any(bool CapabilityFacts::*fact) const {
  return std::any_of(needs.begin(), needs.end(), [fact](Capability need) { return facts_of(need).*fact; });
}

bool FaultType::strikes_servers() const {
  return std::any_of(needs.begin(), needs.end(), [](Capability need) { return facts_of(need).of == Strikes::servers; });
}

const FaultType& fault_type(const FaultSpec& spec) {
  const FaultType* type = find_entry(faults(), spec.fault);
  if (type == nullptr) spec.settings.refuse(unknown_word("fault", spec.fault, entry_names(faults())));
  return *type;
}

std::unique_ptr<Fault> make_fault(const FaultSpec& spec) {
  return make_fault(fault_type(spec), spec.settings);
}

FaultAim aim_of(const FaultSpec& spec) {
  const InjectionPoint& at = spec.at;
  if (at.key == "held" || spec.target == "waiter") return FaultAim::none;
  const FaultAim before = at.key == "free" ? FaultAim::request : FaultAim::none;
  if (!at.phase.empty()) return at.phase == "before_acquire" ? before : FaultAim::none;
  const bool in_acquire = at.of.empty() || at.of == "acquire";
  if (at.time_ms || !in_acquire) return FaultAim::none;
  return at.after || at.request > 1 ? FaultAim::reply : before;
}

std::unique_ptr<Fault> example_of(const FaultType& type) {
  return make_fault(type, parse_json_text(type.example, "a fault's example"));
}

std::vector<std::uint32_t> servers_of(const FaultSpec& spec) {
  constexpr std::string_view kNumbered = "server:";
  if (spec.settings.find("target") == nullptr || spec.target == "server") return {0};
  if (spec.target.rfind(kNumbered, 0) != 0) return {};
  return numbers_in(std::string_view(spec.target).substr(kNumbered.size()));
}

}  // namespace holdfast
