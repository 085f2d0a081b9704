// Size bounds of a log that an adapter (adapter/bounded_log.hpp) or a server (lab/server_logs.hpp) writes in a trial:
// its beginning and its end are kept.
#pragma once

#include <cstddef>

namespace holdfast {

inline constexpr std::size_t kBeginOfLog = std::size_t{4} << 20;     // bytes from its beginning
inline constexpr std::size_t kEndOfLogKept = std::size_t{64} << 10;  // bytes before its end

}  // namespace holdfast
