// Names the ways in which time passes in a trial, as `--time` takes them.
#pragma once

#include <cstdint>
#include <string>

namespace holdfast {

enum class TimeMode : std::uint8_t {
  real,    // the machine's
  skipped  // time in which all programs wait is skipped (virtual_time/timekeeper.hpp)
};
const char* to_text(TimeMode);
bool from_text(const std::string& word, TimeMode& out);

}  // namespace holdfast
