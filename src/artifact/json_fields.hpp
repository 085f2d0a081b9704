// Declares each field of the program's own JSON files once: from a table of fields a structure is read strictly,
// written, and described by a JSON Schema.
//
//   struct Mismatch {
//     std::string property;
//     Judgement seen = Judgement::holds;
//     static const JsonForm<Mismatch>& form();
//   };
//   const JsonForm<Mismatch>& Mismatch::form() {
//     static const JsonForm<Mismatch> kForm{"mismatch",
//                                           "a property that was not as expected",
//                                           {field("property", &Mismatch::property),
//                                            field("seen", &Mismatch::seen, "by the checker")}};
//     return kForm;
//   }
//   to_json(mismatch);                 // {"property": "ownership", "seen": "violated"}
//   from_json<Mismatch>(json);         // throws BadInput: "seen: unknown word 'x'"
//   schema_of_file<Mismatch>("A mismatch", "where it stands");
//
// The member's type defines how a field is read, written and described: texts, booleans, numbers, enumerations with
// to_text and from_text, structures with a form, raw JSON, and vectors, maps by text and optionals (null) of these. A
// function around the field adds constraints.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "artifact/enumeration.hpp"
#include "artifact/json_key.hpp"
#include "artifact/strict_reader.hpp"
#include "artifact/visible.hpp"

namespace holdfast {

template <typename Object>
using JsonField = JsonKey<Object, StrictReader>;

template <typename Object>
struct JsonForm {
  const char* name = "";   // name in the schema's definitions
  const char* about = "";  // the same; may be empty
  std::vector<JsonField<Object>> fields;
  Schema also = nullptr;  // additional keywords for the schema
};

template <typename T>
inline constexpr bool kIsVector = false;
template <typename T>
inline constexpr bool kIsVector<std::vector<T>> = true;
template <typename T>
inline constexpr bool kIsMap = false;
template <typename T>
inline constexpr bool kIsMap<std::map<std::string, T>> = true;
template <typename T>
inline constexpr bool kIsOptional = false;
template <typename T>
inline constexpr bool kIsOptional<std::optional<T>> = true;

template <typename T>
concept HasForm = requires {
  T::form();
};

template <HasForm T>
nlohmann::json to_json(const T& value) {
  auto out = nlohmann::json::object();
  write_keys(T::form().fields, value, out);
  return out;
}

template <HasForm T>
T read_object(const JsonPlace& place) {
  StrictReader in(place);
  T out;
  read_keys(T::form().fields, in, out);
  in.finish();
  return out;
}

// `bounds` apply to each number in it.
template <typename T>
T read_value(const JsonPlace& place, Bounds bounds) {
  if constexpr (std::is_same_v<T, nlohmann::json>) {
    return place.value();
  } else if constexpr (std::is_same_v<T, std::string>) {
    return place.text();
  } else if constexpr (std::is_same_v<T, bool>) {
    return place.boolean();
  } else if constexpr (std::is_floating_point_v<T>) {
    return place.real();
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(place.integer(bounds.least, bounds.most));
  } else if constexpr (std::is_enum_v<T>) {
    return place.word<T>();
  } else if constexpr (kIsOptional<T>) {
    if (place.value().is_null()) return std::nullopt;
    return read_value<typename T::value_type>(place, bounds);
  } else if constexpr (kIsVector<T>) {
    T out;
    place.for_items([&](const JsonPlace& item) { out.push_back(read_value<typename T::value_type>(item, bounds)); });
    return out;
  } else if constexpr (kIsMap<T>) {
    T out;
    place.for_members([&](const std::string& name, const JsonPlace& member) {
      out[name] = read_value<typename T::mapped_type>(member, bounds);
    });
    return out;
  } else {
    return read_object<T>(place);
  }
}

template <typename T>
nlohmann::json json_of(const T& value) {
  if constexpr (std::is_same_v<T, std::string>) {
    return valid_utf8(value);
  } else if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, nlohmann::json>) {
    return value;
  } else if constexpr (std::is_enum_v<T>) {
    return to_text(value);
  } else if constexpr (kIsOptional<T>) {
    return value ? json_of(*value) : nlohmann::json();
  } else if constexpr (kIsVector<T>) {
    auto out = nlohmann::json::array();
    for (const auto& item : value) out.push_back(json_of(item));
    return out;
  } else if constexpr (kIsMap<T>) {
    auto out = nlohmann::json::object();
    for (const auto& [name, member] : value) out[valid_utf8(name)] = json_of(member);
    return out;
  } else {
    return to_json(value);
  }
}

