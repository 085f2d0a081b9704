#include "artifact/json_text.hpp"

#include <nlohmann/json.hpp>
#include <string_view>
#include <unordered_set>

#include "artifact/error.hpp"
#include "artifact/json_reader.hpp"

namespace holdfast {
namespace {

// Each of its values takes some 200 bytes here, and people write few.
constexpr JsonLimits kWrittenByPeople{std::size_t{64} << 20, 1'000'000};

class TreeBuilder : public JsonReader {
 public:
  TreeBuilder(std::string_view text, std::string file) : JsonReader(text, kWrittenByPeople), file_(std::move(file)) {}
  JsonNode take() { return std::move(root_); }

 private:
  struct Open {
    JsonNode* node = nullptr;
    std::unordered_set<std::string> keys;
  };

  void scalar(nlohmann::json value) override {
    JsonNode& node = add();
    switch (value.type()) {
      case nlohmann::json::value_t::boolean:
        node.kind = JsonNode::Kind::boolean;
        node.boolean = value.get<bool>();
        return;
      case nlohmann::json::value_t::number_unsigned:
        if (value.get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX)) refuse("the number is too large");
        [[fallthrough]];
      case nlohmann::json::value_t::number_integer:
        node.kind = JsonNode::Kind::integer;
        node.integer = value.get<std::int64_t>();
        return;
      case nlohmann::json::value_t::number_float:
        node.kind = JsonNode::Kind::real;
        node.real = value.get<double>();
        return;
      case nlohmann::json::value_t::string:
        node.kind = JsonNode::Kind::text;
        node.text = std::move(value.get_ref<std::string&>());
        return;
      default:
        return;
    }
  }
  void opened(bool object) override {
    JsonNode& node = add();
    node.kind = object ? JsonNode::Kind::object : JsonNode::Kind::array;
    open_.push_back({&node, {}});
  }
  void closed() override { open_.pop_back(); }
  bool named(const std::string& key) override {
    key_ = key;
    return open_.back().keys.insert(key).second;
  }
  // A parent's vector does not grow while a child is open, so the pointers on the stack stay good.
  JsonNode& add() {
    JsonNode* node = &root_;
    if (!open_.empty()) {
      JsonNode& parent = *open_.back().node;
      const bool array = parent.kind == JsonNode::Kind::array;
      node = array ? &parent.items.emplace_back() : &parent.members.emplace_back(JsonMember{key_, {}}).value;
    }
    node->file = file_;
    node->path = path();
    node->line = line();
    return *node;
  }

  std::string file_;
  JsonNode root_;
  std::vector<Open> open_;
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
  TreeBuilder builder(text, file);
  try {
    builder.read();
  } catch (const JsonRefusal& refused) {
    throw BadInput(refused.text(file));
  }
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
