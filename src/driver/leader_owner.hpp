// What a client's lock calls its client, and back again: an observer says who leads by the owner of that one's hello.
//
//   owner_of_client(3)              "client-3"
//   client_of_owner("client-3")     3
//   client_of_owner("")             nothing: nobody leads
//
// Errors: BadMessage where no client is called so.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace holdfast {

std::string owner_of_client(std::uint32_t client);
std::optional<std::uint32_t> client_of_owner(const std::string& owner);

}  // namespace holdfast
