#include "history/otlp_mapping.hpp"

#include <optional>

namespace holdfast {
namespace {

constexpr std::size_t kMostPatterns = 100;
constexpr std::size_t kMostAttributes = 20;

Schema pattern_schema() {
  const Schema value{{"oneOf", {{{"type", "string"}}, {{"type", "boolean"}}, {{"type", "integer"}}}}};
  const Schema attributes{{"type", "object"}, {"additionalProperties", value}, {"maxProperties", kMostAttributes}};
  return {{"type", "object"},
          {"additionalProperties", false},
          {"minProperties", 1},
          {"properties", {{"name", {{"type", "string"}, {"minLength", 1}}}, {"attributes", attributes}}}};
}

Schema names_schema() {
  return {{"type", "array"}, {"minItems", 1}, {"maxItems", kMostAttributes}, {"items", {{"type", "string"}}}};
}

const JsonNode* list_of(ObjectReader& in, const char* name, std::size_t most) {
  const JsonNode* const list = in.node(name);
  if (list == nullptr) return nullptr;
  if (list->kind != JsonNode::Kind::array) list->refuse("expected a list");
  if (list->items.size() > most) list->refuse("at most " + std::to_string(most));
  return list;
}

std::string value_of(const JsonNode& value) {
  if (value.kind == JsonNode::Kind::text) return value.text;
  if (value.kind == JsonNode::Kind::boolean) return value.boolean ? "true" : "false";
  if (value.kind == JsonNode::Kind::integer) return std::to_string(value.integer);
  value.refuse("expected a string, an integer, true or false");
}

SpanPattern pattern_of(const JsonNode& node) {
  ObjectReader in(node);
  SpanPattern out;
  out.name = in.text("name").value_or("");
  if (const JsonNode* const attributes = in.node("attributes")) {
    if (attributes->kind != JsonNode::Kind::object) attributes->refuse("expected an object");
    if (attributes->members.size() > kMostAttributes) attributes->refuse("at most " + std::to_string(kMostAttributes));
    for (const JsonMember& member : attributes->members) out.attributes[member.name] = value_of(member.value);
  }
  in.finish();
  if (out == SpanPattern()) node.refuse("matches every span; remedy: give a name or attributes");
  return out;
}

std::vector<std::string> names_of(const JsonNode& list) {
  std::vector<std::string> out;
  if (list.kind != JsonNode::Kind::array || list.items.empty()) list.refuse("expected a list of names of attributes");
  if (list.items.size() > kMostAttributes) list.refuse("at most " + std::to_string(kMostAttributes));
  for (const JsonNode& item : list.items) {
    if (item.kind != JsonNode::Kind::text || item.text.empty()) item.refuse("expected the name of an attribute");
    out.push_back(item.text);
  }
  return out;
}

JsonKey<OtlpMapping> patterns_key(const char* name, SpanPatterns OtlpMapping::*member, const char* about) {
  return {name,
          {{"type", "array"}, {"items", pattern_schema()}, {"maxItems", kMostPatterns}},
          about,
          [=](ObjectReader& in, OtlpMapping& out) {
            const JsonNode* const list = list_of(in, name, kMostPatterns);
            if (list == nullptr) return;
            (out.*member).clear();
            for (const JsonNode& item : list->items) (out.*member).push_back(pattern_of(item));
          },
          nullptr,
          {}};
}

JsonKey<OtlpMapping> key_key() {
  return {"key",
          names_schema(),
          "attributes with the lock's key; the first that a span or its resource has counts",
          [](ObjectReader& in, OtlpMapping& out) {
            if (const JsonNode* const list = in.node("key")) out.key = names_of(*list);
          },
          nullptr,
          {}};
}

JsonKey<OtlpMapping> holder_key() {
  return {"holder",
          {{"type", "array"}, {"minItems", 1}, {"maxItems", kMostPatterns}, {"items", names_schema()}},
          "groups of attributes that name the holder; the first group counts of which a span and its resource have all",
          [](ObjectReader& in, OtlpMapping& out) {
            const JsonNode* const list = list_of(in, "holder", kMostPatterns);
            if (list == nullptr) return;
            if (list->items.empty()) list->refuse("expected at least one group");
            out.holder.clear();
            for (const JsonNode& item : list->items) out.holder.push_back(names_of(item));
          },
          nullptr,
          {}};
}

}  // namespace

const std::vector<JsonKey<OtlpMapping>>& otlp_mapping_keys() {
  static const Schema kName{{"type", "string"}, {"minLength", 1}};
  static const std::vector<JsonKey<OtlpMapping>> kAll{
      patterns_key("acquire", &OtlpMapping::acquire, "spans of calls of acquire"),
      patterns_key("renew", &OtlpMapping::renew, "spans of calls of renew"),
      patterns_key("release", &OtlpMapping::release, "spans of calls of release"),
      patterns_key("busy", &OtlpMapping::busy, "refused: another holds the lock"),
      patterns_key("not_held", &OtlpMapping::not_held, "refused: the caller does not hold the lock"),
      patterns_key("fail", &OtlpMapping::fail, "certainly without effect, for another reason"),
      patterns_key("info", &OtlpMapping::info, "unknown, as after a timeout"),
      patterns_key("ok", &OtlpMapping::ok, "done; empty: every other span without the status ERROR"),
      patterns_key("shared", &OtlpMapping::shared, "acquires of a reader"),
      patterns_key("background", &OtlpMapping::background, "renewals by a watchdog, beside the holder's own calls"),
      key_key(),
      holder_key(),
      text_key("token", &OtlpMapping::token, kName, "the attribute with the fencing token"),
      text_key("lease_ms", &OtlpMapping::lease_ms, kName, "the attribute with the lease in milliseconds")};
  return kAll;
}

Schema otlp_mapping_schema() {
  return {{"$schema", "http://json-schema.org/draft-07/schema#"},
          {"title", "Spans of OpenTelemetry that are calls of a lock: holdfast check --otlp-mapping"},
          {"description", "A key that is absent stays as in the usual mapping (docs/own_log.md)."},
          {"type", "object"},
          {"additionalProperties", false},
          {"properties", properties_of(otlp_mapping_keys())}};
}

OtlpMapping read_otlp_mapping(const std::string& text, const std::string& file) {
  const JsonNode root = parse_json_text(text, file);
  ObjectReader in(root);
  OtlpMapping out;
  read_keys(otlp_mapping_keys(), in, out);
  in.finish();
  return out;
}

OtlpMapping read_otlp_mapping(const InputFile& file) {
  return read_otlp_mapping(read_text_file(file), file.path());
}

}  // namespace holdfast
