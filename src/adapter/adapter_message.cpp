#include "adapter/adapter_message.hpp"

#include <algorithm>
#include <charconv>

#include "adapter/message_rows.hpp"
#include "artifact/json_reader.hpp"
#include "artifact/json_text.hpp"
#include "artifact/visible.hpp"

namespace holdfast {
namespace {

using nlohmann::json;

constexpr std::size_t kShownOfLine = 200;
constexpr std::size_t kDeepestMessage = 6;  // the options in hello may be nested

const char* key_of(Direction direction) {
  return direction == Direction::request ? "do" : "is";
}

std::string found_text(const json& value) {
  if (value.is_number_float()) return "a fraction";
  if (value.is_number()) return "a number";
  if (value.is_string()) return "a text";
  if (value.is_boolean()) return "true or false";
  if (value.is_null()) return "null";
  return value.is_array() ? "a list" : "an object";
}

[[noreturn]] void refuse(const std::string& why) {
  throw BadMessage(why);
}

[[noreturn]] void refuse_type(const std::string& path, const char* expected, const json& found) {
  refuse(path + ": expected " + expected + ", found " + found_text(found));
}

std::int64_t whole_in(const json& value, const std::string& path, Bounds bounds) {
  if (!value.is_number_integer()) refuse_type(path, "a whole number", value);
  const bool beyond = value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX);
  const std::int64_t number = beyond ? INT64_MAX : value.get<std::int64_t>();
  if (beyond || number < bounds.least || number > bounds.most) {
    refuse(path + ": must be from " + std::to_string(bounds.least) + " to " + std::to_string(bounds.most));
  }
  return number;
}

std::uint64_t digits_in(const json& value, const std::string& path, Bounds bounds) {
  if (!value.is_string()) return static_cast<std::uint64_t>(whole_in(value, path, bounds));
  const std::string& text = value.get_ref<const std::string&>();
  std::uint64_t number = 0;
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (wrong != std::errc() || end != text.data() + text.size()) refuse(path + ": expected digits, at most 64 bits");
  return number;
}

std::string text_in(const json& value, const std::string& path, const std::vector<std::string>& words) {
  if (!value.is_string()) refuse_type(path, "a text", value);
  std::string text = value.get<std::string>();
  if (!words.empty() && std::find(words.begin(), words.end(), text) == words.end()) {
    refuse(path + ": " + unknown_word("word", text, words));
  }
  return text;
}

const json& list_in(const json& value, const char* path) {
  if (!value.is_array()) refuse_type(path, "a list", value);
  return value;
}

std::string item_of(const std::string& path, std::size_t at) {
  return path + "[" + std::to_string(at) + "]";
}

void refuse_unknown(const json& object, const std::string& path, const std::vector<std::string>& known) {
  for (const auto& [key, value] : object.items()) {
    if (std::find(known.begin(), known.end(), key) == known.end()) refuse(path + unknown_word("key", key, known));
  }
}

AdapterServer server_in(const json& value, const std::string& path) {
  if (!value.is_object()) refuse_type(path, "an object", value);
  const std::vector<std::string> keys{"kind", "role", "host", "port"};
  refuse_unknown(value, path + ": ", {"kind", "role", "host", "port", "user", "database"});
  for (const auto& key : keys) {
    if (!value.contains(key)) refuse(path + ": '" + key + "' is missing");
  }
  const auto word = [&](const char* key) { return text_in(value.at(key), path + "." + key, {}); };
  const auto absent = [&](const char* key) { return value.contains(key) ? word(key) : std::string(); };
  const std::int64_t port = whole_in(value.at("port"), path + ".port", {0, 65535});
  return {word("kind"), word("role"), word("host"), port, absent("user"), absent("database")};
}

AssertionName assertion_in(const json& value, const std::string& path) {
  if (!value.is_object()) refuse_type(path, "an object", value);
  refuse_unknown(value, path + ": ", {"kind", "name"});
  for (const char* key : {"kind", "name"}) {
    if (!value.contains(key)) refuse(path + ": '" + key + "' is missing");
  }
  AssertionName out;
  from_text(text_in(value.at("kind"), path + ".kind", assertion_kinds()), out.kind);
  out.name = text_in(value.at("name"), path + ".name", {});
  if (const std::string wrong = name_error(out.name); !wrong.empty()) refuse(path + ".name: " + wrong);
  return out;
}

// Reads the value of one field according to its member's type.
struct ReadField {
  const MessageField& field;
  const json& value;
  AdapterMessage& out;

