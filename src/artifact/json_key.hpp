// How a key of a JSON object is declared once: its name, what its value may be, what it means, how it is read and
// written.
//
//   const std::vector<JsonKey<Load>> all{
//       whole_key("clients", &Load::clients, {1, kMostClients}, "client processes, one a node"), ...};
//   read_keys(all, in, load);          // where a key is absent, what is there stays
//   write_keys(all, load, json);
//
// From tables of them, files that people write (scenarios, plans, an adapter's lock.json) are read and written, and the
// schemas and the tables of the docs are made; those of scenarios are in scenario_tables.hpp. The fields of what the
// program itself stores are keys as well, made by json_fields.hpp and read more strictly.
//
// What a schema can say of a value stands in `schema`; whatever else is wrong with it, `read` refuses. A schema may
// point to "#/definitions/...", of which scenario_definitions() has the ones for scenarios.
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
  Schema schema;      // of its value
  std::string about;  // for editors and for docs/scenario.md; may be empty, where the name says all
  std::function<void(Reader&, Object&)> read;
  std::function<nlohmann::json(const Object&)> value;  // to be written; null: it is left out
  nlohmann::json usual{};                              // what it is where it is absent; null: nothing that it could say
  bool null_too = false;                               // null is a value of it, and is written
  bool may_lack = true;                                // an object without it is accepted
  void (*define)(Schema& definitions) = nullptr;       // adds those that `schema` points to
};

struct Bounds {
  std::int64_t least = 0;
  std::int64_t most = 0;
};

inline constexpr std::int64_t kLongest_ms = 24LL * 3600 * 1000;
inline constexpr Bounds kAnyTime{0, kLongest_ms};

// What the schema defines once, by its name.
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

// What is less than any bound, or empty, says that there is none.
template <typename Member>
nlohmann::json usual_of(const Member& member) {
  const nlohmann::json usual = member;
  const bool none = usual.is_number() ? usual < 0 : usual.is_boolean() ? false : member == Member{};
  return none ? nlohmann::json(nullptr) : usual;
}

// A member that has one of these types, read as it is.
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

// Written only where it is not what it is without anybody's saying so.
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

// {"clients": {"type": "integer", ..., "description": "client processes, one a node"}, ...}
template <typename Object, typename Reader>
Schema properties_of(const std::vector<JsonKey<Object, Reader>>& all) {
  Schema out = Schema::object();
  for (const auto& key : all) {
    out[key.name] = key.schema;
    if (!key.about.empty()) out[key.name]["description"] = key.about;
  }
  return out;
}

// Where an absent key has a value of its own; not in what changes only some of the keys (`per_lock`).
template <typename Object, typename Reader>
void add_defaults(const std::vector<JsonKey<Object, Reader>>& all, Schema& properties) {
  for (const auto& key : all) {
    if (!key.usual.is_null()) properties[key.name]["default"] = key.usual;
  }
}

}  // namespace holdfast
