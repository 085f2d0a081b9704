#include "cli/key_page.hpp"

#include <fmt/format.h>

#include <set>
#include <string_view>

#include "reports/markdown_text.hpp"

namespace holdfast {
namespace {

using nlohmann::ordered_json;

constexpr const char* kKeyPageHead = R"(## All keys

`holdfast schema --keys` prints these tables; a test keeps the two the same. A fault's own keys, and those of each kind
of server, are in the schema.

)";

constexpr const char* kManifestPageHead = R"(## All keys of lock.json

`holdfast schema manifest --keys` prints this table; a test keeps the two the same. Name, command and servers must be
there.

)";

class KeyPage {
 public:
  explicit KeyPage(const ordered_json& schema) : schema_(schema) {}

  std::string text() const {
    const ordered_json& all = schema_.at("properties");
    const ordered_json& own = all.at("per_lock").at("additionalProperties").at("properties");
    ordered_json load, rest;
    for (const auto& [key, value] : all.items()) (own.contains(key) && !by_name(value) ? load : rest)[key] = value;
    ordered_json control = all.at("control").at("additionalProperties").at("properties");
    for (const auto& [key, value] : own.items()) control.erase(key);
    Markdown out = table(Literal("A scenario:"), rest);
    out += table(Literal("Its load and its server, which `per_lock` and `control` may have too:"), load);
    out += table(Literal("A `control`, besides:"), control);
    out += table(Literal("`coverage`, below which a `holds` is not believed:"), keys_of("coverage"));
    out +=
        table(Literal("Every one of `faults`:"), definition("faults").at("items").at("oneOf").at(0).at("properties"));
    out += table(Literal("The moment of a fault, `at`, and the same without `time_ms` in `until`:"), keys_of("moment"));
    std::string all_tables = kKeyPageHead + out.text();
    all_tables.pop_back();  // the blank line after the last one
    return all_tables;
  }

  std::string manifest() const {
    ordered_json keys = schema_.at("properties");
    keys.erase("$schema");
    return kManifestPageHead + table(Literal("Durations are milliseconds:"), keys).text();
  }

 private:
  const ordered_json& definition(const std::string& name) const { return schema_.at("definitions").at(name); }
  const ordered_json& keys_of(const std::string& name) const { return definition(name).at("properties"); }

  static std::string name_of(const ordered_json& value) {
    if (!value.contains("$ref")) return "";
    const std::string ref = value.at("$ref");
    return ref.substr(ref.rfind('/') + 1);
  }

  // What has tables of its own, or is too long for one.
  static bool by_name(const ordered_json& value) {
    static const std::set<std::string> kNames{"moment", "point", "coverage", "faults", "lock"};
    return kNames.contains(name_of(value));
  }

  Markdown table(Literal about, const ordered_json& keys) const {
    Markdown out = markdown("{}\n\n", about);
    out += table_head({Literal("key"), Literal("value"), Literal("if absent"), Literal("meaning")});
    for (const auto& [key, value] : keys.items()) {
      const Markdown absent = value.contains("default") ? code(value.at("default").dump()) : Markdown();
      out += table_row({code(key), words(value), absent, prose(value.value("description", ""))});
    }
    return out += Literal("\n");
  }

  Markdown words(const ordered_json& value) const {
    if (by_name(value)) return markdown("{}", name_of(value));
    if (const std::string name = name_of(value); !name.empty()) return words(definition(name));
    if (value.contains("const")) return Literal("a fault's name");
    if (value.contains("enum"))
      return any_of(value.at("enum"), Literal(", "),
                    [](const auto& one) { return code(one.template get<std::string>()); });
    if (value.contains("oneOf")) {
      return any_of(value.at("oneOf"), Literal(" or "), [this](const auto& one) { return words(one); });
    }
    if (value.contains("minimum")) {
      return markdown("{} to {}", std::to_string(value.at("minimum").get<std::int64_t>()),
                      std::to_string(value.at("maximum").get<std::int64_t>()));
    }
    const ordered_json& type = value.at("type");
    if (type.is_array()) return Literal("text or `null`");
    if (type == "array") return markdown("list of ({})", words(value.at("items")));
    if (type == "boolean") return Literal("`true`, `false`");
    return type == "string" ? Literal("text") : Literal("object");
  }

  template <typename Say>
  static Markdown any_of(const ordered_json& all, Literal between, Say say) {
    Markdown out;
    for (const auto& one : all) {
      if (!out.empty()) out += between;
      out += say(one);
    }
    return out;
  }

  const ordered_json& schema_;
};

}  // namespace

std::string key_page(const nlohmann::ordered_json& schema) {
  return KeyPage(schema).text();
}

std::string manifest_page(const nlohmann::ordered_json& schema) {
  return KeyPage(schema).manifest();
}

}  // namespace holdfast
