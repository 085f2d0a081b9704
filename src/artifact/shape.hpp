// Reads a JSON object that the program itself wrote earlier, strictly: every key must be there with its type, and no
// other.
//
//   Shape in(json);
//   verdict.lock = in.text("lock");
//   verdict.witnesses = in.list<Witness>("witnesses", read_witness);
//   in.finish();   // refuses keys that nobody read
//
// Errors are BadInput with the key's path: "cells[3].trials[0].seed: expected a string"; read_json_file adds file and
// line (json_reader.hpp). Files that people write are read by ObjectReader (json_text.hpp) instead, which suggests what
// may have been meant. The JSON must outlive the Shape.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "artifact/error.hpp"

namespace holdfast {

struct ShapeRefusal : BadInput {
  ShapeRefusal(const std::string& at, const std::string& because)
      : BadInput((at.empty() ? "" : at + ": ") + because), path(at), why(because) {}
  std::string path;  // of what was refused, or would stand there
  std::string why;
};

class Shape {
 public:
  explicit Shape(const nlohmann::json& value, std::string path = "");

  bool has(const char* key) const { return value_.contains(key); }
  std::string text(const char* key);
  bool boolean(const char* key);
  double real(const char* key);  // finite, not negative
  std::int64_t integer(const char* key, std::int64_t least = 0, std::int64_t most = INT64_MAX);
  std::uint64_t unsigned64(const char* key);
  std::uint64_t digits(const char* key);  // unsigned 64 bit, kept as a string because JSON readers round large numbers
  std::vector<std::uint64_t> digits_list(const char* key);
  std::vector<std::uint64_t> numbers(const char* key, std::uint64_t most = INT64_MAX);
  std::vector<std::string> texts(const char* key);
  std::map<std::string, std::int64_t> counts(const char* key);
  std::map<std::string, std::string> words(const char* key);

  // The enumerator whose to_text is the word found.
  template <typename Enum>
  Enum word(const char* key) {
    Enum out{};
    if (const std::string found = text(key); !from_text(found, out)) refuse(key, "unknown word '" + found + "'");
    return out;
  }

  template <typename Item, typename Read>
  std::vector<Item> list(const char* key, Read read) {
    std::vector<Item> out;
    for (const auto& item : take(key, nlohmann::json::value_t::array, "an array")) {
      Shape shape(item, path_of(key) + "[" + std::to_string(out.size()) + "]");
      out.push_back(read(shape));
      shape.finish();
    }
    return out;
  }

  // The version of the file's form, which must be `version`. `was`: a key that told it before.
  void form(const char* key, std::int64_t version, const char* was = nullptr);
  Shape object(const char* key);
  const nlohmann::json& any(const char* key) { return take(key); }  // whatever stands there
  bool nothing(const char* key);                                    // null
  void finish() const;
  [[noreturn]] void refuse(const std::string& key, const std::string& why) const;

 private:
  const nlohmann::json& take(const char* key);
  const nlohmann::json& take(const char* key, nlohmann::json::value_t type, const char* expected);
  std::string path_of(const std::string& key) const;

  const nlohmann::json& value_;
  std::string path_;
  std::set<std::string> known_;
};

}  // namespace holdfast
