// Reads all JSON from files and other processes: any bytes give a value or one clear error.
//
//   const nlohmann::json facts = parse_json(text, "facts.json");
//   const RunVerdict run = read_json_file(folder + "/verdict.json", from_json<RunVerdict>);
//
// Wraps nlohmann/json's parser with limits on the file's size, the nesting, the number of values and the length of a
// text; duplicate keys are refused. Errors are BadInput: "verdict.json:7: cells[0].why: expected a string". For a value
// refused by a StrictReader (strict_reader.hpp) the line is found by a second pass, so only errors cost time.
//
// Files that people write are read as JsonNode (json_text.hpp), which has each value's line. Plain history lines are
// read without a parser (history/plain_line.hpp); all other lines are read here.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "artifact/error.hpp"
#include "artifact/json_text.hpp"
#include "artifact/strict_reader.hpp"

namespace holdfast {

inline constexpr std::size_t kDeepestJson = 64;                        // nesting; a verdict needs nine
inline constexpr std::size_t kLongestJsonText = std::size_t{1} << 20;  // bytes of one key or text

struct JsonLimits {
  std::size_t bytes = kMostOfRun;
  std::size_t values = 20'000'000;
};

// Returns the first 3000 and the last 1000 bytes of a longer text (a remedy is at the end) and the number of bytes left
// out: the part of a foreign file that a message may quote.
std::string clipped_message(const std::string& text);

// Reason and place of an error, for the caller's message.
struct JsonRefusal {
  int line = 1;
  std::size_t column = 0;
  std::string path;  // "cells[0].why"; empty for the root, and if the text is not JSON
  std::string why;

  std::string text(const std::string& file) const;
};

// Reports values in file order; the derived class decides what to build from them.
class JsonReader : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit JsonReader(std::string_view text, JsonLimits limits = {}) : text_(text), limits_(limits) {}
  void read();  // throws JsonRefusal

  bool null() final { return tell(nullptr); }
  bool boolean(bool value) final { return tell(value); }
  bool number_integer(number_integer_t value) final { return tell(value); }
  bool number_unsigned(number_unsigned_t value) final { return tell(value); }
  bool number_float(number_float_t value, const string_t&) final { return tell(value); }
  bool string(string_t& value) final;
  bool binary(binary_t&) final { return false; }
  bool start_object(std::size_t) final { return open(true); }
  bool end_object() final { return close(); }
  bool start_array(std::size_t) final { return open(false); }
  bool end_array() final { return close(); }
  bool key(string_t& name) final;
  bool parse_error(std::size_t at, const std::string&, const nlohmann::detail::exception& error) final;

 protected:
  virtual void scalar(nlohmann::json value) = 0;
  virtual void opened(bool object) = 0;
  virtual void closed() = 0;
  virtual bool named(const std::string& key) = 0;  // returns true if the key is new in its object

  int line() const { return line_; }
  std::string path() const;  // path of the current value
  [[noreturn]] void refuse(const std::string& why) const;

 private:
  struct Level {
    bool object = false;
    std::size_t items = 0;
    std::string key;
  };
  bool tell(nlohmann::json value);
  bool open(bool object);
  bool close();
  void count();

  std::string_view text_;
  JsonLimits limits_;
  int line_ = 1;
  std::size_t values_ = 0;
  std::vector<Level> levels_;
};

nlohmann::json parse_json(std::string_view text);                           // throws JsonRefusal
nlohmann::json parse_json(std::string_view text, const std::string& file);  // throws BadInput

bool is_json(std::string_view text);  // parse_json may still refuse it because of a limit

// Returns the line of the value at `path`, or of its parent if it is missing.
int line_of(std::string_view text, const std::string& path);

// Converts errors of `read` in a file's JSON to BadInput with the file's name, and with the line if a StrictReader
// knows the path.
template <typename Read>
auto read_json_text(const std::string& text, const std::string& file, Read read) {
  const nlohmann::json json = parse_json(text, file);
  try {
    return read(json);
  } catch (const StrictReaderError& wrong) {
    throw BadInput(JsonRefusal{line_of(text, wrong.path), 0, wrong.path, wrong.why}.text(file));
  } catch (const std::exception& wrong) {
    throw BadInput(file + ": " + clipped_message(wrong.what()));
  }
}

template <typename Read>
auto read_json_file(const InputFile& file, Read read) {
  return read_json_text(read_text_file(file, kMostOfRun), file.path(), read);
}

}  // namespace holdfast
