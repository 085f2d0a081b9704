// Names the time that a trial lives in, as `--time` takes it.
#pragma once

#include <cstdint>
#include <string>

namespace holdfast {

enum class TimeMode : std::uint8_t {
  real,    // the machine's
  skipped  // that in which all of its programs wait is skipped (virtual_time/timekeeper.hpp)
};
const char* to_text(TimeMode);
bool from_text(const std::string& word, TimeMode& out);

}  // namespace holdfast