  void operator()(std::optional<std::int64_t> AdapterMessage::*member) const {
    out.*member = whole_in(value, field.name, field.bounds);
  }
  void operator()(std::optional<std::uint64_t> AdapterMessage::*member) const {
    out.*member = digits_in(value, field.name, field.bounds);
  }
  void operator()(std::optional<std::string> AdapterMessage::*member) const {
    out.*member = text_in(value, field.name, field.words);
  }
  void operator()(std::optional<std::vector<std::string>> AdapterMessage::*member) const {
    std::vector<std::string>& list = (out.*member).emplace();
    for (const json& item : list_in(value, field.name)) {
      list.push_back(text_in(item, item_of(field.name, list.size()), field.words));
    }
  }
  void operator()(std::optional<std::vector<AdapterServer>> AdapterMessage::*member) const {
    std::vector<AdapterServer>& list = (out.*member).emplace();
    for (const json& item : list_in(value, field.name))
      list.push_back(server_in(item, item_of(field.name, list.size())));
  }
  void operator()(std::optional<std::vector<AssertionName>> AdapterMessage::*member) const {
    std::vector<AssertionName>& list = (out.*member).emplace();
    for (const json& item : list_in(value, field.name))
      list.push_back(assertion_in(item, item_of(field.name, list.size())));
    if (list.size() > kMostAssertions) refuse(std::string(field.name) + ": at most " + std::to_string(kMostAssertions));
  }
  void operator()(std::optional<bool> AdapterMessage::*member) const {
    if (!value.is_boolean()) refuse_type(field.name, "true or false", value);
    out.*member = value.get<bool>();
  }
  void operator()(std::optional<json> AdapterMessage::*member) const {
    if (!value.is_object()) refuse_type(field.name, "an object", value);
    out.*member = value;
  }
};

json json_of(std::int64_t value) {
  return value;
}
json json_of(std::uint64_t value) {
  if (value > static_cast<std::uint64_t>(kLargestExact)) return std::to_string(value);
  return value;
}
json json_of(const std::string& value) {
  return valid_utf8(value);
}
json json_of(const json& value) {
  return value;
}
json json_of(const AdapterServer& server) {
  json out{{"kind", server.kind}, {"role", server.role}, {"host", server.host}, {"port", server.port}};
  if (!server.user.empty()) out["user"] = server.user;
  if (!server.database.empty()) out["database"] = server.database;
  return out;
}
json json_of(bool value) {
  return value;
}
json json_of(const AssertionName& assertion) {
  return {{"kind", to_text(assertion.kind)}, {"name", valid_utf8(assertion.name)}};
}
template <typename Item>
json json_of(const std::vector<Item>& list) {
  json out = json::array();
  for (const Item& item : list) out.push_back(json_of(item));
  return out;
}

std::vector<std::string> words_said(bool requests) {
  std::vector<std::string> words;
  for (const MessageRow& row : message_rows()) {
    if ((row.direction == Direction::request) == requests) words.emplace_back(row.word);
  }
  return words;
}

const MessageRow& row_in(const json& message, bool requests) {
  const char* key = key_of(requests ? Direction::request : Direction::answer);
  if (!message.is_object()) refuse("expected an object, found " + found_text(message));
  if (!message.contains(key)) refuse(std::string("'") + key + "' is missing");
  const std::string word = text_in(message.at(key), key, words_said(requests));
  for (const MessageRow& row : message_rows()) {
    if (word == row.word) return row;
  }
  refuse("no row");  // the word is checked before
}

// Runs before parsing, so that deep nesting costs nothing. Ignores brackets inside texts.
bool too_deep(std::string_view line) {
  std::size_t depth = 0;
  bool text = false;
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (text) {
      if (line[at] == '\\')
        ++at;
      else if (line[at] == '"')
        text = false;
    } else if (line[at] == '"') {
      text = true;
    } else if (line[at] == '{' || line[at] == '[') {
      if (++depth > kDeepestMessage) return true;
    } else if ((line[at] == '}' || line[at] == ']') && depth > 0) {
      --depth;
    }
  }
  return false;
}

json parsed(std::string_view line) {
  if (line.size() > kLongestMessage) {
    refuse("longer than " + std::to_string(kLongestMessage) + " bytes");
  }
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t length = utf8_length(line, at);
    if (length == 0) refuse("not UTF-8 at byte " + std::to_string(at + 1));
    at += length;
  }
  if (too_deep(line)) refuse("nested too deeply (at most " + std::to_string(kDeepestMessage) + ")");
  try {
    return parse_json(line);
  } catch (const JsonRefusal& refused) {
    refuse((refused.path.empty() ? "" : refused.path + ": ") + refused.why);
  }
}

AdapterMessage message_in(std::string_view line, bool requests) {
  const json object = parsed(line);
  const MessageRow& row = row_in(object, requests);
  std::vector<std::string> known{key_of(row.direction)};
  for (const MessageField& field : row.fields) known.emplace_back(field.name);
  const std::string word = row.word;
  refuse_unknown(object, word + ": ", known);
  AdapterMessage out;
  out.name = row.name;
  for (const MessageField& field : row.fields) {
    const auto found = object.find(field.name);
    if (found != object.end())
      std::visit(ReadField{field, *found, out}, field.member);
    else if (field.required)
      refuse(word + ": '" + field.name + "' is missing");
  }
  if (const std::string wrong = out.assertion ? name_error(*out.assertion) : ""; !wrong.empty())
    refuse(word + ": name: " + wrong);
  return out;
}

AdapterMessage read_line(std::string_view line, bool requests) {
  try {
    return message_in(line, requests);
  } catch (const BadMessage& wrong) {
    const std::string shown = line.empty() ? "(an empty line)" : shown_line(line);
    const std::string why = valid_utf8(clipped_message(wrong.what()));  // the message may quote part of a character
    throw BadMessage("not a message: " + why + "; the line: " + shown);
  }
}

}  // namespace

std::string shown_line(std::string_view line) {
  return clipped(valid_utf8(line.substr(0, 4 * kShownOfLine)), kShownOfLine);
}

const char* to_text(MessageName name) {
  return row_of(name).word;
}

std::string to_line(const AdapterMessage& message) {
  const MessageRow& row = row_of(message.name);
  json out{{key_of(row.direction), row.word}};
  for (const MessageField& field : row.fields) {
    std::visit(
        [&](auto member) {
          if (message.*member) out[field.name] = json_of(*(message.*member));
        },
        field.member);
    if (field.required && !out.contains(field.name)) {
      throw std::logic_error(std::string(row.word) + " without its " + field.name);
    }
  }
  return text_of_json(out);
}

AdapterMessage read_adapter_line(std::string_view line) {
  return read_line(line, false);
}

AdapterMessage read_request_line(std::string_view line) {
  return read_line(line, true);
}

}  // namespace holdfast
