#include "adapter/message_rows.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <type_traits>
#include <variant>

namespace holdfast {
namespace {

using M = AdapterMessage;

MessageField needs(const char* name, MessageMember member, const char* about, Bounds bounds = {0, kLargestExact}) {
  return {name, member, true, about, bounds, {}};
}

MessageField may_have(const char* name, MessageMember member, const char* about, Bounds bounds = {0, kLargestExact}) {
  return {name, member, false, about, bounds, {}};
}

MessageField words_of(MessageField field, std::vector<std::string> words) {
  field.words = std::move(words);
  return field;
}

MessageField number() {
  return needs("n", &M::n, "the request's number; its answer has the same");
}

MessageField lock() {
  return needs("lock", &M::lock, "the lock's key");
}

MessageField thread() {
  return may_have("thread", &M::thread, "the requesting thread, if the program has several", {0, 1'000});
}

MessageField why() {
  return may_have("why", &M::why, "explanation for people");
}

MessageField lease(const char* about) {
  return may_have("lease_ms", &M::lease_ms, about, {1, kAnyTime.most});
}

MessageField token(const char* about) {
  return may_have("token", &M::token, about);
}

using Names = std::vector<MessageName>;
using enum MessageName;

std::vector<MessageRow> answers() {
  const MessageField wall = may_have("wall_ms", &M::wall_ms, "its own wall clock, ms since 1970");
  return {
      {ready,
       "ready",
       Direction::answer,
       {may_have("n", &M::n, "0"), needs("v", &M::v, "the protocol's version, 1"),
        needs("name", &M::adapter, "the adapter's name"), needs("version", &M::version, "of the lock library"),
        words_of(needs("can", &M::can, "its additional abilities"), can_names())},
       "the adapter accepts requests",
       {},
       ""},
      {ok,
       "ok",
       Direction::answer,
       {number(), token("token of a fenced grant"), lease("length of the lease, if it differs from the requested one"),
        wall},
       "done",
       {},
       ""},
      {busy, "busy", Direction::answer, {number(), why(), wall}, "another client holds the lock", {}, ""},
      {info, "info", Direction::answer, {number(), why(), wall}, "the result is unknown", {}, ""},
      {fail, "fail", Direction::answer, {number(), why(), wall}, "certainly not done", {}, ""},
      {not_held, "not_held", Direction::answer, {number(), why(), wall}, "the client does not hold the lock", {}, ""},
      {yes, "yes", Direction::answer, {number(), wall}, "the client holds the lock", {}, ""},
      {no, "no", Direction::answer, {number(), wall}, "the client does not hold the lock", {}, ""},
  };
}

MessageRow request(MessageName name, const char* word, std::vector<MessageField> fields, const char* about,
                   Names answers, const char* can) {
  return {name, word, Direction::request, std::move(fields), about, std::move(answers), can};
}

MessageRow hello_row() {
  return {hello,
          "hello",
          Direction::request,
          {needs("n", &M::n, "0"), needs("v", &M::v, "the protocol's version, 1"),
           needs("name", &M::adapter, "the lock's name in its manifest"),
           needs("client", &M::client, "number of the client, from 0"), needs("owner", &M::owner, "a unique name"),
           needs("servers", &M::servers,
                 "the lock's servers: kind, role, host and port of each, and for a database user and database"),
           needs("locks", &M::locks, "the keys that will be used"),
           needs("lease_ms", &M::lease_ms, "requested length of a lease", kAnyTime),
           needs("seed", &M::seed, "seed for the adapter's random choices"),
           needs("options", &M::options,
                 "settings from the "
                 "manifest")},
          "begins",
          Names{ready, fail}};
}

MessageRow acquire_row() {
  return {acquire,
          "acquire",
          Direction::request,
          {number(), lock(), may_have("wait_ms", &M::wait_ms, "0: try once; absent: for ever", kAnyTime),
           needs("lease_ms", &M::lease_ms, "requested length of the lease", kAnyTime), thread(),
           words_of(may_have("mode", &M::mode, "absent: exclusive"), {"exclusive", "shared"}),
           may_have("permits", &M::permits, "number of permits; absent: one", {1, 1'000'000})},
          "requests the lock",
          Names{ok, busy, info, fail}};
}

std::vector<MessageRow> requests() {
  return {
      hello_row(),
      acquire_row(),
      request(renew, "renew", {number(), lock(), thread()}, "renews the lease", {ok, not_held, info, fail}, "renew"),
      request(release, "release", {number(), lock(), thread()}, "releases the lock", {ok, not_held, info, fail}, ""),
      request(pulse, "pulse", {number()},
              "sent before each write of the client, so that only a running program can write; answered immediately",
              {ok}, ""),
      request(owned, "owned", {number(), lock(), thread()},
              "asks whether the client holds the lock, according to "
              "the library",
              {yes, no, info}, "owned"),
      request(cancel, "cancel", {number(), needs("of", &M::of, "the n of an open acquire")},
              "cancels a waiting acquire, which still answers", {ok}, "cancel"),
      request(block, "block", {number(), needs("ms", &M::ms, "duration", kAnyTime), thread()},
              "makes the holding thread sleep while all others continue", {ok}, "block"),
      request(bye, "bye", {}, "makes the program exit with 0", {}, ""),
  };
}

std::vector<MessageRow> unasked() {
  return {
      {lost, "lost", Direction::unasked, {lock(), thread(), why()}, "a held lock is lost", {}, "lost"},
      {suspect, "suspect", Direction::unasked, {lock(), thread(), why()}, "a held lock may be lost", {}, "lost"},
      {granted,
       "granted",
       Direction::unasked,
       {lock(), token("of the grant"), thread()},
       "a scheduler began a job under the lock, which lasts until release; only for manifests of kind scheduler",
       {},
       ""},
      {leader,
       "leader",
       Direction::unasked,
       {lock(), needs("holder", &M::holder, "the leader's owner; empty: none")},
       "the leader from an observer's view",
       {},
       "leader"},
      {log, "log", Direction::unasked, {needs("text", &M::text, "a line for the trial's log")}, "for people", {}, ""},
  };
}

std::vector<MessageRow> all_rows() {
  std::vector<MessageRow> all = requests();
  for (auto rows : {answers(), unasked()}) all.insert(all.end(), rows.begin(), rows.end());
  return all;
}

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
  static_assert(std::size(kWords) == std::variant_size_v<MessageMember>);
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
  std::string out = request ? "| `do` | effect | fields | answers | needs `can` |\n|---|---|---|---|---|\n"
                            : "| `is` | meaning | fields | needs `can` |\n|---|---|---|---|\n";
  for (const MessageRow& row : message_rows()) {
    if (row.direction != direction) continue;
    out += "| " + quoted(row.word) + " | " + row.about + " | " + fields_text(row) + " | ";
    if (request) out += answers_text(row) + " | ";
    out += (*row.can == '\0' ? std::string() : quoted(row.can)) + " |\n";
  }
  return out;
}

const std::vector<CanWord>& can_words() {
  static const std::vector<CanWord> words{
      {"renew", "answers `renew`"},
      {"owned", "answers `owned`"},
      {"cancel", "answers `cancel`"},
      {"block", "answers `block`"},
      {"threads", "separates requests by `thread`, and answers several at once"},
      {"reenter", "a holder may acquire its lock again, and releases as often"},
      {"wait", "acquire waits for `wait_ms` before it answers busy"},
      {"lost", "sends `lost` when it learns that a grant is gone"},
      {"leader", "sends `leader` when it learns the leader"},
      {"shared", "takes the mode `shared`"},
      {"permits", "takes several permits"},
      {"background", "renews in the background while it holds the lock"},
  };
  return words;
}

}  // namespace

const std::vector<MessageRow>& message_rows() {
  static const std::vector<MessageRow> rows = all_rows();
  return rows;
}

const MessageRow& row_of(MessageName name) {
  for (const MessageRow& row : message_rows()) {
    if (row.name == name) return row;
  }
  throw std::logic_error("a message without a row");
}

bool may_answer(MessageName request, MessageName answer) {
  const auto& allowed = row_of(request).answers;
  return std::find(allowed.begin(), allowed.end(), answer) != allowed.end();
}

std::vector<std::string> can_names() {
  std::vector<std::string> names;
  for (const CanWord& word : can_words()) names.emplace_back(word.word);
  return names;
}

Schema adapter_schema() {
  Schema definitions = Schema::object();
  Schema said = Schema::array();
  Schema asked = Schema::array();
  for (const MessageRow& row : message_rows()) {
    definitions[row.word] = schema_of(row);
    auto& list = row.direction == Direction::request ? asked : said;
    list.push_back({{"$ref", std::string("#/definitions/") + row.word}});
  }
  definitions["request"] = {{"description", "a message that an adapter reads"}, {"oneOf", asked}};
  definitions["said"] = {{"description", "a message that an adapter writes"}, {"oneOf", said}};
  return {{"$schema", "http://json-schema.org/draft-07/schema#"},
          {"title", "one line of the lock adapter protocol, version 1"},
          {"oneOf", Schema::array({{{"$ref", "#/definitions/request"}}, {{"$ref", "#/definitions/said"}}})},
          {"definitions", definitions}};
}

std::string adapter_table() {
  std::string out = "Requests:\n\n" + rows_text(Direction::request);
  out += "\nAnswers:\n\n" + rows_text(Direction::answer);
  out += "\nUnasked:\n\n" + rows_text(Direction::unasked);
  out += "\nValues of `can`:\n\n| word | meaning |\n|---|---|\n";
  for (const CanWord& word : can_words()) out += "| " + quoted(word.word) + " | " + word.about + " |\n";
  return out;
}

}  // namespace holdfast
