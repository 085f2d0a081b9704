// JSON values with their line numbers, and messages for files of older holdfast versions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "artifact/input_file.hpp"

namespace holdfast {

// The present name of a word used by an older holdfast (see docs/changes.md); empty: it was never renamed.
std::string called_now(const std::string& word);

// Explains that a file with an older form is not read.
std::string older_form(std::int64_t found, std::int64_t version);

// JSON values with their line numbers, so that an error can name file:line and the key's path.
//
//   JsonNode root = parse_json_text(read_text_file(path), path);   // refuses duplicate keys
//   ObjectReader in(root);
//   scenario.clients = in.integer("clients", 1, 200).value_or(5);
//   in.finish();                                                   // refuses unread keys: "did you mean ..."
//
// Errors are BadInput: "scenarios/x.json:12: faults[0].for_ms: expected an integer, found a string".

struct JsonMember;

struct JsonNode {
  enum class Kind : std::uint8_t { null, boolean, integer, real, text, array, object };
  Kind kind = Kind::null;
  std::string file;
  std::string path;  // "faults[0].at.phase"; empty for the root
  int line = 0;
  bool boolean = false;
  std::int64_t integer = 0;
  double real = 0;
  std::string text;
  std::vector<JsonNode> items;      // array
  std::vector<JsonMember> members;  // object, in file order

  const JsonNode* find(const std::string& key) const;
  [[noreturn]] void refuse(const std::string& why) const;
};

// Not std::pair: Clang checks whether a pair is copyable before JsonNode is complete.
struct JsonMember {
  std::string name;
  JsonNode value;
};

JsonNode parse_json_text(const std::string& text, const std::string& file);
nlohmann::json to_json(const JsonNode&);

// Converts JSON to text for files and other processes. Bytes that are not UTF-8 (possible in a folder's name) become
// the replacement character, so that they cannot prevent a result from being written.
std::string text_of_json(const nlohmann::json& value, int indent = -1);
std::string text_of_json(const nlohmann::ordered_json& value, int indent = -1);

// Size limits in bytes for files written by people, and for files a program writes about a whole run.
inline constexpr std::size_t kMostByHand = std::size_t{16} << 20;
inline constexpr std::size_t kMostOfRun = std::size_t{512} << 20;

// Reads a whole file as text; throws BadInput if it cannot be read, or is larger.
std::string read_text_file(const InputFile& file, std::size_t most = kMostByHand);

// Writes a temporary file, flushes and renames it, so that a partial file is never taken for a complete one. Replaces
// only plain files. Throws HarnessError.
void write_text_file(const std::string& path, const std::string& text);

// The candidate nearest to `word`, for "did you mean"; empty: none is similar.
std::string nearest(const std::string& word, const std::vector<std::string>& candidates);

// "unknown lock 'x' (did you mean 'y'?); known: a, b, c"
std::string unknown_word(const std::string& what, const std::string& word, const std::vector<std::string>& candidates);

class ObjectReader {
 public:
  explicit ObjectReader(const JsonNode& node);

  // Each returns nothing if the key is absent, and refuses a value of another type or out of bounds.
  std::optional<std::int64_t> integer(const std::string& key, std::int64_t least, std::int64_t most);
  std::optional<double> real(const std::string& key, double least, double most);
  std::optional<bool> boolean(const std::string& key);
  std::optional<std::string> text(const std::string& key);
  std::optional<std::string> choice(const std::string& key, const std::vector<std::string>& allowed);
  std::optional<std::vector<std::string>> texts(const std::string& key);
  const JsonNode* node(const std::string& key);  // marks it as read
  const JsonNode& object() const { return node_; }

  template <typename T>
  T required(const std::string& key, std::optional<T> value) const {
    if (!value) missing(key);
    return *std::move(value);
  }
  void finish() const;

 private:
  const JsonNode* take(const std::string& key, JsonNode::Kind kind, const char* expected);
  [[noreturn]] void missing(const std::string& key) const;

  const JsonNode& node_;
  std::set<std::string> known_;
};

}  // namespace holdfast
