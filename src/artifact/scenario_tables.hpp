// How a key of a JSON object is declared once, and the tables of all keys of a scenario.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "artifact/json_text.hpp"
#include "artifact/scenario.hpp"

namespace holdfast {

// A key of a JSON object: its name, what its value may be, what it means, how it is read and written, in one place.
// From tables of them a scenario and a plan are read and written, and the schema and the tables of docs/scenario.md are
// made.
//
//   const std::vector<JsonKey<Load>> all{
//       whole_key("clients", &Load::clients, {1, kMostClients}, "client processes, one a node"), ...};
//   read_keys(all, in, load);          // where a key is absent, what is there stays
//   write_keys(all, load, json);
//
// What a schema can say of a value stands in `schema`; whatever else is wrong with it, `read` refuses. A schema may
// point to "#/definitions/...", of which scenario_definitions() has the ones.

using Schema = nlohmann::ordered_json;

template <typename Object>
struct JsonKey {
  std::string name;
  Schema schema;      // of its value
  std::string about;  // for editors and for docs/scenario.md; may be empty, where the name says all
  std::function<void(ObjectReader&, Object&)> read;
  std::function<nlohmann::json(const Object&)> value;  // to be written; null: it is left out
  nlohmann::json usual{};                              // what it is where it is absent; null: nothing that it could say
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
  return {{"type", "integer"}, {"minimum", bounds.least}, {"maximum", bounds.most}};
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
template <typename Object>
JsonKey<Object> unless_usual(JsonKey<Object> key) {
  key.value = [value = key.value](const Object& out) {
    nlohmann::json now = value(out);
    return now == value(Object{}) ? nlohmann::json(nullptr) : now;
  };
  return key;
}

template <typename Object>
void read_keys(const std::vector<JsonKey<Object>>& all, ObjectReader& in, Object& out) {
  for (const auto& key : all) key.read(in, out);
}

template <typename Object>
void write_keys(const std::vector<JsonKey<Object>>& all, const Object& from, nlohmann::json& out) {
  for (const auto& key : all) {
    if (nlohmann::json value = key.value ? key.value(from) : nullptr; !value.is_null())
      out[key.name] = std::move(value);
  }
}

// {"clients": {"type": "integer", ..., "description": "client processes, one a node"}, ...}
template <typename Object>
Schema properties_of(const std::vector<JsonKey<Object>>& all) {
  Schema out = Schema::object();
  for (const auto& key : all) {
    out[key.name] = key.schema;
    if (!key.about.empty()) out[key.name]["description"] = key.about;
  }
  return out;
}

// Where an absent key has a value of its own; not in what changes only some of the keys (`per_lock`).
template <typename Object>
void add_defaults(const std::vector<JsonKey<Object>>& all, Schema& properties) {
  for (const auto& key : all) {
    if (!key.usual.is_null()) properties[key.name]["default"] = key.usual;
  }
}

// The tables of all keys of a scenario, each key declared once: what it may be, what it means, how it is
// read and written. The reader of scenarios and plans, the schema and the tables of docs/scenario.md come from them.
//
//   read_keys(coverage_keys(), in, minima);
//   schema["properties"] = properties_of(load_keys());
//
// The keys of a kind of server, and of a fault, are declared by those (server_type.hpp, fault.hpp).
const std::vector<JsonKey<Load>>& load_keys();
const std::vector<JsonKey<ServerSettings>>& server_keys();
const std::vector<JsonKey<CoverageMinima>>& coverage_keys();
const std::vector<JsonKey<FaultSpec>>& fault_keys();  // that every fault has
const std::vector<JsonKey<PairedControl>>& control_keys();
const std::vector<JsonKey<Scenario>>& scenario_keys();  // besides those of its load, of its server and these:
const std::vector<JsonKey<Scenario>>& lock_settings_keys();

// The definitions that the schemas of values point to, but for `lock`, `phase` and `faults`: their words are in
// catalogues.
Schema scenario_definitions();
void add_load_definitions(Schema& definitions);

}  // namespace holdfast
