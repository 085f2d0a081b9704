#include <set>
#include <vector>

#include "history/history_fields.hpp"

namespace holdfast {
namespace {

using nlohmann::json;

// Valid JSON has one colon outside its strings for every member of an object.
std::size_t members_written(std::string_view text) {
  std::size_t colons = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') in_string = !in_string;
    if (text[i] == '\\') ++i;
    if (text[i] == ':' && !in_string) ++colons;
  }
  return colons;
}

// Without recursion: foreign lines may be nested as deeply as they like.
std::size_t members_kept(const json& root) {
  std::size_t members = 0;
  std::vector<const json*> open{&root};
  while (!open.empty()) {
    const json& value = *open.back();
    open.pop_back();
    if (value.is_object()) members += value.size();
    for (const json& child : value) {
      if (child.is_structured()) open.push_back(&child);
    }
  }
  return members;
}

[[noreturn]] void name_the_key_that_stands_twice(std::string_view text) {
  std::vector<std::set<std::string>> open;
  const json::parser_callback_t look = [&](int, json::parse_event_t event, json& parsed) {
    if (event == json::parse_event_t::object_start) open.emplace_back();
    if (event == json::parse_event_t::object_end) open.pop_back();
    if (event == json::parse_event_t::key && !open.back().insert(parsed.get<std::string>()).second) {
      throw BadInput(parsed.get<std::string>().substr(0, 64) + ": stands twice in one object");
    }
    return true;
  };
  [[maybe_unused]] const json again = json::parse(text.begin(), text.end(), look);
  throw BadInput("a key stands twice in one object");
}

}  // namespace

// The parser keeps the last of two members of one name and says nothing. Counting them costs little, and only a line
// that has too many is read a second time.
json parse_history_object(std::string_view text) {
  json object;
  try {
    object = json::parse(text.begin(), text.end());
  } catch (const json::parse_error& e) {
    throw BadInput("broken JSON at column " + std::to_string(e.byte) + "; a history has one object a line");
  } catch (const json::out_of_range&) {
    throw BadInput("a number is too large");
  }
  if (!object.is_object()) throw BadInput("expected an object");
  if (members_written(text) != members_kept(object)) name_the_key_that_stands_twice(text);
  return object;
}

}  // namespace holdfast
