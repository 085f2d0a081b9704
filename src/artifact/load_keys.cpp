// The keys of a load, shared by scenarios and plans, each declared once.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "artifact/capacity.hpp"
#include "artifact/error.hpp"
#include "artifact/load.hpp"
#include "artifact/pattern.hpp"
#include "artifact/scenario_tables.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kShortestLease_ms = 100;
constexpr std::size_t kMostTurns = 200;
constexpr std::size_t kLongestText = 1000;  // bytes: longer than any column of a key or an owner

// A range is one number or [least, most].
void read_range(ObjectReader& in, const std::string& key, Range& out) {
  const JsonNode* node = in.node(key);
  if (!node) return;
  if (node->kind == JsonNode::Kind::integer) {
    out = {node->integer, node->integer};
  } else if (node->kind == JsonNode::Kind::array && node->items.size() == 2 &&
             node->items[0].kind == JsonNode::Kind::integer && node->items[1].kind == JsonNode::Kind::integer) {
    out = {node->items[0].integer, node->items[1].integer};
  } else {
    node->refuse("expected an integer or [least, most]");
  }
  if (out.least < 0 || out.most < out.least || out.most > kLongest_ms) {
    node->refuse("must be 0 or more, least first, at most one day");
  }
}

// Splits a setting for clients in turn: one value, or a list.
std::vector<JsonNode> turns_of(const JsonNode& node) {
  const bool list = node.kind == JsonNode::Kind::array;
  if (list && (node.items.empty() || node.items.size() > kMostTurns)) node.refuse("give 1 to 200 values");
  return list ? node.items : std::vector<JsonNode>{node};
}

// One value of a list for clients in turn. The schema has a definition with its name.
struct TurnWord {
  const char* name;
  Schema schema;
  std::function<void(const JsonNode&)> check;
};

TurnWord one_of(const char* name, const std::vector<std::string>& words) {
  return {name, {{"enum", words}}, [name, words](const JsonNode& node) {
            if (std::find(words.begin(), words.end(), node.text) == words.end())
              node.refuse(unknown_word(name, node.text, words));
          }};
}

void check_length(const JsonNode& node) {
  if (node.text.size() > kLongestText) node.refuse("at most " + std::to_string(kLongestText) + " bytes");
}

// An unknown placeholder in braces would silently make all owners equal.
void check_name(const JsonNode& node) {
  check_length(node);
  static const Pattern kPlace("\\{([a-z_]+)\\}");
  for (const std::string& word : kPlace.places(node.text, 1)) {
    const std::vector<std::string> known{"uuid", "grant", "client", "thread"};
    if (std::find(known.begin(), known.end(), word) == known.end())
      node.refuse(unknown_word("placeholder", word, known));
  }
}

// Hours and minutes from UTC: the lab's server has no table of zone names. The bounds are MariaDB's.
TurnWord zone() {
  static const std::string kZone = "([+-](0[0-9]|1[0-2]):[0-5][0-9]|[+]13:00)";
  return {"zone", {{"type", "string"}, {"pattern", "^" + kZone + "$"}}, [](const JsonNode& node) {
            static const Pattern kWhole(kZone);
            if (!kWhole.is(node.text)) node.refuse("expected hours and minutes, as \"+08:00\"");
          }};
}

TurnWord name_of_a_client() {
  return {"name", {{"type", "string"}, {"maxLength", kLongestText}}, check_name};
}

std::vector<TurnWord> turn_words() {
  return {name_of_a_client(),
          zone(),
          one_of("mode", {"exclusive", "shared"}),
          one_of("isolation", {"read_uncommitted", "read_committed", "repeatable_read", "serializable"}),
          one_of("reads", {"primary", "replica"}),
          one_of("connects", {"in_turn", "server:0", "server:1", "server:2"})};
}

Schema list_of(const std::string& definition) {
  return {{"type", "array"}, {"minItems", 1}, {"maxItems", kMostTurns}, {"items", reference_to(definition)}};
}

Schema one_or_list(const std::string& definition) {
  return {{"oneOf", {reference_to(definition), list_of(definition)}}};
}

// `word` is one of turn_words().
JsonKey<Load> turn_key(const char* name, std::vector<std::string> Load::*member, const std::string& word,
                       const char* about) {
  const auto words = turn_words();
  const auto known = std::find_if(words.begin(), words.end(), [&](const TurnWord& one) { return one.name == word; });
  const auto read = [name, member, check = known->check](ObjectReader& in, Load& load) {
    const JsonNode* node = in.node(name);
    if (!node) return;
    (load.*member).clear();
    for (const JsonNode& item : turns_of(*node)) {
      if (item.kind != JsonNode::Kind::text) item.refuse("expected a string, or an array of strings");
      check(item);
      (load.*member).push_back(item.text);
    }
  };
  const auto value = [member](const Load& load) { return nlohmann::json(load.*member); };
  return {
      name, word == "name" ? reference_to("names") : one_or_list(word), about, read, value, usual_of(Load{}.*member)};
}

