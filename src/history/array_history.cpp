#include "history/array_history.hpp"

#include "artifact/error.hpp"
#include "history/numbered_clients.hpp"

namespace holdfast {

ArrayHistory::ArrayHistory(const InputFile& file) : path_(file.path()), elements_(file) {
  JsonArray ahead(file);
  try {
    if (numbers_clients([&ahead](std::string_view& text) { return ahead.next(text); })) rules_.clients_are_numbered();
  } catch (const BadInput&) {  // a broken array is reported when it is reached
  }
}

bool ArrayHistory::next(Event& event) {
  std::string_view text;
  if (!elements_.next(text)) {
    if (rules_.events() == 0) throw BadInput(path_ + ": is an empty array: a history has at least one event");
    return false;
  }
  try {
    parse_history_line(text, event, line_);
    if (line_.has_time) times_.admit(line_.time_form, event.time_ns);
    rules_.admit(event, line_);
  } catch (const BadInput& e) {
    throw BadInput(place() + ": " + e.what());
  }
  return true;
}

}  // namespace holdfast
