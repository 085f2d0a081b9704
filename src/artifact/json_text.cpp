#include "artifact/json_text.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "artifact/enumeration.hpp"
#include "artifact/error.hpp"
#include "artifact/escaped_json.hpp"
#include "artifact/json_reader.hpp"
#include "artifact/property_words.hpp"
#include "artifact/run_directory.hpp"

namespace holdfast {
namespace {

struct Renamed {
  const char* was;
  const char* is;
};

constexpr std::array kKeys{Renamed{"exposure", "coverage"}};

// Each value takes about 200 bytes here, and files by people have few.
constexpr JsonLimits kWrittenByPeople{kMostByHand, 1'000'000};

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
      case nlohmann::json::value_t::null:
      case nlohmann::json::value_t::object:  // these are reported by `opened`
      case nlohmann::json::value_t::array:
      case nlohmann::json::value_t::binary:  // these do not occur in text
      case nlohmann::json::value_t::discarded:
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
  // A parent's vector does not grow while a child is open, so pointers on the stack stay valid.
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

constexpr EnumWords<JsonNode::Kind> kNodeKinds({"null", "true or false", "an integer", "a number", "a string",
                                                "an array", "an object"});

std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
    }
  }
  return row[b.size()];
}

std::size_t equal_beginning(const std::string& a, const std::string& b) {
  const std::size_t most = std::min(a.size(), b.size());
  return static_cast<std::size_t>(
      std::mismatch(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(most), b.begin()).first - a.begin());
}

constexpr std::size_t kLongestWord = 64;  // longest text to compare
constexpr std::size_t kMostListed = 45;   // limit for listing all known words; beyond it only similar ones are listed
constexpr std::size_t kMostBesideNear = 25;  // the same beside a suggestion
constexpr std::size_t kFew = 3;

// The nearest of many words, at any distance.
std::vector<std::string> nearest_few(const std::string& word, const std::vector<std::string>& candidates) {
  const std::string start = word.substr(0, kLongestWord);
  std::vector<std::pair<std::size_t, std::string>> by_distance;
  for (const auto& one : candidates) by_distance.emplace_back(edit_distance(start, one.substr(0, kLongestWord)), one);
  std::sort(by_distance.begin(), by_distance.end());
  std::vector<std::string> out;
  for (const auto& [distance, one] : by_distance) {
    if (out.size() < kFew) out.push_back(one);
  }
  return out;
}

std::string join(const std::vector<std::string>& words) {
  std::string out;
  for (const auto& word : words) out += (out.empty() ? "" : ", ") + word;
  return out;
}

}  // namespace

std::string called_now(const std::string& word) {
  for (const auto& one : kKeys) {
    if (word == one.was) return one.is;
  }
  for (const auto& [name, words] : property_words()) {
    if (word == words->was) return name;
  }
  return "";
}

std::string older_form(std::int64_t found, std::int64_t version) {
  return "form " + std::to_string(found) + " was written by an older holdfast; this version reads form " +
         std::to_string(version) + "; docs/changes.md lists the renamed keys; remedy: run it again";
}

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

std::string text_of_json(const nlohmann::json& value, int indent) {
  return escaped_json(value.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace));
}

