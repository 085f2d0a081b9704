// Converts between a client and the owner name it sends to its lock; observers report the leader by owner name.
//
//   owner_of_client(3)              "client-3"
//   client_of_owner("client-3")     3
//   client_of_owner("")             empty: no leader
//
// Throws BadMessage for an unknown name.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace holdfast {

std::string owner_of_client(std::uint32_t client);
std::optional<std::uint32_t> client_of_owner(const std::string& owner);

}  // namespace holdfast
