// SQLSTATEs of PostgreSQL that matter here, and their kind for a lock. Source: PostgreSQL's manual, appendix A.
#pragma once

#include <string>
#include <string_view>

#include "store/session.hpp"

namespace holdfast {

inline constexpr std::string_view kUniqueViolation = "23505";
inline constexpr std::string_view kLockNotAvailable = "55P03";  // NOWAIT, or lock_timeout
inline constexpr std::string_view kDeadlockDetected = "40P01";
inline constexpr std::string_view kReadOnlyTransaction = "25006";  // a standby's answer to a write

// Reply for a statement that the server answered with this error.
Reply pg_refused(std::string_view sqlstate, const std::string& message);

}  // namespace holdfast
