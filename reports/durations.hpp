// Times and counts as people read them, the same in every report.
#pragma once

#include <cstdint>
#include <string>

namespace holdfast {

std::string moment_text(std::int64_t time_ns);    // "14.203 s": a point of the trial's time
std::string length_text(std::int64_t length_ns);  // "0.41 ms", "812 ms", "2,000 ms", "12.3 s"
std::string wall_text(double seconds);            // "4.2 s", "3 m 12 s", "1 h 02 m": how long a run took
std::string count_text(std::int64_t count);       // "1,204"
std::string plural(std::int64_t count, const std::string& one, const std::string& many);  // "1 cell", "2 cells"

}  // namespace holdfast
