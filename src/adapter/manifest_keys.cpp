#include "adapter/manifest_keys.hpp"

#include <algorithm>
#include <set>

#include "adapter/message_rows.hpp"
#include "artifact/json_text.hpp"
#include "artifact/property_words.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kMostWords = 200;
constexpr std::size_t kLongestOptions = std::size_t{16} << 10;  // bytes; they are a part of a message
constexpr int kDeepestOptions = 3;

using Check = void (*)(const JsonNode& item);

void check_name(const JsonNode& name) {
  if (is_lock_name(name.text)) return;
  name.refuse(
      "expected lower-case letters and digits, joined by '_', at most 60 characters; remedy: for example "
      "\"my_lock\"");
}

void check_can(const JsonNode& word) {
  const auto known = can_names();
  if (std::find(known.begin(), known.end(), word.text) == known.end())
    word.refuse(unknown_word("word", word.text, known));
}

void check_word(const JsonNode& word) {
  if (word.text.find('\0') != std::string::npos) word.refuse("a command cannot contain a NUL byte");
}

void check_path(const JsonNode& path) {
  if (path.text.empty()) path.refuse("expected a path; remedy: for example \"node_modules\"");
  check_word(path);
}

void check_variable(const JsonNode& name) {
  static const std::string kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_";
  const bool good = !name.text.empty() && name.text.find_first_not_of(kLetters + "0123456789") == std::string::npos &&
                    kLetters.find(name.text[0]) != std::string::npos;
  if (!good) name.refuse("expected the name of a variable; remedy: for example \"JAVA_HOME\"");
}

using Texts = std::vector<std::string>;

Texts read_texts(ObjectReader& in, const char* name, Check check, bool repeats) {
  const auto texts = in.texts(name);
  if (!texts) return {};
  const JsonNode& list = *in.node(name);
  if (list.items.size() > kMostWords) list.refuse("at most " + std::to_string(kMostWords));
  std::set<std::string> seen;
  for (const JsonNode& item : list.items) {
    check(item);
    if (!seen.insert(item.text).second && !repeats) item.refuse("is listed twice; remedy: remove one");
  }
  return *texts;
}

JsonKey<Manifest> list_key(const char* name, Texts Manifest::*member, Schema item, const char* about, Check check) {
  return {name,
          {{"type", "array"}, {"items", std::move(item)}, {"uniqueItems", true}},
          about,
          [=](ObjectReader& in, Manifest& out) { out.*member = read_texts(in, name, check, false); },
          [=](const Manifest& from) { return nlohmann::json(from.*member); },
          {}};
}

JsonKey<Manifest> required(JsonKey<Manifest> key) {
  key.read = [name = key.name, read = key.read](ObjectReader& in, Manifest& out) {
    if (in.node(name) == nullptr) in.required(name, std::optional<bool>());
    read(in, out);
  };
  key.usual = nullptr;
  return key;
}

JsonKey<Manifest> name_key() {
  return {"name",
          {{"type", "string"}, {"pattern", "^[a-z0-9]+(_[a-z0-9]+)*$"}, {"maxLength", 60}},
          "the lock's name in scenarios and reports",
          [](ObjectReader& in, Manifest& out) {
            out.name = in.text("name").value_or("");
            check_name(*in.node("name"));
          },
          [](const Manifest& from) { return nlohmann::json(from.name); },
          {}};
}

JsonKey<Manifest> command_key() {
  return {"command",
          {{"type", "array"}, {"items", {{"type", "string"}}}, {"minItems", 1}},
          "the program and its arguments; the program is looked up in PATH, and ./ is the manifest's folder",
          [](ObjectReader& in, Manifest& out) {
            out.command = read_texts(in, "command", check_word, true);
            if (out.command.empty() || out.command[0].empty()) {
              in.node("command")->refuse("a program is missing; remedy: for example [\"python3\", \"./adapter.py\"]");
            }
          },
          [](const Manifest& from) { return nlohmann::json(from.command); },
          {}};
}

