// The keys of a load, as a scenario and a plan have them.
#include <algorithm>
#include <functional>
#include <regex>

#include "artifact/capacity.hpp"
#include "artifact/error.hpp"
#include "artifact/load.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kLongest_ms = 24LL * 3600 * 1000;
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
    node->refuse("must be 0 or more, least first, at most a day");
  }
}

// What is given out to the clients in turn: one, or several.
std::vector<JsonNode> turns_of(const JsonNode& node) {
  const bool list = node.kind == JsonNode::Kind::array;
  if (list && (node.items.empty() || node.items.size() > kMostTurns)) node.refuse("name one to 200");
  return list ? node.items : std::vector<JsonNode>{node};
}

void read_turns(ObjectReader& in, const std::string& key, std::vector<std::string>& out,
                const std::function<void(const JsonNode&)>& check) {
  const JsonNode* node = in.node(key);
  if (!node) return;
  out.clear();
  for (const JsonNode& item : turns_of(*node)) {
    if (item.kind != JsonNode::Kind::text) item.refuse("expected a string, or an array of strings");
    check(item);
    out.push_back(item.text);
  }
}

// Hours and minutes from UTC: the lab's server knows no names of places. The bounds are MariaDB's.
void check_zone(const JsonNode& node) {
  static const std::regex kZone("[+-](0[0-9]|1[0-2]):[0-5][0-9]|[+]13:00");
  if (!std::regex_match(node.text, kZone)) node.refuse("expected hours and minutes, as \"+08:00\"");
}

void check_word(const JsonNode& node, const char* what, const std::vector<std::string>& words) {
  if (std::find(words.begin(), words.end(), node.text) == words.end())
    node.refuse(unknown_word(what, node.text, words));
}

void check_isolation(const JsonNode& node) {
  check_word(node, "isolation", {"read_uncommitted", "read_committed", "repeatable_read", "serializable"});
}

void check_reads(const JsonNode& node) {
  check_word(node, "reads", {"primary", "replica"});
}

void check_connects(const JsonNode& node) {
  check_word(node, "connects", {"in_turn", "server:0", "server:1", "server:2"});
}

void check_length(const JsonNode& node) {
  if (node.text.size() > kLongestText) node.refuse("at most " + std::to_string(kLongestText) + " bytes");
}

// A word in braces that nobody replaces would make all owners one, silently.
void check_name(const JsonNode& node) {
  check_length(node);
  static const std::regex kPlace("\\{([a-z_]+)\\}");
  const std::string& text = node.text;
  for (auto at = std::sregex_iterator(text.begin(), text.end(), kPlace); at != std::sregex_iterator(); ++at) {
    const std::string word = (*at)[1];
    const std::vector<std::string> known{"uuid", "grant", "client", "thread"};
    if (std::find(known.begin(), known.end(), word) == known.end())
      node.refuse(unknown_word("placeholder", word, known));
  }
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

// Each once.
std::vector<KeyText> read_key_list(const JsonNode& list) {
  if (list.kind != JsonNode::Kind::array || list.items.empty()) list.refuse("expected an array of keys");
  std::vector<KeyText> out;
  for (const JsonNode& item : list.items) {
    const KeyText key = read_key(item);
    if (std::find(out.begin(), out.end(), key) != out.end()) item.refuse("this key stands here twice");
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
    place.refuse("the key <NULL> and null would have one name in the history");
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

// Without `keys` beside it, the keys are those that stand here.
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
      if (in.node("keys") && !is_one_of(key, known)) list.items[i].refuse("is none of 'keys'");
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

}  // namespace

void read_load_keys(ObjectReader& in, Load& load) {
  load.clients = in.integer("clients", 1, kMostClients).value_or(load.clients);
  read_leases(in, load);
  load.poll_ms = in.integer("poll_ms", 1, kLongest_ms).value_or(load.poll_ms);
  load.poll_aligned = in.boolean("poll_aligned").value_or(load.poll_aligned);
  load.duration_ms = in.integer("duration_ms", 100, kLongest_ms).value_or(load.duration_ms);
  load.progress_bound_ms = in.integer("progress_bound_ms", 100, kLongest_ms).value_or(load.progress_bound_ms);
  load.tick_ms = in.integer("tick_ms", 0, kLongest_ms).value_or(load.tick_ms);
  load.silence_ms = in.integer("silence_ms", 0, kLongest_ms).value_or(load.silence_ms);
  load.align_ms = in.integer("align_ms", 0, 999).value_or(load.align_ms);
  load.shared_addresses = in.integer("shared_addresses", 0, load.clients).value_or(load.shared_addresses);
  load.after_info = in.choice("after_info", {"abandon", "retry", "clean_up"}).value_or(load.after_info);
  load.server_id = in.choice("server_id", {"per_client", "per_node", "one"}).value_or(load.server_id);
  load.value = in.choice("value", {"bare", "with_own_id"}).value_or(load.value);
  load.reenter = in.boolean("reenter").value_or(load.reenter);
  read_range(in, "hold_ms", load.hold_ms);
  read_range(in, "pause_ms", load.pause_ms);
  read_turns(in, "time_zone", load.time_zone, check_zone);
  read_turns(in, "program_zone", load.program_zone, check_zone);
  read_turns(in, "isolation", load.isolation, check_isolation);
  read_turns(in, "reads", load.reads, check_reads);
  read_turns(in, "connects", load.connects, check_connects);
  read_turns(in, "owners", load.owners, check_name);
  read_turns(in, "values", load.values, check_name);
  read_keys(in, load);
  read_keys_of(in, load);
  read_keys_at_once(in, load);
  read_threads(in, load);
}

}  // namespace holdfast