// A range is one number or [least, most].
JsonKey<Load> range_key(const char* name, Range Load::*member, const char* about) {
  const auto value = [member](const Load& load) { return nlohmann::json{(load.*member).least, (load.*member).most}; };
  return {name,  reference_to("range"),
          about, [name, member](ObjectReader& in, Load& load) { read_range(in, name, load.*member); },
          value, value(Load{})};
}

void read_leases(ObjectReader& in, Load& load) {
  const JsonNode* node = in.node("lease_ms");
  if (!node) return;
  load.leases_ms.clear();
  if (node->kind != JsonNode::Kind::array) {
    load.lease_ms = *in.integer("lease_ms", kShortestLease_ms, kLongest_ms);
    return;
  }
  for (const JsonNode& item : turns_of(*node)) {
    if (item.kind != JsonNode::Kind::integer) item.refuse("expected an integer");
    if (item.integer < kShortestLease_ms || item.integer > kLongest_ms) {
      item.refuse("must be from " + std::to_string(kShortestLease_ms) + " to " + std::to_string(kLongest_ms));
    }
    load.leases_ms.push_back(item.integer);
  }
  load.lease_ms = *std::max_element(load.leases_ms.begin(), load.leases_ms.end());
}

KeyText read_key(const JsonNode& node) {
  if (node.kind == JsonNode::Kind::null) return std::nullopt;
  if (node.kind != JsonNode::Kind::text) node.refuse("a key is a string or null");
  check_length(node);
  return node.text;
}

// Without duplicates.
std::vector<KeyText> read_key_list(const JsonNode& list) {
  if (list.kind != JsonNode::Kind::array || list.items.empty()) list.refuse("expected an array of keys");
  std::vector<KeyText> out;
  for (const JsonNode& item : list.items) {
    const KeyText key = read_key(item);
    if (std::find(out.begin(), out.end(), key) != out.end()) item.refuse("duplicate key");
    out.push_back(key);
  }
  return out;
}

bool is_one_of(const KeyText& key, const std::vector<KeyText>& keys) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

void name_keys(const JsonNode& place, std::vector<KeyText> keys, Load& load) {
  if (keys.size() > static_cast<std::size_t>(kMostKeys)) place.refuse("at most " + std::to_string(kMostKeys) + " keys");
  if (is_one_of(std::nullopt, keys) && is_one_of("<NULL>", keys)) {
    place.refuse("the key <NULL> and null would have the same name in the history");
  }
  load.key_texts = std::move(keys);
  load.keys = static_cast<std::int64_t>(load.key_texts.size());
}

void read_keys(ObjectReader& in, Load& load) {
  const JsonNode* node = in.node("keys");
  if (!node) return;
  load.keys_of.clear();
  if (node->kind == JsonNode::Kind::array) return name_keys(*node, read_key_list(*node), load);
  load.key_texts.clear();
  if (node->kind != JsonNode::Kind::integer) node->refuse("expected an integer, or an array of strings and null");
  load.keys = *in.integer("keys", 1, kMostKeys);
}

// Without `keys` beside it, this list defines the keys.
void read_keys_of(ObjectReader& in, Load& load) {
  const JsonNode* node = in.node("keys_of");
  if (!node) return;
  if (node->kind != JsonNode::Kind::array) node->refuse("expected an array of lists of keys");
  load.keys_of.clear();
  std::vector<KeyText> all;
  std::vector<KeyText> known;
  for (std::int64_t k = 0; k < load.keys; ++k) known.push_back(key_text(load, k));
  for (const JsonNode& list : turns_of(*node)) {
    load.keys_of.push_back(read_key_list(list));
    for (std::size_t i = 0; i < list.items.size(); ++i) {
      const KeyText& key = load.keys_of.back()[i];
      if (in.node("keys") && !is_one_of(key, known)) list.items[i].refuse("is not in 'keys'");
      if (!is_one_of(key, all)) all.push_back(key);
    }
  }
  if (!in.node("keys")) name_keys(*node, std::move(all), load);
}

