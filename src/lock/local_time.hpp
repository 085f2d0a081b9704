// A client's own wall clock, in the zone of its program, and the texts in which drivers send and read DATETIME and
// TIMESTAMP values: "2030-01-01 12:00:00.250000". A driver that is given a local time sends it as it stands, and the
// server reads it in the zone of the session.
#pragma once

#include <cstdint>
#include <string>

#include "store/session.hpp"

namespace holdfast {

std::int64_t local_us(Session& session);               // microseconds, counted as if its zone were UTC
std::string datetime_text(std::int64_t us);            // always with six digits of a fraction
std::int64_t us_of_datetime(const std::string& text);  // with up to six; throws StatementFailed (definite) for no time

}  // namespace holdfast
