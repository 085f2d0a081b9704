// Strictly reads JSON that the program itself wrote earlier: every key must be present with its type, and no others.
//
//   StrictReader in(json);
//   verdict.lock = in.at("lock").text();
//   in.finish();   // refuses keys that were not read
//
// Errors are BadInput with the key's path: "cells[3].trials[0].seed: expected a string"; read_json_file adds file and
// line (json_reader.hpp). Whole structures are read from field tables (json_fields.hpp). Files that people write are
// read by ObjectReader (json_text.hpp) instead, which suggests corrections. The JSON must outlive its reader, and an
// object the readers of its values.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>

#include "artifact/error.hpp"

namespace holdfast {

struct StrictReaderError : BadInput {
  StrictReaderError(const std::string& at, const std::string& because)
      : BadInput((at.empty() ? "" : at + ": ") + because), path(at), why(because) {}
  std::string path;  // path of the refused or missing value
  std::string why;
};

// A value and its location. The path is built only for an error.
class JsonPlace {
 public:
  explicit JsonPlace(const nlohmann::json& value) : value_(&value) {}
  JsonPlace(const nlohmann::json& value, const JsonPlace& above, std::string_view key)
      : value_(&value), above_(&above), key_(key) {}
  JsonPlace(const nlohmann::json& value, const JsonPlace& above, std::size_t index)
      : value_(&value), above_(&above), index_(index) {}

  const nlohmann::json& value() const { return *value_; }
  std::string path() const;
  [[noreturn]] void refuse(const std::string& why) const;

  const std::string& text() const;
  bool boolean() const;
  double real() const;  // finite, not negative
  std::int64_t integer(std::int64_t least, std::int64_t most) const;
  std::uint64_t digits() const;  // unsigned 64 bit, kept as a string because JSON readers round large numbers

  // Returns the enumerator whose to_text equals the word.
  template <typename Enum>
  Enum word() const {
    Enum out{};
    if (!from_text(text(), out)) refuse("unknown word '" + text() + "'");
    return out;
  }

  template <typename Read>
  void for_items(Read read) const {
    expect(nlohmann::json::value_t::array, "an array");
    std::size_t index = 0;
    for (const auto& item : *value_) read(JsonPlace(item, *this, index++));
  }
  template <typename Read>
  void for_members(Read read) const {
    expect(nlohmann::json::value_t::object, "an object");
    for (const auto& [name, member] : value_->items()) read(name, JsonPlace(member, *this, name));
  }

 private:
  void expect(nlohmann::json::value_t type, const char* expected) const;

  const nlohmann::json* value_;
  const JsonPlace* above_ = nullptr;
  std::string_view key_;   // in an object
  std::size_t index_ = 0;  // in an array: its index
};

class StrictReader {
 public:
  explicit StrictReader(const nlohmann::json& value) : StrictReader(JsonPlace(value)) {}
  explicit StrictReader(const JsonPlace& place);

  bool has(const char* key) const { return place_.value().contains(key); }
  JsonPlace at(std::string_view key);  // the key must exist
  void finish() const;
  [[noreturn]] void refuse(std::string_view key, const std::string& why) const;

  // Checks the version of the file's form against `version`. `was`: former name of the key.
  void form(const char* key, std::int64_t version, const char* was = nullptr);

 private:
  JsonPlace place_;
  std::set<std::string, std::less<>> known_;
};

}  // namespace holdfast