void read_keys_at_once(ObjectReader& in, Load& load) {
  load.keys_at_once = in.integer("keys_at_once", 1, kMostKeys).value_or(load.keys_at_once);
  const JsonNode* node = in.node("keys_at_once");
  for (std::uint32_t client = 0; client < load.clients; ++client) {
    const auto keys = static_cast<std::int64_t>(keys_of_client(load, client).size());
    if (load.keys_at_once <= keys) continue;
    (node ? *node : in.object())
        .refuse("keys_at_once is " + std::to_string(load.keys_at_once) + ", and client " + std::to_string(client) +
                " has " + std::to_string(keys) + " keys");
  }
}

void read_threads(ObjectReader& in, Load& load) {
  load.threads = in.integer("threads", 1, kMostThreads).value_or(load.threads);
  if (load.threads * load.clients <= kMostClients || load.threads == 1) return;
  const JsonNode* node = in.node("threads");
  (node ? *node : in.object())
      .refuse("clients times threads: at most " + std::to_string(kMostClients) + ", here " +
              std::to_string(load.threads * load.clients));
}

nlohmann::json key_json(const KeyText& key) {
  return key ? nlohmann::json(*key) : nlohmann::json(nullptr);
}

nlohmann::json key_list_json(const std::vector<KeyText>& keys) {
  auto out = nlohmann::json::array();
  for (const auto& key : keys) out.push_back(key_json(key));
  return out;
}

nlohmann::json keys_value(const Load& load) {
  return load.key_texts.empty() ? nlohmann::json(load.keys) : key_list_json(load.key_texts);
}

nlohmann::json keys_of_value(const Load& load) {
  nlohmann::json out;
  for (const auto& keys : load.keys_of) out.push_back(key_list_json(keys));
  return out;
}

nlohmann::json lease_value(const Load& load) {
  return load.leases_ms.empty() ? nlohmann::json(load.lease_ms) : nlohmann::json(load.leases_ms);
}

Schema lease_schema() {
  Schema list = list_of("lease");
  list["description"] = "assigned to the clients in turn";
  return {{"oneOf", {reference_to("lease"), list}}};
}

JsonKey<Load> with(JsonKey<Load> key, std::function<void(ObjectReader&, Load&)> read) {
  key.read = std::move(read);
  return key;
}

// Clients, keys and durations. A key whose bounds depend on others comes after them.
std::vector<JsonKey<Load>> keys_of_use() {
  JsonKey<Load> shared = whole_key("shared_addresses", &Load::shared_addresses, {0, kMostClients},
                                   "number of clients that share one "
                                   "address");
  return {
      whole_key("clients", &Load::clients, {1, kMostClients}, "number of client processes, one per node"),
      unless_usual(with(whole_key("threads", &Load::threads, {1, kMostThreads},
                                  "threads of each client process; they share one lock object and nothing else"),
                        read_threads)),
      {"keys",
       {{"oneOf", {schema_of({1, kMostKeys}), reference_to("keys")}}},
       "number of keys that the clients share, or their exact names; null is NULL",
       read_keys,
       keys_value,
       Load{}.keys},
      {"keys_of",
       list_of("keys"),
       "the keys that a client uses, in the order in which it takes them; assigned to the clients in turn",
       read_keys_of,
       keys_of_value,
       {}},
      unless_usual(with(whole_key("keys_at_once", &Load::keys_at_once, {1, kMostKeys},
                                  "number of keys that a client acquires before it works"),
                        read_keys_at_once)),
      {"lease_ms", lease_schema(), "length of a lease; rounded up to whole seconds for a lock that takes only those",
       read_leases, lease_value, Load{}.lease_ms},
      range_key("hold_ms", &Load::hold_ms, "time that a client works after a grant"),
      range_key("pause_ms", &Load::pause_ms, "time between a release and the next attempt"),
      whole_key("poll_ms", &Load::poll_ms, {1, kLongest_ms}, "time between two refused attempts"),
      yes_key("poll_aligned", &Load::poll_aligned,
              "attempts start at multiples of this, like cron jobs on several "
              "hosts"),
      whole_key("duration_ms", &Load::duration_ms, {100, kLongest_ms}, "length of the load"),
      whole_key("progress_bound_ms", &Load::progress_bound_ms, {100, kLongest_ms},
                "length of the final phase, after all faults are healed, in which every key must be granted again"),
      unless_usual(
          whole_key("tick_ms", &Load::tick_ms, kAnyTime,
                    "tick of a lock whose processes try at a fixed delay, whether they hold it or not; 0: the lock's "
                    "own")),
      unless_usual(range_key("lead_ms", &Load::lead_ms,
                             "in an election that allows resigning: time that a leader stays; 0: to the end")),
      whole_key("silence_ms", &Load::silence_ms, kAnyTime,
                "for a lock without a release: time between a client's job and its next request; 0: the lease and 2 s"),
      unless_usual(whole_key("align_ms", &Load::align_ms, {0, 999}, "the load begins at this fraction of a second")),
      with(std::move(shared),
           [](ObjectReader& in, Load& load) {
             load.shared_addresses = in.integer("shared_addresses", 0, load.clients).value_or(load.shared_addresses);
           }),
  };
}

