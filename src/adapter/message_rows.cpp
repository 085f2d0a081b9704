#include "adapter/message_rows.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <string_view>
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
  return needs("n", &M::n, "the request's number, which its answer repeats");
}

MessageField lock() {
  return needs("lock", &M::lock, "the lock's key");
}

MessageField thread() {
  return may_have("thread", &M::thread, "the thread that asks, in a program with several", {0, 1'000});
}

MessageField why() {
  return may_have("why", &M::why, "an explanation for people");
}

MessageField lease(const char* about) {
  return may_have("lease_ms", &M::lease_ms, about, {1, kAnyTime.most});
}

MessageField token(const char* about) {
  return may_have("token", &M::token, about);
}

MessageField wall() {
  return may_have("wall_ms", &M::wall_ms, "the adapter's wall clock, ms since 1970");
}

MessageField assertion_name() {
  return needs("name", &M::assertion, "the assertion's name: one line of 1 to 100 bytes");
}

MessageField evaluations() {
  return may_have("count", &M::count, "evaluations that this line stands for; absent: one", {1, kLargestExact});
}

using Names = std::vector<MessageName>;
using enum MessageName;

std::vector<MessageRow> answers() {
  return {
      {ready,
       "ready",
       Direction::answer,
       {may_have("n", &M::n, "0"), needs("v", &M::v, "the protocol's version, 1"),
        needs("name", &M::adapter, "the adapter's name"), needs("version", &M::version, "the library's version"),
        words_of(needs("can", &M::can, "its optional abilities"), can_names()),
        may_have("assertions", &M::assertions, "assertions that must be reached, each with kind and name")},
       "ready for requests",
       {},
       ""},
      {ok,
       "ok",
       Direction::answer,
       {number(), token("the grant's fencing token"), lease("the length of the lease, if not the requested one"),
        wall()},
       "done",
       {},
       ""},
      {busy, "busy", Direction::answer, {number(), why(), wall()}, "another client holds the lock", {}, ""},
      {info, "info", Direction::answer, {number(), why(), wall()}, "unknown whether it was done", {}, ""},
      {fail, "fail", Direction::answer, {number(), why(), wall()}, "certainly not done", {}, ""},
      {not_held, "not_held", Direction::answer, {number(), why(), wall()}, "it does not hold the lock", {}, ""},
      {yes, "yes", Direction::answer, {number(), wall()}, "it holds the lock", {}, ""},
      {no, "no", Direction::answer, {number(), wall()}, "it does not hold the lock", {}, ""},
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
           needs("name", &M::adapter, "the lock's name in the manifest"),
           needs("client", &M::client, "the client's number, from 0"),
           needs("owner", &M::owner, "a name unique to this client"),
           needs("servers", &M::servers,
                 "the lock's servers: kind, role, host, port; for a database also user and database"),
           needs("locks", &M::locks, "the keys that will be used"),
           needs("lease_ms", &M::lease_ms, "the length of a lease", kAnyTime),
           needs("seed", &M::seed, "a seed for random choices"),
           needs("options", &M::options, "options from the manifest")},
          "starts the conversation",
          Names{ready, fail}};
}

MessageRow acquire_row() {
  return {acquire,
          "acquire",
          Direction::request,
          {number(), lock(), may_have("wait_ms", &M::wait_ms, "0: try once; absent: wait forever", kAnyTime),
           needs("lease_ms", &M::lease_ms, "the length of the lease", kAnyTime), thread(),
           words_of(may_have("mode", &M::mode, "absent: exclusive"), {"exclusive", "shared"}),
           may_have("permits", &M::permits, "absent: one", {1, 1'000'000})},
          "asks for the lock",
          Names{ok, busy, info, fail}};
}

std::vector<MessageRow> requests() {
  return {
      hello_row(),
      acquire_row(),
      request(renew, "renew", {number(), lock(), thread()}, "extends the lease", {ok, not_held, info, fail}, "renew"),
      request(release, "release", {number(), lock(), thread()}, "gives the lock back", {ok, not_held, info, fail}, ""),
      request(pulse, "pulse", {number()},
              "asked before each write, so that a stopped program cannot write; answered at once", {ok}, ""),
      request(owned, "owned", {number(), lock(), thread()}, "asks if the library still holds the lock", {yes, no, info},
              "owned"),
      request(cancel, "cancel", {number(), needs("of", &M::of, "the number of the waiting acquire")},
              "ends a waiting acquire, which still answers", {ok}, "cancel"),
      request(block, "block", {number(), needs("ms", &M::ms, "the length of the sleep", kAnyTime), thread()},
              "makes the holding thread sleep while all others run", {ok}, "block"),
      request(bye, "bye", {}, "ends the conversation; the program exits with 0", {}, ""),
  };
}

std::vector<MessageRow> unasked() {
  return {
      {lost, "lost", Direction::unasked, {lock(), thread(), why()}, "a held lock is lost", {}, "lost"},
      {suspect, "suspect", Direction::unasked, {lock(), thread(), why()}, "a held lock may be lost", {}, "lost"},
      {granted,
       "granted",
       Direction::unasked,
       {lock(), token("the grant's fencing token"), thread()},
       "a scheduler started a job, which waits for release; only for the kind scheduler",
       {},
       ""},
      {leader,
       "leader",
       Direction::unasked,
       {lock(), needs("holder", &M::holder, "the leader's owner; empty: no leader")},
       "the leader that this adapter sees",
       {},
       "leader"},
      {log, "log", Direction::unasked, {needs("text", &M::text, "the line")}, "a line for the trial's log", {}, ""},
      {always,
       "always",
       Direction::unasked,
       {assertion_name(), needs("holds", &M::holds, "false: the lock is broken"), evaluations(), why()},
       "an assertion that must be true whenever it is evaluated",
       {},
       ""},
      {sometimes,
       "sometimes",
       Direction::unasked,
       {assertion_name(), needs("holds", &M::holds, "must be true at least once in the run"), evaluations(), why()},
       "an assertion that must be true at least once in the run",
       {},
       ""},
      {reached,
       "reached",
       Direction::unasked,
       {assertion_name(), evaluations(), why()},
       "a place in the program that the run must reach at least once",
       {},
       ""},
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
  Schema operator()(std::optional<bool> AdapterMessage::*) const { return {{"type", "boolean"}}; }
  Schema operator()(std::optional<std::vector<AssertionName>> AdapterMessage::*) const {
    return {{"type", "array"}, {"maxItems", kMostAssertions}, {"items", assertion_schema()}};
  }
};

const char* type_word(const MessageField& field) {
  static const char* const kWords[] = {"number",  "number or digits", "text",          "texts",
                                       "servers", "object",           "true or false", "list of assertions"};
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

// Fields that mean the same in every message; the page describes them once.
std::vector<MessageField> common_fields() {
  return {number(), lock(), thread(), why(), wall()};
}

bool is_common(const MessageField& field) {
  const auto common = common_fields();
  return std::any_of(common.begin(), common.end(),
                     [&](const auto& one) { return std::string_view(one.name) == field.name; });
}

// "`n`, `lock`. `wait_ms`? (number): 0: try once": names of common fields, then one sentence for each other field.
std::string fields_text(const MessageRow& row) {
  std::string common, own;
  for (const MessageField& field : row.fields) {
    const std::string name = quoted(field.name) + (field.required ? "" : "?");
    if (is_common(field)) {
      common += (common.empty() ? "" : ", ") + name;
    } else {
      own += (own.empty() ? "" : ". ") + name + " (" + type_word(field) + "): " + field.about;
    }
  }
  return common + (common.empty() || own.empty() ? "" : ". ") + own;
}

std::string answers_text(const MessageRow& row) {
  std::string out;
  for (const MessageName name : row.answers) out += (out.empty() ? "" : ", ") + quoted(to_text(name));
  return out;
}

std::string rows_text(Direction direction) {
  const bool request = direction == Direction::request;
  std::string out = request ? "| `do` | meaning | fields | answers | needs |\n|---|---|---|---|---|\n"
                            : "| `is` | meaning | fields | needs |\n|---|---|---|---|\n";
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
      {"threads", "distinguishes callers by `thread`, and serves several at once"},
      {"reenter", "a holder may acquire its lock again, and releases it as often"},
      {"wait", "acquire waits up to `wait_ms` before it answers `busy`"},
      {"lost", "sends `lost` when it learns that a grant is lost"},
      {"leader", "sends `leader` when it learns of a new leader"},
      {"shared", "accepts the mode `shared`"},
      {"permits", "accepts several permits"},
      {"background", "renews by itself while it holds"},
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

Schema assertion_schema() {
  return {{"type", "object"},
          {"required", {"kind", "name"}},
          {"additionalProperties", false},
          {"properties",
           {{"kind", {{"enum", assertion_kinds()}}},
            {"name", {{"type", "string"}, {"minLength", 1}, {"maxLength", kLongestAssertion}}}}}};
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
  definitions["request"] = {{"description", "a line that an adapter reads"}, {"oneOf", asked}};
  definitions["said"] = {{"description", "a line that an adapter writes"}, {"oneOf", said}};
  return {{"$schema", "http://json-schema.org/draft-07/schema#"},
          {"title", "one line of the lock adapter protocol, version 1"},
          {"oneOf", Schema::array({{{"$ref", "#/definitions/request"}}, {{"$ref", "#/definitions/said"}}})},
          {"definitions", definitions}};
}

std::string adapter_table() {
  std::string out = "Requests:\n\n" + rows_text(Direction::request);
  out += "\nAnswers:\n\n" + rows_text(Direction::answer);
  out += "\nSent without a request:\n\n" + rows_text(Direction::unasked);
  out += "\nFields of several messages:\n\n| field | value | meaning |\n|---|---|---|\n";
  for (const MessageField& field : common_fields())
    out += "| " + quoted(field.name) + " | " + type_word(field) + " | " + field.about + " |\n";
  out += "\nAbilities, the words of `can`:\n\n| word | meaning |\n|---|---|\n";
  for (const CanWord& word : can_words()) out += "| " + quoted(word.word) + " | " + word.about + " |\n";
  return out;
}

}  // namespace holdfast