JsonKey<Manifest> library_key() {
  const Schema text{{"type", "string"}};
  return {"library",
          {{"type", "object"},
           {"required", {"name"}},
           {"additionalProperties", false},
           {"properties", {{"name", text}, {"version", text}}}},
          "the lock library that the adapter wraps",
          [](ObjectReader& in, Manifest& out) {
            const JsonNode* node = in.node("library");
            if (node == nullptr) return;
            ObjectReader own(*node);
            out.library = {own.required("name", own.text("name")), own.text("version").value_or("")};
            own.finish();
          },
          [](const Manifest& from) {
            return nlohmann::json{{"name", from.library.name}, {"version", from.library.version}};
          },
          {}};
}

using Reasons = std::map<std::string, std::string>;

// Returns nothing if the key is absent. `what` describes its names, `known` lists them.
std::optional<Reasons> read_reasons(ObjectReader& in, const char* key, const char* what, const Texts& known) {
  const JsonNode* node = in.node(key);
  if (node == nullptr) return std::nullopt;
  ObjectReader(*node).object();
  Reasons reasons;
  for (const auto& [name, why] : node->members) {
    if (std::find(known.begin(), known.end(), name) == known.end()) why.refuse(unknown_word(what, name, known));
    if (why.kind != JsonNode::Kind::text || why.text.empty()) {
      why.refuse("expected the reason, a text; remedy: name the place in the library's documentation");
    }
    reasons[name] = why.text;
  }
  return reasons;
}

Schema reasons_of(const Texts& known) {
  return {{"type", "object"},
          {"propertyNames", {{"enum", known}}},
          {"additionalProperties", {{"type", "string"}, {"minLength", 1}}}};
}

JsonKey<Manifest> promises_key() {
  return {"promises",
          reasons_of(promisable_properties()),
          "the promised properties, each with a reason; if absent, those of any such lock",
          [](ObjectReader& in, Manifest& out) {
            out.promises = read_reasons(in, "promises", "property", promisable_properties());
          },
          [](const Manifest& from) { return from.promises ? nlohmann::json(*from.promises) : nlohmann::json(); },
          {}};
}

Texts causes() {
  Texts names;
  for (const KindWords& cause : cause_words()) names.emplace_back(cause.name);
  return names;
}

JsonKey<Manifest> assumes_key() {
  return unless_usual(
      JsonKey<Manifest>{"assumes",
                        reasons_of(causes()),
                        "causes that its documentation rules out, each with a reason; a violation that only they "
                        "explain is allowed",
                        [](ObjectReader& in, Manifest& out) {
                          out.assumes = read_reasons(in, "assumes", "cause", causes()).value_or(Reasons());
                        },
                        [](const Manifest& from) { return nlohmann::json(from.assumes); },
                        {}});
}

AssertionName read_assertion(const JsonNode& node) {
  ObjectReader in(node);
  AssertionName out;
  const std::string kind = in.required("kind", in.choice("kind", assertion_kinds()));
  from_text(kind, out.kind);
  out.name = in.required("name", in.text("name"));
  if (const std::string wrong = name_error(out.name); !wrong.empty()) in.node("name")->refuse(wrong);
  in.finish();
  return out;
}

nlohmann::json assertions_json(const Manifest& from) {
  auto out = nlohmann::json::array();
  for (const AssertionName& one : from.assertions) out.push_back({{"kind", to_text(one.kind)}, {"name", one.name}});
  return out;
}

JsonKey<Manifest> assertions_key() {
  return unless_usual(JsonKey<Manifest>{
      "assertions",
      {{"type", "array"}, {"maxItems", kMostAssertions}, {"items", assertion_schema()}},
      "assertions of its author, each with kind and name, which a run must reach",
      [](ObjectReader& in, Manifest& out) {
        const JsonNode* node = in.node("assertions");
        if (node == nullptr) return;
        if (node->kind != JsonNode::Kind::array)
          node->refuse(R"(expected a list; remedy: for example [{"kind": "sometimes", "name": "a retry"}])");
        if (node->items.size() > kMostAssertions) node->refuse("at most " + std::to_string(kMostAssertions));
        std::set<std::string> seen;
        for (const JsonNode& item : node->items) {
          out.assertions.push_back(read_assertion(item));
          if (!seen.insert(out.assertions.back().name).second)
            item.refuse("this name is listed twice; remedy: give each assertion its own name");
        }
      },
      assertions_json,
      {}});
}

