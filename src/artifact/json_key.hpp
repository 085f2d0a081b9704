// Declares a key of a JSON object once: its name, allowed values, meaning, and how to read and write it.
//
//   const std::vector<JsonKey<Load>> all{
//   whole_key("clients", &Load::clients, {1, kMostClients}, "client processes, one per node"), ...};
//   read_keys(all, in, load);          // an absent key leaves its member unchanged
//   write_keys(all, load, json);
//
// Tables of keys define the files that people write (scenarios, plans, an adapter's lock.json), their schemas and the
// tables in the docs; scenario_tables.hpp has those of scenarios. The program's own files use the stricter fields of
// json_fields.hpp, which are keys as well.
//
// `schema` holds all constraints that a schema can express; `read` refuses everything else. A schema may point to
// "#/definitions/...", which scenario_definitions() provides for scenarios.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "artifact/json_text.hpp"

namespace holdfast {

using Schema = nlohmann::ordered_json;

template <typename Object, typename Reader = ObjectReader>
struct JsonKey {
  std::string name;
  Schema schema;      // of the value
  std::string about;  // for editors and docs/scenario.md; may be empty if the name is clear
  std::function<void(Reader&, Object&)> read;
  std::function<nlohmann::json(const Object&)> value;  // value to write; null: leave the key out
  nlohmann::json usual{};                              // default of an absent key; null: none to state
  bool null_too = false;                               // null is a valid value and is written
  bool may_lack = true;                                // an object without it is accepted
  void (*define)(Schema& definitions) = nullptr;       // adds the definitions that `schema` points to
};

struct Bounds {
  std::int64_t least = 0;
  std::int64_t most = 0;
};

inline constexpr std::int64_t kLongest_ms = 24LL * 3600 * 1000;
inline constexpr Bounds kAnyTime{0, kLongest_ms};

// Points to a named definition in the schema.
inline Schema reference_to(const std::string& definition) {
  return {{"$ref", "#/definitions/" + definition}};
}

inline Schema schema_of(Bounds bounds) {
  if (bounds.least == 0 && bounds.most == kLongest_ms) return reference_to("milliseconds");
  Schema out{{"type", "integer"}};
  if (bounds.least != INT64_MIN) out["minimum"] = bounds.least;
  if (bounds.most != INT64_MAX) out["maximum"] = bounds.most;
  return out;
}

// Bounds below the smallest value, or an empty optional, mean no bound.
template <typename Member>
nlohmann::json usual_of(const Member& member) {
  const nlohmann::json usual = member;
  const bool none = usual.is_number() ? usual < 0 : usual.is_boolean() ? false : member == Member{};
  return none ? nlohmann::json(nullptr) : usual;
}

// Declares a key for a member of one of these types.
template <typename Object, typename Member>
JsonKey<Object> plain_key(const char* name, Member Object::*member, Schema schema, const char* about,
                          std::function<std::optional<Member>(ObjectReader&)> take) {
  return {name,
          std::move(schema),
          about,
          [take, member](ObjectReader& in, Object& out) { out.*member = take(in).value_or(out.*member); },
          [member](const Object& out) { return nlohmann::json(out.*member); },
          usual_of(Object{}.*member)};
}

template <typename Object>
JsonKey<Object> whole_key(const char* name, std::int64_t Object::*member, Bounds bounds, const char* about) {
  return plain_key<Object, std::int64_t>(name, member, schema_of(bounds), about, [name, bounds](ObjectReader& in) {
    return in.integer(name, bounds.least, bounds.most);
  });
}

template <typename Object>
JsonKey<Object> yes_key(const char* name, bool Object::*member, const char* about) {
  return plain_key<Object, bool>(name, member, {{"type", "boolean"}}, about,
                                 [name](ObjectReader& in) { return in.boolean(name); });
}

template <typename Object>
JsonKey<Object> text_key(const char* name, std::string Object::*member, Schema schema, const char* about) {
  return plain_key<Object, std::string>(name, member, std::move(schema), about,
                                        [name](ObjectReader& in) { return in.text(name); });
}

template <typename Object>
JsonKey<Object> word_key(const char* name, std::string Object::*member, std::vector<std::string> words,
                         const char* about) {
  return plain_key<Object, std::string>(name, member, {{"enum", words}}, about,
                                        [name, words](ObjectReader& in) { return in.choice(name, words); });
}

// Writes the key only if its value differs from the default.
template <typename Object, typename Reader>
JsonKey<Object, Reader> unless_usual(JsonKey<Object, Reader> key) {
  key.value = [value = key.value](const Object& out) {
    nlohmann::json now = value(out);
    return now == value(Object{}) ? nlohmann::json(nullptr) : now;
  };
  return key;
}

template <typename Object, typename Reader>
void read_keys(const std::vector<JsonKey<Object, Reader>>& all, Reader& in, Object& out) {
  for (const auto& key : all) key.read(in, out);
}

template <typename Object, typename Reader>
void write_keys(const std::vector<JsonKey<Object, Reader>>& all, const Object& from, nlohmann::json& out) {
  for (const auto& key : all) {
    nlohmann::json value = key.value ? key.value(from) : nullptr;
    if (key.null_too || !value.is_null()) out[key.name] = std::move(value);
  }
}

//   {"clients": {"type": "integer", ..., "description": "client processes, one per node"}, ...}
template <typename Object, typename Reader>
Schema properties_of(const std::vector<JsonKey<Object, Reader>>& all) {
  Schema out = Schema::object();
  for (const auto& key : all) {
    out[key.name] = key.schema;
    if (!key.about.empty()) out[key.name]["description"] = key.about;
  }
  return out;
}

// Adds defaults of absent keys; not for objects that change only some keys (`per_lock`).
template <typename Object, typename Reader>
void add_defaults(const std::vector<JsonKey<Object, Reader>>& all, Schema& properties) {
  for (const auto& key : all) {
    if (!key.usual.is_null()) properties[key.name]["default"] = key.usual;
  }
}

}  // namespace holdfast
