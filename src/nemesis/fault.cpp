#include "nemesis/fault.hpp"

namespace holdfast {

std::unique_ptr<Fault> make_fault(const FaultSpec& spec) {
  const FaultType* type = find_entry(faults(), spec.fault);
  if (type == nullptr) spec.settings.refuse(unknown_word("fault", spec.fault, entry_names(faults())));
  ObjectReader settings(spec.settings);
  for (const char* common : {"fault", "target", "at", "for_ms"}) settings.node(common);
  auto fault = type->make(settings);
  settings.finish();
  return fault;
}

}  // namespace holdfast