// Names of clients, and how they talk to their servers.
std::vector<JsonKey<Load>> keys_of_clients() {
  return {
      word_key("after_info", &Load::after_info, {"abandon", "retry", "clean_up"},
               "reaction of a client to an acquire without an answer"),
      word_key("server_id", &Load::server_id, {"per_client", "per_node", "one"},
               "scope of the id that a client puts into a lock's value"),
      word_key("value", &Load::value, {"bare", "with_own_id"},
               "value that callers pass to a lock that puts its own id in front"),
      unless_usual(
          turn_key("owners", &Load::owners, "name",
                   "names of the clients as owners, in turn: {uuid} is a new text for each grant, {grant} counts a "
                   "thread's grants, {client} and {thread} are their numbers")),
      unless_usual(turn_key("values", &Load::values, "name",
                            "values that clients give a lock instead of their owner; same form as owners")),
      unless_usual(whole_key("ask_owned_ms", &Load::ask_owned_ms, kAnyTime,
                             "for locks in other languages that can `owned`: interval at which a holder asks whether "
                             "it still holds the lock; 0: a quarter of `loss_notice_ms` if the lock promises that "
                             "and has no `lost`, else never")),
      unless_usual(whole_key("cancel_after_ms", &Load::cancel_after_ms, kAnyTime,
                             "for locks in other languages that can `wait` and `cancel`: cancel an acquire that has "
                             "waited for this time; 0: never")),
      yes_key("reenter", &Load::reenter, "the job acquires and releases its lock a second time while it holds it"),
      unless_usual(yes_key("count_requests", &Load::count_requests,
                           "count the lock's requests at the relay even if no fault strikes one")),
      unless_usual(turn_key("mode", &Load::mode, "mode",
                            "for locks in other languages that can `shared`: modes in which the clients acquire, in "
                            "turn")),
      unless_usual(turn_key("program_zone", &Load::program_zone, "zone",
                            "time zones in which the clients' programs read their clocks, in turn")),
      turn_key("time_zone", &Load::time_zone, "zone", "time zones of the clients' sessions, in turn"),
      unless_usual(turn_key("isolation", &Load::isolation, "isolation",
                            "isolation levels of the clients' "
                            "transactions, in turn")),
      turn_key("reads", &Load::reads, "reads",
               "server to which a read/write splitter sends the clients' SELECTs, in turn; replica: only in topology "
               "replica"),
      turn_key("connects", &Load::connects, "connects",
               "which of several equal servers the clients connect to, in turn; in_turn: the first client to the first "
               "server, and so on"),
  };
}

}  // namespace

const std::vector<JsonKey<Load>>& load_keys() {
  static const std::vector<JsonKey<Load>> kAll = [] {
    auto all = keys_of_use();
    for (auto& key : keys_of_clients()) all.push_back(std::move(key));
    return all;
  }();
  return kAll;
}

void add_load_definitions(Schema& out) {
  out["milliseconds"] = {{"type", "integer"}, {"minimum", 0}, {"maximum", kLongest_ms}};
  const Schema ms = reference_to("milliseconds");
  out["range"] = {{"description", "one number, or [least, most]"},
                  {"oneOf", {ms, {{"type", "array"}, {"items", ms}, {"minItems", 2}, {"maxItems", 2}}}}};
  out["keys"] = {{"type", "array"},
                 {"minItems", 1},
                 {"maxItems", kMostKeys},
                 {"uniqueItems", true},
                 {"items", {{"type", {"string", "null"}}, {"maxLength", kLongestText}}}};
  out["lease"] = schema_of({kShortestLease_ms, kLongest_ms});
  for (const TurnWord& word : turn_words()) out[word.name] = word.schema;
  out["names"] = one_or_list("name");
}

void read_load_keys(ObjectReader& in, Load& load) {
  read_keys(load_keys(), in, load);
}

nlohmann::json to_json(const Load& load) {
  auto out = nlohmann::json::object();
  write_keys(load_keys(), load, out);
  if (!load.asked_leases_ms.empty()) out["asked_leases_ms"] = load.asked_leases_ms;  // in plans only
  return out;
}

}  // namespace holdfast
