// An event of one of several logs, with names from its line instead of ids.
#pragma once

#include <cstdint>

#include "history/history_line.hpp"

namespace holdfast {

struct LoggedEvent {
  Event event;
  HistoryLine line;
  std::uint64_t position = 0;  // line on which it begins
};

}  // namespace holdfast