std::string text_of_json(const nlohmann::ordered_json& value, int indent) {
  return escaped_json(value.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
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

std::string nearest(const std::string& word, const std::vector<std::string>& candidates) {
  const std::string start = word.substr(0, 64);
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(2, start.size() / 3) + 1;
  std::size_t best_begin = 0;  // for equal distances the longer common prefix wins: leas_ms is lease_ms, not lead_ms
  for (const auto& candidate : candidates) {
    if (candidate.size() > start.size() + best_distance) continue;  // a key may be a megabyte long
    const std::size_t distance = edit_distance(start, candidate);
    const std::size_t begin = equal_beginning(start, candidate);
    if (distance < best_distance || (!best.empty() && distance == best_distance && begin > best_begin)) {
      best_distance = distance;
      best_begin = begin;
      best = candidate;
    }
  }
  if (!best.empty() || start.empty()) return best;
  const auto longer = std::find_if(candidates.begin(), candidates.end(), [&](const std::string& candidate) {
    return candidate.rfind(start + "_", 0) == 0;  // lease: lease_ms
  });
  return longer == candidates.end() ? best : *longer;
}

std::string unknown_word(const std::string& what, const std::string& word, const std::vector<std::string>& candidates) {
  const std::string near = nearest(word, candidates);
  std::string text = "unknown " + what + " '" + word.substr(0, 64) + "'";
  const std::string now = called_now(word);
  if (!now.empty()) return text + ": it is now called '" + now + "'";
  if (!near.empty()) text += " (did you mean '" + near + "'?)";
  if (candidates.size() > kMostListed) {
    return near.empty() ? text + "; the nearest: " + join(nearest_few(word, candidates)) : text;
  }
  if (!near.empty() && candidates.size() > kMostBesideNear) return text;
  return text + "; known: " + join(candidates);
}

ObjectReader::ObjectReader(const JsonNode& node) : node_(node) {
  if (node.kind != JsonNode::Kind::object)
    node.refuse(std::string("expected an object, found ") + kNodeKinds[node.kind]);
}

const JsonNode* ObjectReader::node(const std::string& key) {
  known_.insert(key);
  return node_.find(key);
}

const JsonNode* ObjectReader::take(const std::string& key, JsonNode::Kind kind, const char* expected) {
  const JsonNode* value = node(key);
  const bool widened = value && kind == JsonNode::Kind::real && value->kind == JsonNode::Kind::integer;
  if (value && value->kind != kind && !widened) {
    value->refuse(std::string("expected ") + expected + ", found " + kNodeKinds[value->kind]);
  }
  return value;
}

std::optional<std::int64_t> ObjectReader::integer(const std::string& key, std::int64_t least, std::int64_t most) {
  const JsonNode* value = take(key, JsonNode::Kind::integer, "an integer");
  if (!value) return std::nullopt;
  if (value->integer < least || value->integer > most) {
    value->refuse("must be from " + std::to_string(least) + " to " + std::to_string(most));
  }
  return value->integer;
}

std::optional<double> ObjectReader::real(const std::string& key, double least, double most) {
  const JsonNode* value = take(key, JsonNode::Kind::real, "a number");
  if (!value) return std::nullopt;
  const double number = value->kind == JsonNode::Kind::integer ? static_cast<double>(value->integer) : value->real;
  if (!(number >= least && number <= most)) {
    value->refuse("must be from " + std::to_string(least) + " to " + std::to_string(most));
  }
  return number;
}

std::optional<bool> ObjectReader::boolean(const std::string& key) {
  const JsonNode* value = take(key, JsonNode::Kind::boolean, "true or false");
  return value ? std::optional(value->boolean) : std::nullopt;
}

std::optional<std::string> ObjectReader::text(const std::string& key) {
  const JsonNode* value = take(key, JsonNode::Kind::text, "a string");
  return value ? std::optional(value->text) : std::nullopt;
}

std::optional<std::string> ObjectReader::choice(const std::string& key, const std::vector<std::string>& allowed) {
  auto word = text(key);
  if (word && std::find(allowed.begin(), allowed.end(), *word) == allowed.end()) {
    node(key)->refuse(unknown_word(key, *word, allowed));
  }
  return word;
}

std::optional<std::vector<std::string>> ObjectReader::texts(const std::string& key) {
  const JsonNode* value = take(key, JsonNode::Kind::array, "an array of strings");
  if (!value) return std::nullopt;
  std::vector<std::string> out;
  for (const auto& item : value->items) {
    if (item.kind != JsonNode::Kind::text)
      item.refuse(std::string("expected a string, found ") + kNodeKinds[item.kind]);
    out.push_back(item.text);
  }
  return out;
}

void ObjectReader::missing(const std::string& key) const {
  std::vector<std::string> others;
  for (const auto& [name, value] : node_.members) {
    if (known_.count(name) == 0) others.push_back(name);
  }
  const std::string near = nearest(key, others);
  node_.refuse("'" + key + "' is missing" + (near.empty() ? "" : " (did you mean it by '" + near + "'?)"));
}

void ObjectReader::finish() const {
  const std::vector<std::string> known(known_.begin(), known_.end());
  for (const auto& [key, value] : node_.members) {
    if (known_.count(key) == 0) value.refuse(unknown_word("key", key, known));
  }
}

std::string read_text_file(const InputFile& file, std::size_t most) {
  return file.text(most);
}

void write_text_file(const std::string& path, const std::string& text) {
  const auto slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) throw HarnessError(path + ": cannot be created: " + system_text(errno));
  try {
    write_whole(fd, path.substr(slash + 1), text, false, path);
  } catch (...) {
    ::close(fd);
    throw;
  }
  ::close(fd);
}

}  // namespace holdfast
