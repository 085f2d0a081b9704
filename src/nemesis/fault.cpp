#include "nemesis/fault.hpp"

#include <charconv>

namespace holdfast {

namespace {

const FaultType& type_of(const FaultSpec& spec) {
  const FaultType* type = find_entry(faults(), spec.fault);
  if (type == nullptr) spec.settings.refuse(unknown_word("fault", spec.fault, entry_names(faults())));
  return *type;
}

}  // namespace

std::unique_ptr<Fault> make_fault(const FaultSpec& spec) {
  const FaultType& type = type_of(spec);
  ObjectReader settings(spec.settings);
  for (const char* common : {"fault", "target", "at", "for_ms", "until", "optional"}) settings.node(common);
  auto fault = type.make(settings);
  settings.finish();
  return fault;
}

Strikes struck_by(const FaultSpec& spec) {
  return type_of(spec).strikes;
}

bool promotes_replica(const FaultSpec& spec) {
  return type_of(spec).promotes;
}

bool wants_host(const FaultSpec& spec) {
  return type_of(spec).wants_host;
}

bool strikes_one(const FaultSpec& spec) {
  return type_of(spec).wants_host || type_of(spec).wants_spare;
}

bool parts_servers(const FaultSpec& spec) {
  return type_of(spec).parts;
}

bool strikes_servers(const FaultSpec& spec) {
  return struck_by(spec) != Strikes::clients;
}

bool needs_lab(const FaultSpec& spec) {
  return strikes_servers(spec) || type_of(spec).on_network;
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
