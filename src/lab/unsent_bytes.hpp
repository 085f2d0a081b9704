// Unacknowledged bytes of a node's programs: while packets are dropped, the kernel keeps these bytes and retransmits
// them later.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lab/network.hpp"

namespace holdfast {

// Returns the unacknowledged bytes of the node's TCP connections to these addresses. Throws HarnessError.
std::int64_t unsent_bytes(const Node& node, const std::vector<std::string>& addresses);

// The same for a table in the form of /proc/net/tcp.
std::int64_t unsent_bytes_in(std::string_view table, const std::vector<std::string>& addresses);

}  // namespace holdfast
