#include <algorithm>

#include "artifact/error.hpp"
#include "artifact/json_text.hpp"

namespace holdfast {
namespace {

const char* kind_text(JsonNode::Kind kind) {
  static const char* const kWords[] = {"null",     "true or false", "an integer", "a number",
                                       "a string", "an array",      "an object"};
  return kWords[static_cast<int>(kind)];
}

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

std::string join(const std::vector<std::string>& words) {
  std::string out;
  for (const auto& word : words) out += (out.empty() ? "" : ", ") + word;
  return out;
}

}  // namespace

std::string nearest(const std::string& word, const std::vector<std::string>& candidates) {
  const std::string start = word.substr(0, 64);
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(2, start.size() / 3) + 1;
  for (const auto& candidate : candidates) {
    if (candidate.size() > start.size() + best_distance) continue;  // a key may be a megabyte long
    const std::size_t distance = edit_distance(start, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string unknown_word(const std::string& what, const std::string& word, const std::vector<std::string>& candidates) {
  const std::string near = nearest(word, candidates);
  std::string text = "unknown " + what + " '" + word.substr(0, 64) + "'";
  if (!near.empty()) text += " (did you mean '" + near + "'?)";
  return text + "; there are: " + join(candidates);
}

ObjectReader::ObjectReader(const JsonNode& node) : node_(node) {
  if (node.kind != JsonNode::Kind::object)
    node.refuse(std::string("expected an object, found ") + kind_text(node.kind));
}

const JsonNode* ObjectReader::node(const std::string& key) {
  known_.insert(key);
  return node_.find(key);
}

const JsonNode* ObjectReader::take(const std::string& key, JsonNode::Kind kind, const char* expected) {
  const JsonNode* value = node(key);
  const bool widened = value && kind == JsonNode::Kind::real && value->kind == JsonNode::Kind::integer;
  if (value && value->kind != kind && !widened) {
    value->refuse(std::string("expected ") + expected + ", found " + kind_text(value->kind));
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
    if (item.kind != JsonNode::Kind::text) item.refuse(std::string("expected a string, found ") + kind_text(item.kind));
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

}  // namespace holdfast
