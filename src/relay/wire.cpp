#include "relay/wire.hpp"

#include "artifact/error.hpp"

namespace holdfast {

const ProtocolType& protocol(const std::string& name) {
  if (const ProtocolType* found = find_entry(protocols(), name)) return *found;
  std::string known;
  for (const auto& one : entry_names(protocols())) known += (known.empty() ? "" : ", ") + one;
  throw BadInput("the relay cannot read protocol '" + name + "'; it reads " + known);
}

}  // namespace holdfast
