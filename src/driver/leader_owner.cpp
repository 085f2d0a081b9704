#include "driver/leader_owner.hpp"

#include "adapter/adapter_message.hpp"
#include "artifact/capacity.hpp"

namespace holdfast {
namespace {

const std::string kBefore = "client-";

}  // namespace

std::string owner_of_client(std::uint32_t client) {
  return kBefore + std::to_string(client);
}

std::optional<std::uint32_t> client_of_owner(const std::string& owner) {
  if (owner.empty()) return std::nullopt;
  for (std::uint32_t client = 0; client < kMostClients + kMostFaults; ++client) {
    if (owner == owner_of_client(client)) return client;
  }
  throw BadMessage(
      "it reports that " + shown_line(owner) +
      " leads, but no hello had that owner; remedy: send the leader's own 'owner', or \"\" if there is no leader");
}

}  // namespace holdfast
