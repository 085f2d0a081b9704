// What people and their editors are told of the messages: made of the rows that lines are read by.
#include <type_traits>

#include "adapter/message_rows.hpp"

namespace holdfast {
namespace {

Schema text_schema(const MessageField& field) {
  return field.words.empty() ? Schema{{"type", "string"}} : Schema{{"enum", field.words}};
}

Schema server_schema() {
  Schema properties = Schema::object();
  for (const char* key : {"kind", "role", "host", "user", "database"}) properties[key] = {{"type", "string"}};
  properties["port"] = {{"type", "integer"}, {"minimum", 0}, {"maximum", 65535}};
  return {{"type", "object"},
          {"required", {"kind", "role", "host", "port"}},
          {"additionalProperties", false},
          {"properties", properties}};
}

Schema number_schema(const MessageField& field) {
  return {{"type", "integer"}, {"minimum", field.bounds.least}, {"maximum", field.bounds.most}};
}

struct SchemaOfField {
  const MessageField& field;
  Schema operator()(std::optional<std::int64_t> AdapterMessage::*) const { return number_schema(field); }
  Schema operator()(std::optional<std::uint64_t> AdapterMessage::*) const {
    const Schema digits{{"type", "string"}, {"pattern", "^[0-9]{1,20}$"}};
    return {{"oneOf", Schema::array({number_schema(field), digits})}};
  }
  Schema operator()(std::optional<std::string> AdapterMessage::*) const { return text_schema(field); }
  Schema operator()(std::optional<std::vector<std::string>> AdapterMessage::*) const {
    return {{"type", "array"}, {"items", text_schema(field)}};
  }
  Schema operator()(std::optional<std::vector<AdapterServer>> AdapterMessage::*) const {
    return {{"type", "array"}, {"items", server_schema()}};
  }
  Schema operator()(std::optional<nlohmann::json> AdapterMessage::*) const { return {{"type", "object"}}; }
};

const char* type_word(const MessageField& field) {
  static const char* const kWords[] = {"number", "number or digits", "text", "texts", "servers", "object"};
  return kWords[field.member.index()];
}

Schema schema_of(const MessageRow& row) {
  const char* key = row.direction == Direction::request ? "do" : "is";
  Schema properties = Schema::object();
  properties[key] = {{"const", row.word}};
  Schema required = Schema::array({key});
  for (const MessageField& field : row.fields) {
    properties[field.name] = std::visit(SchemaOfField{field}, field.member);
    properties[field.name]["description"] = field.about;
    if (field.required) required.push_back(field.name);
  }
  return {{"description", row.about},
          {"type", "object"},
          {"required", required},
          {"additionalProperties", false},
          {"properties", properties}};
}

std::string quoted(const std::string& text) {
  return "`" + text + "`";
}

std::string fields_text(const MessageRow& row) {
  std::string out;
  for (const MessageField& field : row.fields) {
    out += out.empty() ? "" : "; ";
    out += quoted(field.name) + (field.required ? "" : "?") + " (" + type_word(field) + "): " + field.about;
  }
  return out;
}

std::string answers_text(const MessageRow& row) {
  std::string out;
  for (const MessageName name : row.answers) out += (out.empty() ? "" : ", ") + quoted(to_text(name));
  return out;
}

std::string rows_text(Direction direction) {
  const bool request = direction == Direction::request;
  std::string out = request ? "| `do` | what it does | fields | answers | only who can |\n|---|---|---|---|---|\n"
                            : "| `is` | what it says | fields | only who can |\n|---|---|---|---|\n";
  for (const MessageRow& row : message_rows()) {
    if (row.direction != direction) continue;
    out += "| " + quoted(row.word) + " | " + row.about + " | " + fields_text(row) + " | ";
    if (request) out += answers_text(row) + " | ";
    out += (*row.can == '\0' ? std::string() : quoted(row.can)) + " |\n";
  }
  return out;
}

}  // namespace

Schema adapter_schema() {
  Schema definitions = Schema::object();
  Schema said = Schema::array();
  Schema asked = Schema::array();
  for (const MessageRow& row : message_rows()) {
    definitions[row.word] = schema_of(row);
    auto& list = row.direction == Direction::request ? asked : said;
    list.push_back({{"$ref", std::string("#/definitions/") + row.word}});
  }
  definitions["request"] = {{"description", "what an adapter reads"}, {"oneOf", asked}};
  definitions["said"] = {{"description", "what an adapter writes"}, {"oneOf", said}};
  return {{"$schema", "http://json-schema.org/draft-07/schema#"},
          {"title", "one line of the conversation with a lock adapter, version 1"},
          {"oneOf", Schema::array({{{"$ref", "#/definitions/request"}}, {{"$ref", "#/definitions/said"}}})},
          {"definitions", definitions}};
}

std::string adapter_table() {
  std::string out = "Requests:\n\n" + rows_text(Direction::request);
  out += "\nAnswers:\n\n" + rows_text(Direction::answer);
  out += "\nUnasked:\n\n" + rows_text(Direction::unasked);
  out += "\nWhat an adapter may say that it `can`:\n\n| word | meaning |\n|---|---|\n";
  for (const CanWord& word : can_words()) out += "| " + quoted(word.word) + " | " + word.about + " |\n";
  return out;
}

}  // namespace holdfast
