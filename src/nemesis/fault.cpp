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

std::unique_ptr<Fault> example_of(const FaultType& type) {
  return make_fault(type, parse_json_text(type.example, "a fault's example"));
}

std::optional<std::uint32_t> server_of(const FaultSpec& spec) {
  static const std::string kNumbered = "server:";
  if (spec.settings.find("target") == nullptr || spec.target == "server") return 0;
  if (spec.target.rfind(kNumbered, 0) != 0) return std::nullopt;
  const char* end = spec.target.data() + spec.target.size();
  std::uint32_t number = 0;
  const auto [stop, error] = std::from_chars(spec.target.data() + kNumbered.size(), end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

}  // namespace holdfast
