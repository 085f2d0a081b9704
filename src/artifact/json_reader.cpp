#include "artifact/json_reader.hpp"

#include <iterator>
#include <utility>

#include "artifact/visible.hpp"

namespace holdfast {
namespace {

using Json = nlohmann::json;

constexpr int kNumberOverflow = 406;  // the library's own number for it

// Counts lines as the parser reads. The parser copies its iterators, so the count lives outside.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;
  CountingIterator(const char* at, int* line) : at_(at), line_(line) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    if (*at_ == '\n') ++*line_;
    ++at_;
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const CountingIterator& other) const { return at_ == other.at_; }
  bool operator!=(const CountingIterator& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  int* line_;
};

class ValueBuilder : public JsonReader {
 public:
  using JsonReader::JsonReader;
  Json take() { return std::move(root_); }

 private:
  void scalar(Json value) override { place() = std::move(value); }
  void opened(bool object) override {
    Json& made = place();
    made = object ? Json::object() : Json::array();
    open_.push_back(&made);
  }
  void closed() override { open_.pop_back(); }
  bool named(const std::string& key) override {
    const auto [at, fresh] = open_.back()->get_ref<Json::object_t&>().emplace(key, nullptr);
    member_ = &at->second;
    return fresh;
  }
  // A parent's array does not grow while a child is open, and a map's members are not moved.
  Json& place() {
    if (open_.empty()) return root_;
    if (open_.back()->is_object()) return *member_;
    return open_.back()->get_ref<Json::array_t&>().emplace_back();
  }

  Json root_;
  std::vector<Json*> open_;
  Json* member_ = nullptr;
};

class LineFinder : public JsonReader {
 public:
  LineFinder(std::string_view text, std::string path) : JsonReader(text), wanted_(std::move(path)) {}
  int found() const { return found_; }

 private:
  void scalar(Json) override { look(); }
  void opened(bool) override { look(); }
  void closed() override {}
  bool named(const std::string&) override { return true; }
  void look() {
    const std::string here = path();
    const bool leads_there =
        wanted_.rfind(here, 0) == 0 &&
        (wanted_.size() == here.size() || here.empty() || wanted_[here.size()] == '.' || wanted_[here.size()] == '[');
    if (!leads_there || (found_ > 0 && here.size() <= length_)) return;
    found_ = line();
    length_ = here.size();
  }

  std::string wanted_;
  int found_ = 0;
  std::size_t length_ = 0;
};

constexpr std::size_t kHead = 3'000;
constexpr std::size_t kTail = 1'000;

bool within_character(const std::string& text, std::size_t at) {
  return (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;
}

std::string size_text(std::size_t bytes) {
  return bytes >> 20 > 0 ? std::to_string(bytes >> 20) + " MiB" : std::to_string(bytes) + " bytes";
}

}  // namespace

std::string clipped_message(const std::string& text) {
  if (text.size() <= kHead + kTail) return text;
  std::size_t head = kHead;
  std::size_t tail = text.size() - kTail;
  for (int i = 0; i < 3 && within_character(text, head); ++i) --head;
  for (int i = 0; i < 3 && within_character(text, tail); ++i) ++tail;
  return text.substr(0, head) + " [" + std::to_string(tail - head) + " bytes left out] " + text.substr(tail);
}

std::string JsonRefusal::text(const std::string& file) const {
  return valid_utf8(file + ":" + std::to_string(line) + ": " + (path.empty() ? "" : clipped_message(path) + ": ") +
                    clipped_message(why));
}

void JsonReader::read() {
  if (text_.size() > limits_.bytes) refuse("larger than " + size_text(limits_.bytes));
  // Parser versions report this differently.
  if (text_.find_first_not_of(" \t\r\n") == std::string_view::npos) refuse("not JSON: the text is empty");
  const char* first = text_.data();
  Json::sax_parse(CountingIterator(first, &line_), CountingIterator(first + text_.size(), &line_), this);
  // The library takes a NUL for the end of the text and would ignore the rest.
  if (text_.find('\0') != std::string_view::npos) refuse("not JSON: a NUL byte");
}

std::string JsonReader::path() const {
  std::string out;
  for (const Level& level : levels_) {
    if (level.object) {
      out += (out.empty() ? "" : ".") + level.key;
    } else {
      out += "[" + std::to_string(level.items - 1) + "]";
    }
  }
  return out;
}

void JsonReader::refuse(const std::string& why) const {
  throw JsonRefusal{line_, 0, path(), why};
}

void JsonReader::count() {
  if (!levels_.empty()) ++levels_.back().items;
  if (++values_ > limits_.values) refuse("more than " + std::to_string(limits_.values) + " values");
}

bool JsonReader::tell(Json value) {
  count();
  scalar(std::move(value));
  return true;
}

bool JsonReader::string(string_t& value) {
  count();
  if (value.size() > kLongestJsonText) refuse("a string of more than " + size_text(kLongestJsonText));
  scalar(std::move(value));
  return true;
}

bool JsonReader::open(bool object) {
  count();
  if (levels_.size() >= kDeepestJson) refuse("nested too deeply (at most " + std::to_string(kDeepestJson) + ")");
  opened(object);
  levels_.push_back({object, 0, ""});
  return true;
}

bool JsonReader::close() {
  levels_.pop_back();
  closed();
  return true;
}

bool JsonReader::key(string_t& name) {
  if (name.size() > kLongestJsonText) {
    levels_.back().key.clear();
    refuse("a key of more than " + size_text(kLongestJsonText));
  }
  levels_.back().key = name;
  if (!named(name)) refuse("duplicate key");
  return true;
}

bool JsonReader::parse_error(std::size_t at, const std::string&, const nlohmann::detail::exception& error) {
  if (error.id == kNumberOverflow) {
    count();
    refuse("the number is too large");
  }
  // The library's message begins with its code in brackets and a position; both are replaced here.
  std::string_view why = error.what();
  if (auto bracket = why.find("] "); bracket != why.npos) why.remove_prefix(bracket + 2);
  if (auto colon = why.find(": "); why.rfind("parse error at", 0) == 0 && colon != why.npos)
    why.remove_prefix(colon + 2);
  throw JsonRefusal{line_, at, "", "not JSON: " + std::string(why)};
}

Json parse_json(std::string_view text) {
  ValueBuilder builder(text);
  builder.read();
  return builder.take();
}

Json parse_json(std::string_view text, const std::string& file) {
  try {
    return parse_json(text);
  } catch (const JsonRefusal& refused) {
    throw BadInput(refused.text(file));
  }
}

// The library takes a NUL for the end of the text and would ignore the rest.
bool is_json(std::string_view text) {
  return text.find('\0') == std::string_view::npos && Json::accept(text.begin(), text.end());
}

int line_of(std::string_view text, const std::string& path) {
  LineFinder finder(text, path);
  finder.read();
  return finder.found();
}

}  // namespace holdfast
