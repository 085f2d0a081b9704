#include "artifact/json_text.hpp"

#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <string_view>

#include "artifact/error.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kDeepest = 64;  // nesting; a scenario needs five

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

class TreeBuilder : public nlohmann::json_sax<nlohmann::json> {
 public:
  TreeBuilder(std::string file, const int* line) : file_(std::move(file)), line_(line) {}
  JsonNode take() { return std::move(root_); }

  bool null() override { return add(JsonNode::Kind::null) != nullptr; }
  bool boolean(bool value) override {
    add(JsonNode::Kind::boolean)->boolean = value;
    return true;
  }
  bool number_integer(number_integer_t value) override {
    add(JsonNode::Kind::integer)->integer = value;
    return true;
  }
  bool number_unsigned(number_unsigned_t value) override {
    JsonNode* node = add(JsonNode::Kind::integer);
    if (value > static_cast<number_unsigned_t>(INT64_MAX)) node->refuse("the number is too large");
    node->integer = static_cast<std::int64_t>(value);
    return true;
  }
  bool number_float(number_float_t value, const string_t&) override {
    add(JsonNode::Kind::real)->real = value;
    return true;
  }
  bool string(string_t& value) override {
    add(JsonNode::Kind::text)->text = value;
    return true;
  }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(JsonNode::Kind::object); }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override { return open(JsonNode::Kind::array); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    JsonNode& object = *open_.back();
    key_ = name;
    if (object.find(name) != nullptr) place(JsonNode{}, child_path(object)).refuse("this key stands here twice");
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& error) override {
    // The library's text begins with its own code in brackets and a position that we name better.
    std::string_view why = error.what();
    if (auto bracket = why.find("] "); bracket != why.npos) why.remove_prefix(bracket + 2);
    if (auto colon = why.find(": "); why.rfind("parse error at", 0) == 0 && colon != why.npos)
      why.remove_prefix(colon + 2);
    JsonNode here;
    place(here, "").refuse("not JSON: " + std::string(why));
  }

 private:
  JsonNode& place(JsonNode node, std::string path) {
    scratch_ = std::move(node);
    scratch_.file = file_;
    scratch_.path = std::move(path);
    scratch_.line = *line_;
    return scratch_;
  }
  std::string child_path(const JsonNode& parent) const {
    if (parent.kind == JsonNode::Kind::array) return parent.path + "[" + std::to_string(parent.items.size()) + "]";
    return parent.path.empty() ? key_ : parent.path + "." + key_;
  }
  JsonNode* add(JsonNode::Kind kind) {
    JsonNode* node = &root_;
    if (open_.empty()) {
      root_ = place(JsonNode{}, "");
    } else {
      JsonNode& parent = *open_.back();
      JsonNode child = place(JsonNode{}, child_path(parent));
      if (parent.kind == JsonNode::Kind::array) {
        node = &parent.items.emplace_back(std::move(child));
      } else {
        node = &parent.members.emplace_back(JsonMember{key_, std::move(child)}).value;
      }
    }
    node->kind = kind;
    return node;
  }
  // A parent's vector does not grow while a child is open, so the pointers on the stack stay good.
  bool open(JsonNode::Kind kind) {
    JsonNode* node = add(kind);
    if (open_.size() >= kDeepest) node->refuse("nested too deeply");
    open_.push_back(node);
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  std::string file_;
  const int* line_;
  JsonNode root_;
  JsonNode scratch_;
  std::vector<JsonNode*> open_;
  std::string key_;
};

}  // namespace

const JsonNode* JsonNode::find(const std::string& key) const {
  for (const auto& [name, value] : members) {
    if (name == key) return &value;
  }
  return nullptr;
}

void JsonNode::refuse(const std::string& why) const {
  throw BadInput(file + ":" + std::to_string(line) + ": " + (path.empty() ? "" : path + ": ") + why);
}

JsonNode parse_json_text(const std::string& text, const std::string& file) {
  int line = 1;
  TreeBuilder builder(file, &line);
  const char* first = text.data();
  nlohmann::json::sax_parse(CountingIterator(first, &line), CountingIterator(first + text.size(), &line), &builder);
  return builder.take();
}

nlohmann::json to_json(const JsonNode& node) {
  switch (node.kind) {
    case JsonNode::Kind::null:
      return nullptr;
    case JsonNode::Kind::boolean:
      return node.boolean;
    case JsonNode::Kind::integer:
      return node.integer;
    case JsonNode::Kind::real:
      return node.real;
    case JsonNode::Kind::text:
      return node.text;
    case JsonNode::Kind::array: {
      auto out = nlohmann::json::array();
      for (const auto& item : node.items) out.push_back(to_json(item));
      return out;
    }
    case JsonNode::Kind::object:
      break;
  }
  auto out = nlohmann::json::object();
  for (const auto& [key, value] : node.members) out[key] = to_json(value);
  return out;
}

}  // namespace holdfast
