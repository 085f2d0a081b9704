#include "history/numbered_clients.hpp"

#include "artifact/error.hpp"
#include "history/history_line.hpp"

namespace holdfast {

bool numbers_clients(const std::function<bool(std::string_view&)>& next) {
  std::string_view text;
  Event event;
  HistoryLine line;
  for (int i = 0; i < kReadAhead && next(text); ++i) {
    try {
      parse_history_line(text, event, line);
    } catch (const BadInput&) {
      return false;
    }
    if (event.actor == Actor::client) return line.has_client;
  }
  return false;
}

}  // namespace holdfast
