#include "compare/variants.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "artifact/error.hpp"
#include "artifact/json_reader.hpp"
#include "artifact/scenario_tables.hpp"
#include "lock/lock.hpp"

namespace holdfast {
namespace {

struct SettingChoice {
  std::string key;
  std::vector<std::string> values;
};

// Splits at commas, except inside brackets as in [100,200].
std::vector<std::string> split_list(const std::string& text) {
  std::vector<std::string> out{""};
  int depth = 0;
  for (const char c : text) {
    depth += (c == '[' || c == '{') - (c == ']' || c == '}');
    if (c == ',' && depth == 0) {
      out.emplace_back();
    } else {
      out.back() += c;
    }
  }
  return out;
}

// " (did you mean 'lease_ms'?)"; empty: a valid key, or similar to none.
std::string key_meant(const std::string& key) {
  std::vector<std::string> known;
  for (const auto& one : load_keys()) known.push_back(one.name);
  const std::string near = nearest(key, known);
  return near.empty() || near == key ? "" : " (did you mean '" + near + "'?)";
}

SettingChoice read_choice(const std::string& text) {
  const auto equals = text.find('=');
  SettingChoice out{text.substr(0, equals), {}};
  if (out.key.rfind("load.", 0) == 0) out.key.erase(0, 5);
  if (equals != std::string::npos) out.values = split_list(text.substr(equals + 1));
  const bool empty = std::any_of(out.values.begin(), out.values.end(), [](const auto& v) { return v.empty(); });
  if (out.key.empty() || out.values.empty() || empty) {
    throw BadInput("--set " + text + ": expected KEY=VALUE or KEY=VALUE,VALUE, such as lease_ms=500,1000" +
                   key_meant(out.key));
  }
  if (out.key == "locks" || out.key == "per_lock" || out.key == "expect" || out.key == "why" || out.key == "control") {
    throw BadInput("--set " + text + ": '" + out.key + "' is not a setting of a load, a server or a fault");
  }
  return out;
}

void add_choice(std::vector<ComparedVariant>& all, const SettingChoice& choice) {
  std::vector<ComparedVariant> out;
  for (const auto& variant : all) {
    for (const auto& value : choice.values) {
      ComparedVariant one = variant;
      one.name += " " + choice.key + "=" + value;
      if (!one.settings.emplace(choice.key, value).second) {
        throw BadInput("--set " + choice.key + ": duplicate; separate several values with commas");
      }
      out.push_back(std::move(one));
    }
  }
  all = std::move(out);
}

JsonNode& member(JsonNode& object, const std::string& name) {
  for (auto& m : object.members) {
    if (m.name == name) return m.value;
  }
  JsonNode node;
  node.file = object.file;
  node.line = object.line;
  node.path = object.path.empty() ? name : object.path + "." + name;
  object.members.push_back({name, std::move(node)});
  return object.members.back().value;
}

void drop(JsonNode& root, const std::string& name) {
  std::erase_if(root.members, [&](const JsonMember& m) { return m.name == name; });
}

void put_path(JsonNode& node, const std::string& path) {
  node.path = path;
  for (auto& m : node.members) put_path(m.value, path + "." + m.name);
  for (std::size_t i = 0; i < node.items.size(); ++i) put_path(node.items[i], path + "[" + std::to_string(i) + "]");
}

// Applies the scenario's settings for this lock: all of them, or the faults only.
void apply_own(JsonNode& root, const std::string& lock, bool all) {
  const JsonNode* per_lock = root.find("per_lock");
  const JsonNode* own = per_lock != nullptr ? per_lock->find(lock) : nullptr;
  if (own == nullptr) return drop(root, "per_lock");
  const std::vector<JsonMember> members = own->members;
  drop(root, "per_lock");
  for (const auto& m : members) {
    if (all || m.name == "faults") member(root, m.name) = m.value;
  }
}

}  // namespace

std::vector<ComparedVariant> variants_of(const std::vector<std::string>& locks,
                                         const std::vector<std::string>& settings) {
  std::vector<ComparedVariant> out;
  for (const auto& word : locks) {
    for (const auto& name : split_list(word)) {
      parse_lock_ref(name);
      out.push_back({name, name, {}});
    }
  }
  for (const auto& text : settings) add_choice(out, read_choice(text));
  for (std::size_t i = 0; i < out.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (out[i].name == out[j].name) throw BadInput("duplicate '" + out[i].name + "'");
    }
  }
  return out;
}

JsonNode value_of(const std::string& key, const std::string& text) {
  const std::string place = "--set " + key + "=" + text;
  const bool json = is_json(text);
  JsonNode node = parse_json_text(json ? text : text_of_json(nlohmann::json(text)), place);
  put_path(node, key);
  return node;
}

void set_value(JsonNode& root, const std::string& path, JsonNode value) {
  JsonNode* node = &root;
  std::string rest = path;
  while (!rest.empty()) {
    const auto dot = rest.find('.');
    const std::string name = rest.substr(0, dot);
    rest = dot == std::string::npos ? "" : rest.substr(dot + 1);
    if (node->kind == JsonNode::Kind::array) {
      const bool number = !name.empty() && name.size() < 6 && name.find_first_not_of("0123456789") == std::string::npos;
      const std::size_t at = number ? std::stoul(name) : node->items.size();
      if (at >= node->items.size()) {
        throw BadInput("--set " + path + ": no '" + name + "' in " + node->path + "; it has " +
                       std::to_string(node->items.size()) + ", counted from 0");
      }
      node = &node->items[at];
      continue;
    }
    if (node->kind == JsonNode::Kind::null) node->kind = JsonNode::Kind::object;
    if (node->kind != JsonNode::Kind::object) throw BadInput("--set " + path + ": " + node->path + " has no keys");
    node = &member(*node, name);
  }
  *node = std::move(value);
}

Scenario variant_scenario(const Scenario& base, const ComparedVariant& variant, bool as_written) {
  JsonNode root = base.source;
  apply_own(root, variant.lock, as_written);
  for (const char* name : {"control", "why", "expect"}) drop(root, name);
  JsonNode& expect = member(root, "expect");
  expect.kind = JsonNode::Kind::object;
  member(expect, "*").kind = JsonNode::Kind::object;
  JsonNode& locks = member(root, "locks");
  JsonNode lock = locks.items.front();
  lock.text = variant.lock;
  locks.items = {lock};
  for (const auto& [key, value] : variant.settings) set_value(root, key, value_of(key, value));
  Scenario out = read_scenario(std::move(root), base.source.file);
  out.name = base.suite + "/" + base.name;
  out.seed_name = out.name;
  return out;
}

}  // namespace holdfast