template <typename T>
Schema schema_of_value(Bounds bounds) {
  if constexpr (std::is_same_v<T, nlohmann::json>) {
    return Schema::object();
  } else if constexpr (std::is_same_v<T, std::string>) {
    return {{"type", "string"}};
  } else if constexpr (std::is_same_v<T, bool>) {
    return {{"type", "boolean"}};
  } else if constexpr (std::is_floating_point_v<T>) {
    return {{"type", "number"}, {"minimum", 0}};
  } else if constexpr (std::is_integral_v<T>) {
    return schema_of(bounds);
  } else if constexpr (std::is_enum_v<T>) {
    Schema words = Schema::array();
    for (std::size_t i = 0; i < kEnumerators<T>; ++i) words.push_back(to_text(static_cast<T>(i)));
    return {{"enum", words}};
  } else if constexpr (kIsOptional<T>) {
    return {{"oneOf", {{{"type", "null"}}, schema_of_value<typename T::value_type>(bounds)}}};
  } else if constexpr (kIsVector<T>) {
    return {{"type", "array"}, {"items", schema_of_value<typename T::value_type>(bounds)}};
  } else if constexpr (kIsMap<T>) {
    return {{"type", "object"}, {"additionalProperties", schema_of_value<typename T::mapped_type>(bounds)}};
  } else {
    return reference_to(T::form().name);
  }
}

// Adds the definitions of the structure and of its parts.
template <typename T>
void define_value(Schema& definitions) {
  if constexpr (kIsOptional<T> || kIsVector<T>) {
    define_value<typename T::value_type>(definitions);
  } else if constexpr (kIsMap<T>) {
    define_value<typename T::mapped_type>(definitions);
  } else if constexpr (HasForm<T>) {
    const JsonForm<T>& form = T::form();
    if (definitions.contains(form.name)) return;
    Schema out = Schema::object();
    if (form.about[0] != '\0') out["description"] = form.about;
    out.update({{"type", "object"}, {"additionalProperties", false}, {"required", Schema::array()}});
    for (const auto& one : form.fields) {
      if (!one.may_lack) out["required"].push_back(one.name);
    }
    out["properties"] = properties_of(form.fields);
    if (!form.also.is_null()) out.update(form.also);
    definitions[form.name] = std::move(out);
    for (const auto& one : form.fields) {
      if (one.define != nullptr) one.define(definitions);
    }
  }
}

template <typename T>
Schema schema_of_file(const char* title, const char* about = "") {
  Schema definitions = Schema::object();
  define_value<T>(definitions);
  Schema out{{"$schema", "http://json-schema.org/draft-07/schema#"}, {"title", title}};
  if (about[0] != '\0') out["description"] = about;
  out.update(reference_to(T::form().name));
  out["definitions"] = std::move(definitions);
  return out;
}

// Throws BadInput.
template <typename T>
T from_json(const nlohmann::json& json) {
  return read_value<T>(JsonPlace(json), {0, INT64_MAX});
}

template <typename T>
constexpr Bounds usual_bounds() {
  if constexpr (kIsOptional<T> || kIsVector<T>) {
    return usual_bounds<typename T::value_type>();
  } else if constexpr (kIsMap<T>) {
    return usual_bounds<typename T::mapped_type>();
  } else if constexpr (std::is_integral_v<T> && sizeof(T) < sizeof(std::int64_t)) {
    return {0, std::numeric_limits<T>::max()};
  } else {
    return {0, INT64_MAX};
  }
}

inline constexpr Bounds kAnyInteger{INT64_MIN, INT64_MAX};

// Declares a required field. `member` returns a reference to its value.
template <typename Object, typename Value, typename Access>
JsonField<Object> field_at(const char* name, Access member, Bounds bounds, const char* about) {
  JsonField<Object> out;
  out.name = name;
  out.schema = schema_of_value<Value>(bounds);
  out.about = about;
  out.read = [=](StrictReader& in, Object& object) { member(object) = read_value<Value>(in.at(name), bounds); };
  out.value = [=](const Object& object) { return json_of<Value>(member(object)); };
  out.null_too = kIsOptional<Value>;
  out.may_lack = false;
  out.define = define_value<Value>;
  return out;
}

template <typename Object, typename Value>
JsonField<Object> field(const char* name, Value Object::*member, Bounds bounds, const char* about = "") {
  return field_at<Object, Value>(
      name, [=](auto& object) -> auto& { return object.*member; }, bounds, about);
}

template <typename Object, typename Value>
JsonField<Object> field(const char* name, Value Object::*member, const char* about = "") {
  return field(name, member, usual_bounds<Value>(), about);
}

// Declares a field of a member structure that is not an object of its own in the JSON.
template <typename Object, typename Part, typename Base, typename Value>
JsonField<Object> field(const char* name, Part Object::*part, Value Base::*member, Bounds bounds,
                        const char* about = "") {
  return field_at<Object, Value>(
      name, [=](auto& object) -> auto& { return object.*part.*member; }, bounds, about);
}

template <typename Object, typename Part, typename Base, typename Value>
JsonField<Object> field(const char* name, Part Object::*part, Value Base::*member, const char* about = "") {
  return field(name, part, member, usual_bounds<Value>(), about);
}