bool deeper_than(const nlohmann::json& value, int levels) {
  if (!value.is_structured()) return false;
  return levels == 0 ||
         std::any_of(value.begin(), value.end(), [&](const auto& item) { return deeper_than(item, levels - 1); });
}

JsonKey<Manifest> options_key() {
  return {"options",
          {{"type", "object"}},
          "the adapter's own options, passed in the message hello",
          [](ObjectReader& in, Manifest& out) {
            const JsonNode* node = in.node("options");
            if (node == nullptr) return;
            ObjectReader(*node).object();
            out.options = to_json(*node);
            if (text_of_json(out.options).size() > kLongestOptions)
              node->refuse("more than 16 KiB; remedy: use a separate file");
            if (deeper_than(out.options, kDeepestOptions)) node->refuse("nested too deeply (at most 3)");
          },
          [](const Manifest& from) { return from.options; },
          {}};
}

std::vector<JsonKey<Manifest>> lock_keys() {
  return {
      yes_key("lease", &Manifest::lease, "a grant expires by itself"),
      yes_key("releases", &Manifest::releases,
              "false: a holder never releases, but stays silent for longer than its lease"),
      yes_key("fenced", &Manifest::fenced, "grants carry a token that the resource can check"),
      yes_key("whole_seconds", &Manifest::whole_seconds,
              "leases are whole seconds; the lease of a scenario is rounded up"),
      unless_usual(whole_key("waits_ms", &Manifest::waits_ms, kAnyTime, "the maximum wait of acquire, if it can wait")),
      whole_key("guard_ms", &Manifest::guard_ms, kAnyTime,
                "by design an expired or freed key stays refused for this time"),
      unless_usual(whole_key("tick_ms", &Manifest::tick_ms, kAnyTime,
                             "election: the interval at which leaders work and others campaign; 0: 1000")),
      unless_usual(whole_key("watchdog_ms", &Manifest::watchdog_ms, kAnyTime,
                             "the interval of its own renewals; 0: a third of a lease")),
      unless_usual(whole_key("loss_notice_ms", &Manifest::loss_notice_ms, kAnyTime,
                             "the time within which a holder learns that another was granted its lock; 0: no "
                             "promise, only measured")),
      unless_usual(whole_key("default_lease_ms", &Manifest::default_lease_ms, kAnyTime,
                             "the library's default or documented lease, for --default-lease; 0: none")),
  };
}

std::vector<JsonKey<Manifest>> all_keys() {
  const Schema text{{"type", "string"}};
  std::vector<JsonKey<Manifest>> all{
      required(name_key()),
      required(command_key()),
      word_key("kind", &Manifest::kind, {kLockKind, kElectionKind, kSchedulerKind},
               "the leader of an election stays leader; a scheduler starts its jobs by itself"),
      text_key("install", &Manifest::install, text, "the command that installs it"),
      text_key("language", &Manifest::language, text, "the language it is written in"),
      library_key(),
      unless_usual(text_key("note", &Manifest::note, text, "a remark for readers; shown with every result")),
      required(list_key("servers", &Manifest::servers, text, "kinds of server that the lock uses", check_name)),
      list_key("can", &Manifest::can, {{"enum", can_names()}}, "its optional abilities, as in the message ready",
               check_can),
      promises_key(),
      assumes_key(),
      assertions_key(),
      options_key(),
      whole_key("start_ms", &Manifest::start_ms, {1, kLongest_ms}, "the maximum time until it is ready"),
      list_key("environment", &Manifest::environment, text, "environment variables that are passed to it",
               check_variable),
      list_key("paths", &Manifest::paths, text, "files and folders that it needs, relative to the manifest's folder",
               check_path),
  };
  const auto of_lock = lock_keys();
  all.insert(all.begin() + 9, of_lock.begin(), of_lock.end());
  return all;
}

}  // namespace

const std::vector<JsonKey<Manifest>>& manifest_keys() {
  static const std::vector<JsonKey<Manifest>> keys = all_keys();
  return keys;
}

}  // namespace holdfast
