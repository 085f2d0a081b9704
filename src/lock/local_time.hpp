// A client's own wall clock in the zone of its program, and the text form in which drivers send and read DATETIME and
// TIMESTAMP values: "2030-01-01 12:00:00.250000". A driver sends a local time unchanged, and the server interprets it
// in the session's zone.
#pragma once

#include <cstdint>
#include <string>

#include "store/session.hpp"

namespace holdfast {

std::int64_t local_us(Session& session);     // microseconds, counted as if its zone were UTC
std::string datetime_text(std::int64_t us);  // always with six digits of a fraction
// up to six decimals; throws StatementFailed (definite) for invalid text
std::int64_t us_of_datetime(const std::string& text);

}  // namespace holdfast