// Declares a value derived from other fields: written for readers of the file; checked but not stored when read. Left
// out if it has no value.
template <typename Object, typename Value>
JsonField<Object> derived(const char* name, Value (Object::*value)() const, const char* about = "") {
  JsonField<Object> out;
  out.name = name;
  out.schema = schema_of_value<Value>(usual_bounds<Value>());
  if constexpr (kIsOptional<Value>) out.schema = schema_of_value<typename Value::value_type>(usual_bounds<Value>());
  out.about = about;
  out.read = [=](StrictReader& in, Object&) {
    if (!kIsOptional<Value> || in.has(name)) read_value<Value>(in.at(name), usual_bounds<Value>());
  };
  out.value = [=](const Object& object) { return json_of<Value>((object.*value)()); };
  out.may_lack = kIsOptional<Value>;
  out.define = define_value<Value>;
  return out;
}

// Declares a field that is written from the result of `value`.
template <typename Object, typename Write>
JsonField<Object> written_as(JsonField<Object> field, Write value) {
  field.value = [=](const Object& object) { return json_of(std::invoke(value, object)); };
  return field;
}

// Declares a 64-bit number written as a text of digits, because JSON readers round large numbers; or a list of them.
template <typename Object, typename Value, typename Access>
JsonField<Object> digits_at(const char* name, Access member, const char* about = "") {
  const Schema one{{"type", "string"}, {"pattern", "^[0-9]{1,20}$"}};
  JsonField<Object> out;
  out.name = name;
  out.about = about;
  out.may_lack = false;
  if constexpr (kIsVector<Value>) {
    out.schema = {{"type", "array"}, {"items", one}};
    out.read = [=](StrictReader& in, Object& object) {
      in.at(name).for_items([&](const JsonPlace& item) { member(object).push_back(item.digits()); });
    };
    out.value = [=](const Object& object) {
      auto all = nlohmann::json::array();
      for (const auto number : member(object)) all.push_back(std::to_string(number));
      return all;
    };
  } else {
    out.schema = one;
    out.read = [=](StrictReader& in, Object& object) { member(object) = in.at(name).digits(); };
    out.value = [=](const Object& object) { return nlohmann::json(std::to_string(member(object))); };
  }
  return out;
}

template <typename Object, typename Value>
JsonField<Object> digits_field(const char* name, Value Object::*member, const char* about = "") {
  return digits_at<Object, Value>(
      name, [=](auto& object) -> auto& { return object.*member; }, about);
}

// Declares the version of the file's form; other versions are refused. `was`: former name of the key.
template <typename Object>
JsonField<Object> form_version(const char* name, std::int64_t version, const char* was = nullptr) {
  JsonField<Object> out;
  out.name = name;
  out.schema = {{"const", version}};
  out.about = "version of this form";
  out.read = [=](StrictReader& in, Object&) { in.form(name, version, was); };
  out.value = [=](const Object&) { return nlohmann::json(version); };
  out.may_lack = false;
  return out;
}

// Restricts a text to these words.
template <typename Object>
JsonField<Object> one_of(JsonField<Object> field, const std::vector<std::string>& words) {
  field.schema = {{"enum", words}};
  field.read = [=, name = field.name, read = field.read](StrictReader& in, Object& object) {
    read(in, object);
    const std::string word = in.at(name).text();
    for (const auto& known : words) {
      if (known == word) return;
    }
    in.refuse(name, "unknown word '" + word + "'");
  };
  return field;
}

// Refuses the field if `wrong` returns a reason, given the fields read so far.
template <typename Object>
JsonField<Object> checked(JsonField<Object> field, std::string (*wrong)(const Object&)) {
  field.read = [=, name = field.name, read = field.read](StrictReader& in, Object& object) {
    read(in, object);
    if (const std::string why = wrong(object); !why.empty()) in.refuse(name, why);
  };
  return field;
}

// Makes the field optional in reading, because older files may lack it; it is always written.
template <typename Object>
JsonField<Object> may_lack(JsonField<Object> field) {
  field.may_lack = true;
  field.read = [name = field.name, read = field.read](StrictReader& in, Object& object) {
    if (in.has(name.c_str())) read(in, object);
  };
  return field;
}

// Omits the field if it has its default.
template <typename Object>
JsonField<Object> unless_default(JsonField<Object> field) {
  field.null_too = false;
  return may_lack(unless_usual(std::move(field)));
}

// Makes the field present only if `wanted` returns true; the fields it depends on must come before.
template <typename Object>
JsonField<Object> only_if(bool (*wanted)(const Object&), JsonField<Object> field) {
  field.may_lack = true;
  field.read = [=, read = field.read](StrictReader& in, Object& object) {
    if (wanted(object)) read(in, object);
  };
  field.value = [=, value = field.value](const Object& object) {
    return wanted(object) ? value(object) : nlohmann::json();
  };
  return field;
}

}  // namespace holdfast
